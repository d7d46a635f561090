import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Finding } from '../../documents/e-invoice/validation/engine/evaluate';
import type { FindingClass, Severity } from '../../documents/e-invoice/validation/engine/rule';
import type { ValidationResult } from '../../documents/e-invoice/validation/validate-invoice';
import { RuleSetView } from '../../documents/e-invoice.view';
import { translate } from '../../platform/errors/translate';
import { apiEnum } from '../../platform/openapi/api-enum';

const SEVERITY = apiEnum<Severity>('FindingSeverity', 'How grave a finding is.', {
  FATAL: 'the invoice is not valid',
  WARNING: 'the invoice is valid all the same',
});

const CLASS = apiEnum<FindingClass>(
  'FindingClass',
  'The kind of error, as the German Federal Ministry of Finance tells them apart (letter of 15 October 2025).',
  {
    FORMAT: 'the file does not follow the syntax of its format',
    BUSINESS_RULE: 'something that the standard requires is missing or not allowed',
    CONTENT: 'what the invoice states contradicts itself',
  },
);

@ApiSchema({ name: 'ValidationFinding', description: 'A rule that failed, at one place.' })
export class FindingView {
  @ApiProperty({ description: 'The id of the rule in its rule set.', example: 'BR-CO-15' })
  rule: string;

  @ApiProperty({ ...SEVERITY, description: 'How grave it is.', example: 'FATAL' })
  severity: Severity;

  @ApiProperty({ ...CLASS, description: 'The kind of error.', example: 'CONTENT' })
  class: FindingClass;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The business term or group of EN 16931 that it is about; null for rules of the syntax.',
    example: 'BT-112',
  })
  term: string | null;

  @ApiProperty({ description: 'The place in the XML, as XPath.', example: '/Invoice' })
  path: string;

  @ApiProperty({
    description: 'A sentence for people, in the language of the request.',
    example: 'The total with VAT does not equal the total without VAT plus VAT.',
  })
  message: string;
}

@ApiSchema({ name: 'ValidationReport', description: 'What testing the rules on an e-invoice has found.' })
export class ValidationReportView {
  @ApiProperty({ type: RuleSetView, description: 'The rules that were tested.' })
  ruleset: RuleSetView;

  @ApiProperty({ description: 'Whether no fatal rule failed.', example: false })
  valid: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How often a fatal rule failed.', example: 1 })
  errors: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How often a warning was given.', example: 0 })
  warnings: number;

  @ApiProperty({
    type: [FindingView],
    description: 'Each failure: up to 20 places of one rule and 500 in total; `errors` and `warnings` count all.',
  })
  findings: FindingView[];
}

export function validationReportView({ ruleset, errors, warnings, findings }: ValidationResult): ValidationReportView {
  return { ruleset, valid: errors === 0, errors, warnings, findings: findings.map(findingView) };
}

function findingView({ rule, severity, class: of, term, path, sentence }: Finding): FindingView {
  const { key, values } = sentence;
  return {
    rule,
    severity,
    class: of,
    term,
    path,
    message: translate(`e-invoice-rules.sentence.${key}`, { term: termName(term, path), ...values }),
  };
}

/** The name of a business term in the language of the request; what has none is called by its element. */
function termName(term: string | null, path: string): string {
  if (term !== null) return `${translate(`e-invoice-rules.term.${term}`)} (${term})`;
  return path.slice(path.lastIndexOf('/') + 1);
}
