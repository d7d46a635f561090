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

const ERROR_CODE = apiEnum<WebhookErrorCode>('WebhookErrorCode', 'Why an event did not arrive.', {
  UNEXPECTED_STATUS: 'the answer was not 2xx',
  REDIRECT_REFUSED: 'the answer was a redirect, which is not followed',
  TIMEOUT: 'no answer came within ten seconds',
  NAME_NOT_FOUND: 'the name of the host cannot be resolved',
  TLS_FAILED: 'the certificate is not trusted, or TLS cannot be agreed on',
  ADDRESS_NOT_ALLOWED: 'the host has an address that may not be reached',
  CONNECTION_FAILED: 'no connection could be made, or it broke',
  WEBHOOK_DISABLED: 'the webhook was disabled before it could be sent',
  INTERRUPTED: 'the service was interrupted while sending; whether it arrived is not known',
});

const STATE = apiEnum<WebhookDeliveryState>('WebhookDeliveryState', 'How far an event for a webhook has come.', {
  WAITING: 'it waits to be sent',
  SENDING: 'it is on its way',
  DELIVERED: 'the answer was 2xx',
  FAILED: 'it did not arrive, and is not sent again',
});

const MESSAGE_TYPE = apiEnum<EventType | 'webhook.test'>('WebhookMessageType', 'What a webhook is told.', {
  'document.available': 'a document can be pulled',
  'connection.status_changed': 'a connection has another status than before',
  'fetch.finished': 'a fetch has come to its end',
  'delivery.failed': 'the last attempt to push a document has failed',
  'endpoint.failing': 'your provisioning URL fails, and documents wait',
  'endpoint.recovered': 'your provisioning URL answers again',
  'webhook.test': 'you asked for a test',
});

@ApiSchema({ description: 'Why an event did not arrive.' })
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

@ApiSchema({ description: 'What became of a test.' })
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

@ApiSchema({ description: 'One event for one webhook.' })
export class WebhookDeliveryView {
  @ApiProperty({ ...UUID, description: 'The entry of the log.' })
  uuid: string;

  @ApiProperty({ ...UUID, description: 'The `webhook-id` it is sent with: the same for every webhook that is told.' })
  webhook_id: string;

  @ApiProperty({
    ...MESSAGE_TYPE,
    description: 'What it tells of.',
    example: 'document.available',
  })
  type: string;

  @ApiProperty({
    ...STATE,
    description: 'How far it has come. `DELIVERED` and `FAILED` are final: nothing is sent twice.',
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
  return { code, message: translate(`webhooks.${code}`, { status: status ?? '' }) };
}
