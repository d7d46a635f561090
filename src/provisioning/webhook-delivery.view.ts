import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../connections/webhook.entity';
import { say } from '../platform/http/say';
import { INTERRUPTED, type WebhookResult } from './webhook';
import { DELIVERY_STATES, type DeliveryState, type WebhookDelivery } from './webhook-delivery.entity';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };
const INSTANT = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' };

export const WEBHOOK_ERRORS = [
  'UNEXPECTED_STATUS',
  'REDIRECT_REFUSED',
  'TIMEOUT',
  'NAME_NOT_FOUND',
  'TLS_FAILED',
  'ADDRESS_NOT_ALLOWED',
  'CONNECTION_FAILED',
  'WEBHOOK_DISABLED',
  INTERRUPTED,
] as const;

/** Why an event did not arrive. */
export class WebhookErrorView {
  @ApiProperty({ enum: WEBHOOK_ERRORS, enumName: 'WebhookError', description: 'Stable.', example: 'TIMEOUT' })
  code: string;

  @ApiProperty({
    description: 'In the language of the request.',
    example: 'The endpoint did not answer within ten seconds.',
  })
  message: string;
}

const RESPONSE_STATUS = {
  type: 'integer',
  nullable: true,
  description: 'The HTTP status of the answer; null when none came.',
  example: 200,
} as const;
const DURATION = {
  type: 'integer',
  nullable: true,
  description: 'Milliseconds from the beginning to the end of the answer.',
  example: 84,
} as const;
const ERROR = {
  type: WebhookErrorView,
  nullable: true,
  description: 'Why it did not arrive; null when it did, or when that is not known yet.',
  example: null,
};

/** What became of a test. */
export class WebhookTestView {
  @ApiProperty({ description: 'Whether the address answered with 2xx.', example: true })
  delivered: boolean;

  @ApiProperty(RESPONSE_STATUS)
  status: number | null;

  @ApiProperty({ ...DURATION, nullable: false })
  duration_ms: number;

  @ApiProperty({ ...ERROR, description: 'Why it did not arrive; null when it did.' })
  error: WebhookErrorView | null;
}

/** One event for one webhook. */
export class WebhookDeliveryView {
  @ApiProperty({ ...UUID, description: 'The entry of the log.' })
  uuid: string;

  @ApiProperty({ ...UUID, description: 'The `webhook-id` it is sent with: the same for every webhook that is told.' })
  webhook_id: string;

  @ApiProperty({
    enum: [...EVENT_TYPES, 'webhook.test'],
    enumName: 'WebhookMessageType',
    description: 'What it tells of.',
    example: 'document.available',
  })
  type: string;

  @ApiProperty({
    enum: DELIVERY_STATES,
    enumName: 'WebhookDeliveryState',
    description: 'How far it has come. `DELIVERED` and `FAILED` are final: nothing is sent twice.',
    example: 'DELIVERED',
  })
  state: DeliveryState;

  @ApiProperty({ ...INSTANT, description: 'When it was queued.' })
  created_at: string;

  @ApiProperty({ ...INSTANT, type: String, nullable: true, description: 'When it was sent.' })
  sent_at: string | null;

  @ApiProperty(RESPONSE_STATUS)
  status: number | null;

  @ApiProperty(DURATION)
  duration_ms: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The first KiB of the answer.', example: 'ok' })
  response_excerpt: string | null;

  @ApiProperty(ERROR)
  error: WebhookErrorView | null;
}

export function webhookDeliveryView(delivery: WebhookDelivery): WebhookDeliveryView {
  return {
    uuid: delivery.uuid,
    webhook_id: delivery.messageId,
    type: delivery.type,
    state: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    sent_at: delivery.sentAt?.toISOString() ?? null,
    status: delivery.status ?? null,
    duration_ms: delivery.durationMs ?? null,
    response_excerpt: delivery.responseExcerpt ?? null,
    error: errorView(delivery.errorCode ?? null, delivery.status ?? null),
  };
}

export function webhookTestView({ status, errorCode, durationMs }: WebhookResult): WebhookTestView {
  return { delivered: errorCode === null, status, duration_ms: durationMs, error: errorView(errorCode, status) };
}

function errorView(code: string | null, status: number | null): WebhookErrorView | null {
  if (code === null) return null;
  return { code, message: say(`webhooks.${code}`, { status: status ?? '' }) };
}
