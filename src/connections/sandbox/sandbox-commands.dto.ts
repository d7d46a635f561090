import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsInt, IsNotEmpty, IsString, Max, Min, ValidateIf } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';
import { FORMATS, type Format } from '../../integrations/core/sandbox-portal';
import { type Scenario, SCENARIO_VALUES, SCENARIOS } from '../../integrations/shared/sandbox/scenarios';
import type { InvalidField } from '../../platform/errors/errors';
import { apiEnum } from '../../platform/openapi/api-enum';

const SCENARIO = apiEnum<Scenario>(
  'SandboxScenario',
  'Behavior of a sandbox portal.',
  Object.fromEntries(
    SCENARIOS.map(({ value, label }) => [value, label.en[0]!.toLowerCase() + label.en.slice(1)]),
  ) as Record<Scenario, string>,
);

const FORMAT = apiEnum<Format>('SandboxFormat', 'File format of a sandbox document.', {
  PDF: 'a PDF',
  XML: 'an XRechnung in UBL',
  HYBRID: 'a ZUGFeRD PDF (PDF/A-3) with embedded XML',
});

/** Document types that have e-invoice formats. */
const E_INVOICE_TYPES: readonly unknown[] = ['invoice', 'credit_note'];

@ApiSchema({ name: 'SandboxScenarioRequest', description: 'The behavior to set for a sandbox portal.' })
export class SetScenarioDto {
  @ApiProperty({
    ...SCENARIO,
    description: 'A value of the field `scenario` of the integration.',
    example: 'provider_down',
  })
  @IsNotEmpty()
  @IsString()
  @IsIn(SCENARIO_VALUES)
  scenario: Scenario;
}

@ApiSchema({ name: 'SandboxDocumentsRequest', description: 'Documents to add to a sandbox portal.' })
export class PlaceDocumentsDto {
  static crossFieldErrors = ({
    format,
    document_type: type,
  }: {
    format?: unknown;
    document_type?: unknown;
  }): InvalidField[] => {
    const isEInvoice = format === 'XML' || format === 'HYBRID';
    const isWrong = isEInvoice && DOCUMENT_TYPES.includes(type as never) && !E_INVOICE_TYPES.includes(type);
    return isWrong ? [{ field: 'document_type', code: 'INVALID_OPTION' }] : [];
  };

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, description: 'Number of documents.', example: 3 })
  @IsDefined()
  @IsInt()
  @Min(1)
  @Max(100)
  count: number;

  @ApiPropertyOptional({
    ...DOCUMENT_TYPE,
    default: 'invoice',
    description: 'Their type. E-invoices (`XML`, `HYBRID`) are `invoice` or `credit_note`.',
    example: 'invoice',
  })
  @ValidateIf(({ document_type }: PlaceDocumentsDto) => document_type !== undefined)
  @IsIn(DOCUMENT_TYPES)
  document_type?: DocumentType;

  @ApiProperty({ ...FORMAT, description: 'Their file format.', example: 'XML' })
  @IsNotEmpty()
  @IsString()
  @IsIn(FORMATS)
  format: Format;

  @ApiProperty({ description: 'Whether the portal assigns them an id (`external_id`).', example: true })
  @IsDefined()
  @IsBoolean()
  external_id: boolean;
}
