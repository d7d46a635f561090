import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { EventType } from '../../connections/webhooks/webhook.entity';
import { translate } from '../../platform/errors/translate';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { WEBHOOK_INTERRUPTED, WebhookResult } from './webhook-client';
import type { WebhookDeliveryState, WebhookDelivery } from './webhook-delivery.entity';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };
const INSTANT = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' };

type WebhookErrorCode =
  | 'UNEXPECTED_STATUS'
  | 'REDIRECT_REFUSED'
  | 'TIMEOUT'
  | 'NAME_NOT_FOUND'
  | 'TLS_FAILED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'CONNECTION_FAILED'
  | 'WEBHOOK_DISABLED'
  | typeof WEBHOOK_INTERRUPTED;

const ERROR_CODE = apiEnum<WebhookErrorCode>('WebhookErrorCode', 'Why an event was not delivered.', {
  UNEXPECTED_STATUS: 'the response was not 2xx',
  REDIRECT_REFUSED: 'the response was a redirect, which is not followed',
  TIMEOUT: 'there was no response within ten seconds',
  NAME_NOT_FOUND: 'the name of the host cannot be resolved',
  TLS_FAILED: 'the certificate is not trusted, or TLS cannot be agreed on',
  ADDRESS_NOT_ALLOWED: 'the address of the host is not allowed',
  CONNECTION_FAILED: 'the connection could not be established, or was lost',
  WEBHOOK_DISABLED: 'the webhook was disabled before it could be sent',
  INTERRUPTED: 'the service was interrupted while sending; it is unknown whether the event arrived',
});

const STATE = apiEnum<WebhookDeliveryState>('WebhookDeliveryState', 'The status of a webhook delivery.', {
  WAITING: 'waiting to be sent',
  SENDING: 'being sent',
  DELIVERED: 'the response was 2xx',
  FAILED: 'not delivered, and not sent again',
});

const MESSAGE_TYPE = apiEnum<EventType | 'webhook.test'>('WebhookMessageType', 'The types of webhook messages.', {
  'document.available': 'a document can be pulled',
  'connection.status_changed': 'the status of a connection has changed',
  'fetch.finished': 'a fetch has ended',
  'delivery.failed': 'the last attempt to push a document has failed',
  'document.expected_missing': 'the invoice of a monthly supplier has not come',
  'endpoint.failing': 'your provisioning URL is failing, and documents are waiting',
  'endpoint.recovered': 'your provisioning URL works again',
  'source.requested': 'a user misses a source',
  'webhook.test': 'you requested a test',
});

@ApiSchema({ description: 'Why an event was not delivered.' })
export class WebhookErrorView {
  @ApiProperty({ ...ERROR_CODE, description: 'What happened. Stable and never translated.', example: 'TIMEOUT' })
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
  description: 'The HTTP status of the response; null when there was none.',
  example: 200,
} as const;
const DURATION = {
  type: 'integer',
  nullable: true,
  description: 'The duration until the end of the response, in milliseconds.',
  example: 84,
} as const;
const ERROR = {
  type: WebhookErrorView,
  nullable: true,
  description: 'Why it was not delivered; null when it was, or when the result is not known yet.',
  example: null,
};

@ApiSchema({ description: 'The result of a test.' })
export class WebhookTestView {
  @ApiProperty({ description: 'Whether the response was 2xx.', example: true })
  delivered: boolean;

  @ApiProperty(RESPONSE_STATUS)
  status: number | null;

  @ApiProperty({ ...DURATION, nullable: false })
  duration_ms: number;

  @ApiProperty({ ...ERROR, description: 'Why it was not delivered; null when it was.' })
  error: WebhookErrorView | null;
}

@ApiSchema({ description: 'One event for one webhook.' })
export class WebhookDeliveryView {
  @ApiProperty({ ...UUID, description: 'The entry of the log.' })
  uuid: string;

  @ApiProperty({ ...UUID, description: 'Its `webhook-id`, the same for every webhook that receives the event.' })
  webhook_id: string;

  @ApiProperty({
    ...MESSAGE_TYPE,
    description: 'The type of event.',
    example: 'document.available',
  })
  type: string;

  @ApiProperty({
    ...STATE,
    description: 'The status of the delivery. `DELIVERED` and `FAILED` are final: nothing is sent twice.',
    example: 'DELIVERED',
  })
  state: WebhookDeliveryState;

  @ApiProperty({ ...INSTANT, description: 'When it was queued.' })
  created_at: string;

  @ApiProperty({ ...INSTANT, type: String, nullable: true, description: 'When it was sent.' })
  sent_at: string | null;

  @ApiProperty(RESPONSE_STATUS)
  status: number | null;

  @ApiProperty(DURATION)
  duration_ms: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The first KiB of the response.', example: 'ok' })
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
  return { code, message: translate(`webhooks.${code}`, { status: status ?? '' }) };
}
