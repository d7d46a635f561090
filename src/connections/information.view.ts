import { ApiProperty } from '@nestjs/swagger';
import type { FieldSpec, FieldType } from '../integrations/field';
import type { Integration } from '../integrations/integration';
import { localise } from '../platform/http/lang';
import { type Connection, CONNECTION_STATUSES, type ConnectionStatus } from './connection.entity';

/** One input, as the user entered it. */
export class InformationFieldView {
  @ApiProperty({ example: 'folders' })
  id: string;

  @ApiProperty({ example: 'Folders' })
  label: string;

  @ApiProperty({ example: 'tree' })
  type: FieldType;

  @ApiProperty({ example: false })
  secret: boolean;

  @ApiProperty({
    nullable: true,
    description: 'Always null for secrets.',
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
    example: ['INBOX'],
  })
  value: unknown;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What an opaque value means, when it was stored.',
    example: 'Inbox',
  })
  display_value: string | null;
}

export class InformationStepView {
  @ApiProperty({ enum: [1, 2], example: 1 })
  step: number;

  @ApiProperty({ type: [InformationFieldView] })
  fields: InformationFieldView[];
}

/** What the user entered in both steps, without secrets (spec 4.7). */
export class InformationView {
  @ApiProperty({ format: 'uuid' })
  uuid: string;

  @ApiProperty({ example: 'Invoices mailbox' })
  name: string;

  @ApiProperty({ example: 'imap' })
  integration_id: string;

  @ApiProperty({ enum: CONNECTION_STATUSES, enumName: 'ConnectionStatus', example: 'ACTIVE' })
  status: ConnectionStatus;

  @ApiProperty({ type: [InformationStepView] })
  steps: InformationStepView[];
}

/** Built from what is stored: no live calls (spec 4.7). */
export function informationView(connection: Connection, integration: Integration): InformationView {
  const step1 = integration.step1.filter((field) => field.secret || connection.settings[field.id] !== undefined);
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
  return {
    id: field.id,
    label: localise(field.label),
    type: field.type,
    secret,
    value: secret ? null : (value ?? null),
    display_value: secret ? null : displayValue(field, connection, value),
  };
}

function displayValue(field: FieldSpec, connection: Connection, value: unknown): string | null {
  const values = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const labels = values.map((item) => {
    const option = field.options?.find((candidate) => candidate.value === item);
    const label = option?.label ?? connection.displayValues[field.id]?.[item];
    return label === undefined ? undefined : localise(label);
  });
  return labels.length > 0 && labels.every((label) => label !== undefined) ? labels.join(', ') : null;
}
