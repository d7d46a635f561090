import type { Webhook, WebhookDelivery, WebhookEventType } from '@docfetch/sdk';
import type { BadgeTone } from '../../components/badge';

/** Those that the webhook of one connection can receive come first. */
const OF_CONNECTIONS: readonly WebhookEventType[] = [
  'document.available',
  'connection.status_changed',
  'fetch.finished',
  'delivery.failed',
  'document.expected_missing',
];
export const EVENT_TYPES: readonly WebhookEventType[] = [
  ...OF_CONNECTIONS,
  'endpoint.failing',
  'endpoint.recovered',
  'source.requested',
];

/** The events that a webhook may receive: that of a connection receives none about the whole environment. */
export const eventTypesOf = (webhook: Pick<Webhook, 'connection_uuid'> | null): readonly WebhookEventType[] =>
  webhook?.connection_uuid ? OF_CONNECTIONS : EVENT_TYPES;

export const DELIVERY_TONES: Readonly<Record<WebhookDelivery['state'], BadgeTone>> = {
  WAITING: 'wait',
  SENDING: 'wait',
  DELIVERED: 'good',
  FAILED: 'bad',
};
