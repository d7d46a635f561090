import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { SigningSecret } from '../../identities/environments/environment.entity';
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

/** A replaced secret also signs, next to its successor, for this long. */
export const SECRET_OVERLAP_SECONDS = 24 * 3600;
/** Maximum secrets that sign at the same time; the oldest one is removed. */
const MAX_SECRETS = 3;

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

/** Adds a new secret: the others retire after `SECRET_OVERLAP_SECONDS`, and retired ones are removed. */
export function rotateSecrets(secrets: readonly SigningSecret[], secret: string, now: Date): SigningSecret[] {
  const retiresAt = new Date(now.getTime() + SECRET_OVERLAP_SECONDS * 1000).toISOString();
  const old = secrets
    .filter((known) => known.retiresAt === null || new Date(known.retiresAt) > now)
    .map((known) => ({ secret: known.secret, retiresAt: known.retiresAt ?? retiresAt }));
  return [{ secret, retiresAt: null }, ...old].slice(0, MAX_SECRETS);
}
