import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Health } from '../../connections/state/connection-state';
import type { ConnectionStatus } from '../../identities/connection-status';
import { apiEnum } from '../../platform/openapi/api-enum';

const COUNT = { type: 'integer', minimum: 0 } as const;
const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' } as const;

export type AttentionKind =
  | 'ENDPOINT_FAILING'
  | 'DELIVERIES_FAILED'
  | 'WEBHOOK_DISABLED'
  | 'CONNECTION_ACTION_REQUIRED'
  | 'DOCUMENTS_MISSING'
  | 'API_KEY_EXPIRES';

const ATTENTION_KIND = apiEnum<AttentionKind>('ConsoleAttentionKind', 'What needs attention.', {
  ENDPOINT_FAILING: 'the circuit of the push endpoint is open',
  DELIVERIES_FAILED: 'documents whose delivery has failed for good',
  WEBHOOK_DISABLED: 'a webhook of the environment that was disabled because it failed',
  CONNECTION_ACTION_REQUIRED: 'a connection whose user has to act',
  DOCUMENTS_MISSING: 'expected invoices that are missing',
  API_KEY_EXPIRES: 'an API key that expires within two weeks',
});

@ApiSchema({ name: 'ConsoleConnectionCounts', description: 'The connections of the environment by state.' })
export class OverviewConnections {
  @ApiProperty({ ...COUNT, description: 'All connections.', example: 1_250 })
  total: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: COUNT,
    description: 'By `status`; a status without connections is absent.',
    example: { ACTIVE: 1_230, DISABLED: 20 },
  })
  by_status: Readonly<Partial<Record<ConnectionStatus, number>>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: COUNT,
    description: 'By `health`; one without connections is absent.',
    example: { OK: 1_200, ACTION_REQUIRED: 50 },
  })
  by_health: Readonly<Partial<Record<Health, number>>>;

  @ApiProperty({
    format: 'date-time',
    description: 'When they were counted: with very many connections, less often than they are read.',
    example: '2026-11-20T08:30:00.000Z',
  })
  counted_at: string;
}

@ApiSchema({ name: 'ConsoleHour', description: 'What succeeded and failed in an hour.' })
export class HourView {
  @ApiProperty({ format: 'date-time', description: 'The beginning of the hour.', example: '2026-11-20T08:00:00.000Z' })
  hour: string;

  @ApiProperty({ ...COUNT, description: 'What succeeded, at least in part.', example: 112 })
  ok: number;

  @ApiProperty({ ...COUNT, description: 'What failed.', example: 3 })
  failed: number;
}

@ApiSchema({ name: 'ConsoleAttention', description: 'Something that needs attention.' })
export class AttentionView {
  @ApiProperty({ ...ATTENTION_KIND, description: 'What it is.', example: 'CONNECTION_ACTION_REQUIRED' })
  kind: AttentionKind;

  @ApiProperty({
    description: 'In one sentence, in the language of the request.',
    example: 'Invoices mailbox: The provider rejected the sign-in details. Please enter them again.',
  })
  text: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Since when; for a key, until when.',
    example: '2026-11-20T08:30:00.000Z',
  })
  since: string;

  @ApiProperty({ ...UUID, type: String, nullable: true, description: 'The connection, if it is about one.' })
  connection_uuid: string | null;

  @ApiProperty({
    ...UUID,
    type: String,
    nullable: true,
    description: 'The webhook, if it is about one.',
    example: null,
  })
  webhook_uuid: string | null;
}

@ApiSchema({ name: 'ConsoleOverview', description: 'An overview of the state of an environment.' })
export class OverviewView {
  @ApiProperty({
    type: OverviewConnections,
    required: false,
    description: 'The connections by state; absent while very many of them are being counted for the first time.',
  })
  connections?: OverviewConnections;

  @ApiProperty({
    type: [HourView],
    description:
      'Fetches by the hour in which they began, for the last 24 hours, the oldest first; the last one is the current hour.',
  })
  fetches: HourView[];

  @ApiProperty({ type: [HourView], description: 'The same for the attempts to push documents.' })
  deliveries: HourView[];

  @ApiProperty({ type: [AttentionView], description: 'What needs attention, the most urgent first.' })
  attention: AttentionView[];
}
