import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { SigningSecret } from '../../identities/environments/environment.entity';
import { EncryptedType } from '../../platform/crypto/encrypted';

/** Events about one connection (decisions 6); the first one is what a webhook hears of unless it asks for others. */
export const CONNECTION_EVENT_TYPES = [
  'document.available',
  'connection.status_changed',
  'fetch.finished',
  'delivery.failed',
] as const;
export type ConnectionEventType = (typeof CONNECTION_EVENT_TYPES)[number];

/** All events: the others are about the whole environment, so only its own webhooks can ask for them. */
export const EVENT_TYPES = [...CONNECTION_EVENT_TYPES, 'endpoint.failing', 'endpoint.recovered'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Why nothing is sent: the client wants it so, or its endpoint has failed for too long. */
export type DisabledReason = 'BY_CLIENT' | 'FAILING';

/** decisions 6 leaves both open: an endpoint is disabled after so many failures in a row … */
export const FAILURES_TO_DISABLE = 50;
/** … when the first of them lies at least so many seconds back. */
export const FAILING_SECONDS_TO_DISABLE = 24 * 3600;

/** A replaced secret goes on signing beside its successor for so long. */
export const SECRET_OVERLAP_SECONDS = 24 * 3600;
/** More secrets than this never sign at the same time: the oldest one goes. */
const SECRETS_AT_ONCE = 3;

const schema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    /** Null: it hears of everything in the environment. */
    connectionUuid: p.uuid().nullable(),
    url: p.text(),
    events: p.json<readonly EventType[]>(),
    /** `SigningSecret[]`, newest first; `webhook-secrets.ts` seals and opens them. */
    secrets: p.type(EncryptedType),
    /** Whether the secrets are sealed for this row alone; those of older versions are not, until they are sealed again. */
    secretsBound: p.boolean(),
    disabledAt: p.datetime(3).nullable(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    /** Notifications in a row that did not arrive, and since when. */
    consecutiveFailures: p.integer(),
    failingSince: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Where a client wants to be told of events: of a whole environment, or of one connection. */
export class Webhook extends schema.class {
  [OptionalProps]?: 'enabled';

  get enabled(): boolean {
    return this.disabledAt == null;
  }

  /** Begins anew: what failed before counts no more. */
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

/** The secrets once a new one has taken over: the others retire after the overlap, those that have retired are gone. */
export function rotated(secrets: readonly SigningSecret[], secret: string, now: Date): SigningSecret[] {
  const retiresAt = new Date(now.getTime() + SECRET_OVERLAP_SECONDS * 1000).toISOString();
  const old = secrets
    .filter((known) => known.retiresAt === null || new Date(known.retiresAt) > now)
    .map((known) => ({ secret: known.secret, retiresAt: known.retiresAt ?? retiresAt }));
  return [{ secret, retiresAt: null }, ...old].slice(0, SECRETS_AT_ONCE);
}
