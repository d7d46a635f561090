import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { FieldSpec, Localized } from '../../integrations/core/field';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { Reason } from '../../integrations/core/source-errors';
import type { Json } from '../../integrations/core/source-document';
import { EncryptedType } from '../../platform/crypto/encrypted';
import {
  type ConnectionStatus,
  type Health,
  healthOf,
  type Input,
  type LastFetch,
  reasonOf,
  statusOf,
} from './connection-facts';

const schema = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  properties: {
    uuid: p.uuid().primary(),
    environmentUuid: p.uuid(),
    identityUuid: p.uuid(),
    integrationId: p.text(),
    name: p.text(),
    /** Step-1 input without secrets. */
    settings: p.json<Input>(),
    /** Step-1 secrets by field id; opened with the connection's data key. */
    secrets: p.type(EncryptedType).nullable(),
    step2: p.json<Input>(),
    /** The second step's fields as they were when it was saved, for `/information`. */
    step2Fields: p.json<readonly FieldSpec[]>().name('step2_fields'),
    /** Labels of chosen options, by field id and value: `/information` makes no live call. */
    displayValues: p.json<Readonly<Record<string, Readonly<Record<string, Localized | string>>>>>(),
    /** Fingerprints of certificates and host keys that the user accepted, by `host:port`. */
    pins: p.json<TrustedFingerprints>().nullable(),
    startdate: p.date().nullable(),
    /** The day it was migrated (UTC): `startdate` is never earlier. Null for connections that were created. */
    migratedOn: p.date().nullable(),
    /** The provider's account; mending with another one is refused. */
    accountId: p.text().nullable(),
    accountDisplay: p.text().nullable(),
    /** Where the next listing goes on. Belongs to the connector. */
    cursor: p.json<Json>().nullable(),

    disabledAt: p.datetime(3).nullable(),
    setupCompletedAt: p.datetime(3).nullable(),
    /** The provider's first no; a second one at least a minute later makes it definitive. */
    credentialsDoubtedAt: p.datetime(3).nullable(),
    credentialsRejectedAt: p.datetime(3).nullable(),
    /** Since when fetches have failed, and why. */
    failingSince: p.datetime(3).nullable(),
    failureReason: p.string().$type<Reason>().nullable(),
    consecutiveFailures: p.integer(),
    lastSuccessAt: p.datetime(3).nullable(),
    /** Since when the next success has been awaited: the last one, or the beginning of fetching. Null while it is not active. */
    waitingSince: p.datetime(3).nullable(),
    /** The watchdog's word: since when no fetch has succeeded for three intervals. */
    overdueSince: p.datetime(3).nullable(),
    /** The calendar: when the next scheduled fetch is due; null while the connection is not active. */
    nextFetchAt: p.datetime(3).nullable(),
    /** A fetch outside the schedule is wanted from then on: the first one, or the catch-up after mending or enabling. */
    wantedFetchAt: p.datetime(3).nullable(),
    wantedFetchTrigger: p.string().$type<'INITIAL' | 'RECOVERY'>().nullable(),
    /** The first day of the month in which it was last counted as used. */
    countedMonth: p.date().nullable(),
    /** How the latest fetch ended, or that it runs. */
    lastFetch: p.json<LastFetch>().nullable(),
    /** How many documents could not be read so far; kept by the fetches. */
    failedDocuments: p.integer(),

    /** Its own webhook, if it has one. */
    webhookUuid: p.uuid().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Links an identity to one integration (spec 2). Facts are stored; status, health and reason are derived from them. */
export class Connection extends schema.class {
  [OptionalProps]?: 'status' | 'isActive' | 'health' | 'reason';

  get status(): ConnectionStatus {
    return statusOf(this);
  }

  get isActive(): boolean {
    return this.status === 'ACTIVE';
  }

  get health(): Health {
    return healthOf(this);
  }

  get reason(): { code: Reason; since: Date } | null {
    return reasonOf(this);
  }

  disable(now: Date): void {
    this.disabledAt ??= now;
    this.leaveCalendar();
  }

  /** Back to what it would be without the disabling; an active connection catches up at once. */
  enable(now: Date, nextFetchAt: Date): void {
    if (!this.disabledAt) return;
    this.disabledAt = null;
    if (this.isActive) this.want('RECOVERY', now, nextFetchAt);
  }

  /** An earlier start date brings up what lies before it: the source is listed anew, de-duplication absorbs the rest. */
  startFrom(startdate: string | null): void {
    const earlier = this.startdate != null && (startdate === null || startdate < this.startdate);
    if (earlier) this.cursor = null;
    this.startdate = startdate;
  }

  /** The user has still to authorise us at the provider. */
  awaitAuthorization(now: Date): void {
    this.failingSince = now;
    this.failureReason = 'AUTHORIZATION_PENDING';
  }

  /** What was chosen needs more than the user has granted; what else there is goes on being fetched. */
  lackScopes(now: Date): void {
    this.failingSince ??= now;
    this.failureReason = 'SCOPE_MISSING';
  }

  /** Everything is there to fetch: the first fetch is wanted now, the schedule begins. */
  setUp(now: Date, nextFetchAt: Date): void {
    this.setupCompletedAt = now;
    if (this.isActive) this.want('INITIAL', now, nextFetchAt);
  }

  /** A fetch has gone through: whatever was wrong is over. */
  succeeded(now: Date, nextFetchAt: Date): void {
    this.credentialsDoubtedAt = null;
    this.failingSince = null;
    this.failureReason = null;
    this.consecutiveFailures = 0;
    this.lastSuccessAt = now;
    this.waitingSince = this.isActive ? now : null;
    this.overdueSince = null;
    this.nextFetchAt = this.isActive ? nextFetchAt : null;
  }

  /** A fetch has failed for a reason that does not cost the connection: try again at `retryAt`. */
  failed(reason: Reason, now: Date, retryAt: Date): void {
    this.failingSince ??= now;
    // The provider refuses what the user has not granted: that was known, and more exactly.
    const isKnown = this.failureReason === 'SCOPE_MISSING' && reason === 'PERMISSION_MISSING';
    if (!isKnown) this.failureReason = reason;
    this.consecutiveFailures += 1;
    this.nextFetchAt = this.isActive ? retryAt : null;
  }

  /**
   * The provider has definitively refused the credentials. True when this is the confirmation, at least
   * `confirmSeconds` after the first refusal; until then the connection stays what it was and tries again.
   */
  credentialsRefused(reason: Reason, now: Date, confirmSeconds: number): boolean {
    this.failingSince ??= now;
    this.failureReason = reason;
    this.credentialsDoubtedAt ??= now;
    if (now.getTime() - this.credentialsDoubtedAt.getTime() < confirmSeconds * 1000) return false;
    this.credentialsRejectedAt = now;
    this.leaveCalendar();
    return true;
  }

  /** New credentials have passed: active again, with an immediate catch-up from the old cursor. */
  mended(now: Date, nextFetchAt: Date): void {
    this.credentialsDoubtedAt = null;
    this.credentialsRejectedAt = null;
    this.failingSince = null;
    this.failureReason = null;
    this.consecutiveFailures = 0;
    if (this.isActive) this.want('RECOVERY', now, nextFetchAt);
  }

  private want(trigger: 'INITIAL' | 'RECOVERY', at: Date, nextFetchAt: Date): void {
    this.wantedFetchAt = at;
    this.wantedFetchTrigger = trigger;
    this.waitingSince ??= at;
    this.nextFetchAt = nextFetchAt;
  }

  private leaveCalendar(): void {
    this.nextFetchAt = null;
    this.wantedFetchAt = null;
    this.wantedFetchTrigger = null;
    this.waitingSince = null;
    this.overdueSince = null;
  }
}
schema.setClass(Connection);

/** What the secrets of a connection are sealed for. */
export const STEP1_SECRETS = 'connection.step1-secrets';
