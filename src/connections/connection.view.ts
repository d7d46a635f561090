import { ApiProperty } from '@nestjs/swagger';
import { FieldView, fieldView } from '../integrations/field.view';
import type { FieldSpec } from '../integrations/field';
import { type Connection, CONNECTION_STATUSES, type ConnectionStatus, type Health, HEALTHS } from './connection.entity';
import { ReasonView, reasonView } from './reason.view';

/** Whose account it is at the provider. */
export class AccountView {
  @ApiProperty({ example: 'info@example.com' })
  display: string;
}

/** The latest fetch of a connection. */
export class LastFetchView {
  @ApiProperty({ format: 'uuid' })
  uuid: string;

  @ApiProperty({
    enum: ['QUEUED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED'],
    enumName: 'FetchStatus',
    example: 'SUCCEEDED',
  })
  status: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

  @ApiProperty({ example: 3 })
  documents_new: number;
}

/** A link between an identity and an integration. */
export class ConnectionView {
  @ApiProperty({ format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;

  @ApiProperty({ example: 'imap' })
  integration_id: string;

  @ApiProperty({ example: 'Invoices mailbox' })
  name: string;

  @ApiProperty({ format: 'uuid' })
  identity_uuid: string;

  @ApiProperty({
    enum: CONNECTION_STATUSES,
    enumName: 'ConnectionStatus',
    description: 'Only `ACTIVE` connections are fetched.',
    example: 'ACTIVE',
  })
  status: ConnectionStatus;

  @ApiProperty({
    enum: HEALTHS,
    enumName: 'ConnectionHealth',
    description: '`ACTION_REQUIRED`: the user has to do something. `DEGRADED`: we are trying again.',
    example: 'OK',
  })
  health: Health;

  @ApiProperty({ type: ReasonView, nullable: true, example: null, description: 'Why it is not as it should be.' })
  reason: ReasonView | null;

  @ApiProperty({
    description: 'Whether both steps, and the authorisation where there is one, are done.',
    example: true,
  })
  setup_complete: boolean;

  @ApiProperty({ type: AccountView, nullable: true })
  account: AccountView | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Input of both steps; secrets are left out.',
    example: { host: 'imap.example.com', user: 'info@example.com' },
  })
  fields: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2026-01-01' })
  startdate: string | null;

  @ApiProperty({ description: 'Whether a webhook is registered for this connection.', example: false })
  webhook: boolean;

  @ApiProperty({ type: LastFetchView, nullable: true })
  last_fetch: LastFetchView | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_success_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next scheduled fetch is due; null while the connection is not active.',
  })
  next_fetch_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

/** A connection just made or changed, with what has to happen next. */
export class ConnectionSetupView extends ConnectionView {
  @ApiProperty({
    type: [FieldView],
    nullable: true,
    description: 'The fields of the second step, if there is one and its fields are known already.',
  })
  step2_fields: FieldView[] | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'Where the end user has to go to authorise, for OAuth integrations.',
  })
  authorization_url: string | null;
}

export function connectionView(connection: Connection): ConnectionView {
  return {
    uuid: connection.uuid,
    integration_id: connection.integrationId,
    name: connection.name,
    identity_uuid: connection.identityUuid,
    status: connection.status,
    health: connection.health,
    reason: reasonView(connection),
    setup_complete: connection.setupCompletedAt != null,
    account: connection.accountDisplay ? { display: connection.accountDisplay } : null,
    fields: { ...connection.settings, ...connection.step2 },
    startdate: connection.startdate ?? null,
    webhook: connection.webhookUrl != null,
    last_fetch: connection.lastFetch ?? null,
    last_success_at: connection.lastSuccessAt?.toISOString() ?? null,
    next_fetch_at: connection.nextFetchAt?.toISOString() ?? null,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  };
}

export function connectionSetupView(
  connection: Connection,
  step2Fields: readonly FieldSpec[] | null,
): ConnectionSetupView {
  return {
    ...connectionView(connection),
    step2_fields: step2Fields?.map((field) => fieldView(field, connection.step2)) ?? null,
    authorization_url: null,
  };
}
