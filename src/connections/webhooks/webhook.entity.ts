import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import { EncryptedType } from '../../platform/crypto/encrypted';

/** Events about one connection (decisions 6). The first one is the default of a webhook. */
export const CONNECTION_EVENT_TYPES = [
  'document.available',
  'connection.status_changed',
  'fetch.finished',
  'delivery.failed',
  'document.expected_missing',
] as const;
export type ConnectionEventType = (typeof CONNECTION_EVENT_TYPES)[number];

/** All events. Those about the whole environment are available only to webhooks of the environment. */
export const EVENT_TYPES = [
  ...CONNECTION_EVENT_TYPES,
  'endpoint.failing',
  'endpoint.recovered',
  'source.requested',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Why a webhook is disabled: by the client, or because its endpoint has failed for too long. */
export type DisabledReason = 'BY_CLIENT' | 'FAILING';

/** A webhook is disabled after this number of consecutive failures (decisions 6 leaves both limits open) … */
export const FAILURES_TO_DISABLE = 50;
/** … if the first of them is at least this many seconds ago. */
export const FAILING_SECONDS_TO_DISABLE = 24 * 3600;

const schema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** Null: it receives the events of the whole environment. */
    connectionUuid: p.uuid().nullable(),
    url: p.text(),
    events: p.json<readonly EventType[]>(),
    /** `SigningSecret[]`, newest first; `webhook-secrets.ts` encrypts and decrypts them. */
    secrets: p.type(EncryptedType),
    disabledAt: p.datetime(3).nullable(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    /** Number of consecutive failed deliveries, and since when. */
    consecutiveFailures: p.integer(),
    failingSince: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** An address that receives the events of an environment or of one connection. */
export class Webhook extends schema.class {
  [OptionalProps]?: 'enabled';

  get enabled(): boolean {
    return this.disabledAt == null;
  }

  /** Enables it and resets its failures. */
  enable(): void {
    this.disabledAt = null;
    this.disabledReason = null;
    this.consecutiveFailures = 0;
    this.failingSince = null;
  }

  disable(now: Date, reason: DisabledReason): void {
    this.disabledAt ??= now;
    this.disabledReason ??= reason;
  }
}
schema.setClass(Webhook);
