import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { redactUrl } from '../../identities/environments/redact-url';
import { apiEnum } from '../../platform/openapi/api-enum';
import type { ConnectionEventType, DisabledReason, EventType, Webhook } from './webhook.entity';

const CONNECTION_EVENTS: Readonly<Record<ConnectionEventType, string>> = {
  'document.available': 'a document can be pulled (strategy `WEBHOOK`, or larger than the push limit)',
  'connection.status_changed': 'the status of a connection has changed',
  'fetch.finished': 'a fetch has ended',
  'delivery.failed': 'the last attempt to push a document has failed',
  'document.expected_missing':
    'the invoice of a monthly supplier has not come (environments with `expected_documents`)',
};

export const CONNECTION_EVENT_TYPE = apiEnum<ConnectionEventType>(
  'ConnectionWebhookEventType',
  'Event types that the webhook of a connection can receive.',
  CONNECTION_EVENTS,
);

export const EVENT_TYPE = apiEnum<EventType>('WebhookEventType', 'Event types that a webhook can receive.', {
  ...CONNECTION_EVENTS,
  'endpoint.failing':
    'your provisioning URL has failed five times in a row, repeated after 24 and 48 hours (webhooks of the environment only)',
  'endpoint.recovered': 'your provisioning URL has answered 200 again (webhooks of the environment only)',
  'source.requested': 'a user misses a source in the hosted UI (webhooks of the environment only)',
});

const DISABLED_REASON = apiEnum<DisabledReason>('WebhookDisabledReason', 'Why nothing is sent to a webhook.', {
  BY_CLIENT: 'you disabled it',
  FAILING: '50 consecutive events, over a day or longer, could not be delivered',
});

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };
const INSTANT = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' };

@ApiSchema({ description: 'An address to which events are sent.' })
export class WebhookView {
  @ApiProperty({ ...UUID, description: 'The webhook.' })
  uuid: string;

  @ApiProperty({
    ...UUID,
    type: String,
    nullable: true,
    description: 'Set for the webhook of a connection, which receives the events of that connection only.',
    example: null,
  })
  connection_uuid: string | null;

  @ApiProperty({
    format: 'uri',
    description:
      'Where events are sent, without the query parameter `token`, which may be a secret. A request with this value does not change the stored URL.',
    example: 'https://client.example.com/docfetch/events',
  })
  url: string;

  @ApiProperty({
    ...EVENT_TYPE,
    isArray: true,
    description: 'The event types that it receives.',
    example: ['document.available'],
  })
  events: EventType[];

  @ApiProperty({ description: 'Whether events are sent.', example: true })
  enabled: boolean;

  @ApiProperty({
    ...DISABLED_REASON,
    nullable: true,
    description: 'Why nothing is sent; null while it is enabled.',
    example: null,
  })
  disabled_reason: DisabledReason | null;

  @ApiProperty({ ...INSTANT, description: 'When it was registered.' })
  created_at: string;

  @ApiProperty({ ...INSTANT, description: 'When it was last updated.' })
  updated_at: string;
}

@ApiSchema({ description: 'A created or updated registration.' })
export class WebhookSecretView extends WebhookView {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Verifies the signature of events (Standard Webhooks). Shown once, in the response that creates it; null otherwise.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret: string | null;
}

export function webhookView(webhook: Webhook): WebhookView {
  return {
    uuid: webhook.uuid,
    connection_uuid: webhook.connectionUuid ?? null,
    url: redactUrl(webhook.url),
    events: [...webhook.events],
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason ?? null,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

export function webhookSecretView({ webhook, secret }: { webhook: Webhook; secret: string | null }): WebhookSecretView {
  return { ...webhookView(webhook), secret };
}
