import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { FieldSpec, FieldType } from '../../integrations/core/field';
import type { Integration } from '../../integrations/core/integration';
import { FIELD_TYPE, FIELD_VALUE } from '../../integrations/core/views/field.view';
import { isServerField } from '../../integrations/core/server-trust';
import { localize } from '../../platform/i18n/lang';
import { CONNECTION_STATUS } from '../state/views/connection-status.view';
import type { ConnectionStatus } from '../../identities/connection-status';
import type { Connection } from '../state/connection.entity';

@ApiSchema({ description: 'One input, as the user entered it.' })
export class InformationFieldView {
  @ApiProperty({ description: 'The id of the field.', example: 'folders' })
  id: string;

  @ApiProperty({ description: 'Its label, in the language of the request.', example: 'Folders' })
  label: string;

  @ApiProperty({ ...FIELD_TYPE, description: 'The type of input.', example: 'tree' })
  type: FieldType;

  @ApiProperty({ description: 'Whether it is a secret, whose value is never shown.', example: false })
  secret: boolean;

  @ApiProperty({
    ...FIELD_VALUE,
    nullable: true,
    description: 'The entered value; always null for secrets.',
    example: ['INBOX'],
  })
  value: unknown;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The label of an opaque value, if one was stored.',
    example: 'Inbox',
  })
  display_value: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', nullable: true },
    description:
      'Only for fields with several values: the label of each value, in the order of `value`; null if none was stored.',
    example: ['Inbox'],
  })
  display_values?: (string | null)[];
}

@ApiSchema({ description: 'The input of one setup step.' })
export class InformationStepView {
  @ApiProperty({ type: 'integer', enum: [1, 2], description: 'The first or the second step.', example: 1 })
  step: number;

  @ApiProperty({ type: [InformationFieldView], description: 'The fields of the step that have input.' })
  fields: InformationFieldView[];
}

@ApiSchema({
  name: 'ConnectionInformation',
  description: 'The input of both steps in readable form, without secrets.',
})
export class InformationView {
  @ApiProperty({ format: 'uuid', description: 'The connection.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;

  @ApiProperty({ description: 'A human-readable name.', example: 'Invoices mailbox' })
  name: string;

  @ApiProperty({ description: 'The integration.', example: 'imap' })
  integration_id: string;

  @ApiProperty({ ...CONNECTION_STATUS, description: 'Only `ACTIVE` connections are fetched.', example: 'ACTIVE' })
  status: ConnectionStatus;

  @ApiProperty({ type: [InformationStepView], description: 'One entry for each step that the connection has.' })
  steps: InformationStepView[];
}

/** Built from stored data only: no live calls (spec 4.7). `secrets`: the ids of the secrets that are stored. */
export function informationView(
  connection: Connection,
  integration: Integration,
  secrets: ReadonlySet<string>,
): InformationView {
  const step1 = integration.step1.filter(({ id }) => secrets.has(id) || connection.settings[id] !== undefined);
  return {
    uuid: connection.uuid,
    name: connection.name,
    integration_id: connection.integrationId,
    status: connection.status,
    steps: [
      { step: 1, fields: step1.map((field) => fieldOf(field, connection, connection.settings[field.id])) },
      ...(connection.step2Fields.length > 0
        ? [
            {
              step: 2,
              fields: connection.step2Fields.map((field) => fieldOf(field, connection, connection.step2[field.id])),
            },
          ]
        : []),
    ],
  };
}

function fieldOf(field: FieldSpec, connection: Connection, value: unknown): InformationFieldView {
  const secret = field.secret ?? false;
  const values = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const labels = optionLabels(field, connection, values);
  return {
    id: field.id,
    label: localize(field.label),
    type: field.type,
    secret,
    value: secret ? null : (value ?? null),
    display_value: secret ? null : displayValue(field, connection, values, labels),
    ...(field.multiple && !secret && { display_values: labels }),
  };
}

/** The label of each value, in order; null if none was stored. */
function optionLabels(field: FieldSpec, connection: Connection, values: readonly string[]): (string | null)[] {
  return values.map((item) => {
    const option = field.options?.find((candidate) => candidate.value === item);
    const label = option?.label ?? connection.displayValues[field.id]?.[item];
    return label === undefined ? null : localize(label);
  });
}

/** All labels in one text; null unless every value has one. A server field also shows its accepted fingerprint. */
function displayValue(
  field: FieldSpec,
  connection: Connection,
  values: readonly string[],
  labels: readonly (string | null)[],
): string | null {
  const label = labels.length > 0 && labels.every((text) => text !== null) ? labels.join(', ') : null;
  const [pin] = isServerField(field) ? Object.values(connection.trustedFingerprints ?? {}) : [];
  return pin === undefined ? label : `${label ?? values.join(', ')} (${pin})`;
}
