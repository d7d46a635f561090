import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FIELD_VALUE } from '../../../integrations/core/views/field.view';
import type { RemainingQuota } from '../../../platform/rate-limit/transactional-throttler';
import { CONNECTION_HEALTH, CONNECTION_STATUS } from './connection-status.view';
import type { ConnectionRecord } from '../connection-record';
import { type ConnectionStatus, statusOf } from '../../../identities/connection-status';
import { type Health, healthOf } from '../connection-state';
import { LastFetchView } from './last-fetch.view';
import { manualFetchesView, ManualFetchesView } from './manual-fetches.view';
import { ReasonView, reasonView } from './reason.view';

@ApiSchema({ name: 'ConnectionAccount', description: 'The account at the provider.' })
export class AccountView {
  @ApiProperty({ description: 'A human-readable name.', example: 'info@example.com' })
  display: string;
}

@ApiSchema({ description: 'A link between an identity and an integration.' })
export class ConnectionView {
  @ApiProperty({ format: 'uuid', description: 'The connection.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;

  @ApiProperty({ description: 'The integration.', example: 'imap' })
  integration_id: string;

  @ApiProperty({ description: 'A human-readable name.', example: 'Invoices mailbox' })
  name: string;

  @ApiProperty({
    format: 'uuid',
    description: 'The identity it belongs to.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  identity_uuid: string;

  @ApiProperty({
    ...CONNECTION_STATUS,
    description: 'Only `ACTIVE` connections are fetched.',
    example: 'ACTIVE',
  })
  status: ConnectionStatus;

  @ApiProperty({
    ...CONNECTION_HEALTH,
    description: 'Whether fetching works.',
    example: 'OK',
  })
  health: Health;

  @ApiProperty({
    type: ReasonView,
    nullable: true,
    description: 'Why the connection needs attention; null if it does not.',
  })
  reason: ReasonView | null;

  @ApiProperty({
    description: 'Whether both steps, and the authorization if the integration needs one, are complete.',
    example: true,
  })
  setup_complete: boolean;

  @ApiProperty({
    type: AccountView,
    nullable: true,
    description: 'The account at the provider; null until it is known.',
  })
  account: AccountView | null;

  @ApiProperty({
    type: String,
    format: 'email',
    nullable: true,
    description:
      'For `mail_inbox`: the address whose mails become documents of this connection. It never changes. Null for all other integrations.',
    example: 'incoming-invoices-k7m2xq9rt4@inbox.example.com',
  })
  inbox_address: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: FIELD_VALUE,
    description: 'Input of both steps by field id, without secrets.',
    example: { host: 'imap.example.com', user: 'info@example.com' },
  })
  fields: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day from which documents are fetched; null: all documents.',
    example: '2026-01-01',
  })
  startdate: string | null;

  @ApiProperty({ description: 'Whether it has its own webhook.', example: false })
  webhook: boolean;

  @ApiProperty({ type: LastFetchView, nullable: true, description: 'The last fetch; null before the first one.' })
  last_fetch: LastFetchView | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a fetch last succeeded; null if none has.',
    example: '2026-11-20T08:30:00.000Z',
  })
  last_success_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next scheduled fetch is due; null while the connection is not active.',
    example: '2026-11-21T08:30:00.000Z',
  })
  next_fetch_at: string | null;

  @ApiProperty({
    type: ManualFetchesView,
    description: 'The quota of fetches outside the schedule: `POST …/fetch-now`.',
  })
  manual_fetches: ManualFetchesView;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Number of documents that could not be read: those of `GET …/failures`, without the dismissed ones. Other documents are not affected.',
    example: 0,
  })
  failed_documents: number;

  @ApiProperty({ format: 'date-time', description: 'When it was created.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When its name, input or state last changed.',
    example: '2026-11-20T08:30:00.000Z',
  })
  updated_at: string;
}

/** `allowance` is the remaining quota of fetch-now. */
export function connectionView(connection: ConnectionRecord, allowance: RemainingQuota): ConnectionView {
  return {
    uuid: connection.uuid,
    integration_id: connection.integrationId,
    name: connection.name,
    identity_uuid: connection.identityUuid,
    status: statusOf(connection),
    health: healthOf(connection),
    reason: reasonView(connection),
    setup_complete: connection.setupCompletedAt != null,
    account: connection.accountDisplay ? { display: connection.accountDisplay } : null,
    inbox_address: connection.inboxAddress ?? null,
    fields: { ...connection.settings, ...connection.step2 },
    startdate: connection.startdate ?? null,
    webhook: connection.webhookUuid != null,
    last_fetch: connection.lastFetch ?? null,
    last_success_at: connection.lastSuccessAt?.toISOString() ?? null,
    next_fetch_at: connection.nextFetchAt?.toISOString() ?? null,
    manual_fetches: manualFetchesView(allowance),
    failed_documents: connection.failedDocuments,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  };
}
