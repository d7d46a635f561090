import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { RetentionClass } from '../../platform/history/retention-class';

/**
 * `WAITING` to be sent; `SENDING` from the moment it is claimed, so that it is never sent twice; then `DELIVERED` (2xx)
 * or `FAILED`, both final (spec 6: failed webhooks are not retried).
 */
export type WebhookDeliveryState = 'WAITING' | 'SENDING' | 'DELIVERED' | 'FAILED';

const schema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** That of the environment when the event was dispatched. */
    retentionClass: p.string().$type<RetentionClass>(),
    webhookUuid: p.uuid(),
    /** The event in the outbox; null for a test. */
    eventUuid: p.uuid().nullable(),
    type: p.text(),
    state: p.string().$type<WebhookDeliveryState>(),
    /** Sent again on request. */
    resent: p.boolean().default(false),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
    durationMs: p.integer().nullable(),
    /** HTTP status; null without a response. */
    status: p.integer().nullable(),
    /** Null: the client answered 2xx, or the result is not known yet. */
    errorCode: p.text().nullable(),
    /** The first KiB of the response. */
    responseExcerpt: p.text().nullable(),
    /** That of the event; of one that is sent again, that of the request. */
    traceparent: p.text().nullable(),
    linkedTraceparent: p.text().nullable(),
  },
});

/** One event for one registration: the queue entry, and later its entry in the log. */
export class WebhookDelivery extends schema.class {
  [OptionalProps]?: 'messageId';

  /** The `webhook-id` it is sent with: the same for every registration that receives the event. */
  get messageId(): string {
    return this.eventUuid ?? this.uuid;
  }
}
schema.setClass(WebhookDelivery);
