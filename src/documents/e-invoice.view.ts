import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../platform/openapi/api-enum';
import type { E_INVOICE_FORMATS } from './metadata';

const E_INVOICE_FORMAT = apiEnum<(typeof E_INVOICE_FORMATS)[number]>(
  'EInvoiceFormat',
  'The format of an electronic invoice.',
  {
    XRECHNUNG: 'XRechnung, in either syntax',
    ZUGFERD: 'ZUGFeRD: a PDF with an XML invoice inside',
    FACTURX: 'Factur-X: a PDF with an XML invoice inside',
    UBL: 'another invoice in UBL 2.1',
    CII: 'another invoice in UN/CEFACT Cross Industry Invoice',
  },
);

@ApiSchema({ name: 'RuleSet', description: 'A published set of rules for e-invoices.' })
export class RuleSetView {
  @ApiProperty({ description: 'Its name.', example: 'EN 16931' })
  name: string;

  @ApiProperty({ description: 'The release of its published form.', example: 'CEN 1.3.16' })
  version: string;
}

@ApiSchema({ description: 'The format of an electronic invoice, and whether it follows its rules.' })
export class EInvoiceView {
  @ApiProperty({ ...E_INVOICE_FORMAT, description: 'Its format.', example: 'ZUGFERD' })
  format: (typeof E_INVOICE_FORMATS)[number];

  @ApiPropertyOptional({ description: 'The profile or guideline it names.', example: 'EN16931' })
  profile?: string;

  @ApiPropertyOptional({
    description:
      'Whether no fatal rule of `ruleset` failed. Absent, with the members below, when no rule set applies: MINIMUM, BASIC WL, EXTENDED, ZUGFeRD 1.0.',
    example: true,
  })
  valid?: boolean;

  @ApiPropertyOptional({ type: RuleSetView, description: 'The rules that were tested.' })
  ruleset?: RuleSetView;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'How often a fatal rule failed.', example: 0 })
  errors?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'How often a warning was given.', example: 1 })
  warnings?: number;
}
