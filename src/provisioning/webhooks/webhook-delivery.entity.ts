import { defineEntity, OptionalProps, p } from '@mikro-orm/core';

/**
 * `WAITING` to be sent; `SENDING` from the moment it is taken, so that it is never sent twice; then `DELIVERED` (2xx) or
 * `FAILED`, both for good (spec 6: failed webhooks are not retried).
 */
export type WebhookDeliveryState = 'WAITING' | 'SENDING' | 'DELIVERED' | 'FAILED';

const schema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    uuid: p.uuid().primary(),
    webhookUuid: p.uuid(),
    /** The fact in the outbox; null for a test. */
    eventUuid: p.uuid().nullable(),
    type: p.text(),
    state: p.string().$type<WebhookDeliveryState>(),
    /** Sent once more on request. */
    resent: p.boolean().default(false),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
    durationMs: p.integer().nullable(),
    /** HTTP status; null when no answer came. */
    status: p.integer().nullable(),
    /** Null: the client answered 2xx, or the outcome is still to come. */
    errorCode: p.text().nullable(),
    /** The first KiB of the answer. */
    responseExcerpt: p.text().nullable(),
  },
});

/** One event for one registration: what waits to be sent, and the log of what was. */
export class WebhookDelivery extends schema.class {
  [OptionalProps]?: 'messageId';

  /** The `webhook-id` that it is sent with: the same for every registration that hears of the event. */
  get messageId(): string {
    return this.eventUuid ?? this.uuid;
  }
}
schema.setClass(WebhookDelivery);
