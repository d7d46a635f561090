import { defineEntity, OptionalProps, p } from '@mikro-orm/core';
import type { FieldSpec, Localized } from '../../integrations/core/field';
import type { TrustedFingerprints } from '../../integrations/core/server-trust';
import type { Reason } from '../../integrations/core/reason';
import type { Json } from '../../integrations/core/source-document';
import { EncryptedType } from '../../platform/crypto/encrypted';
import { type ConnectionStatus, statusOf } from '../../identities/connection-status';
import { type Health, healthOf, type Input, type LastFetch, reasonOf } from './connection-state';

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
    /** Step-1 secrets by field id, encrypted with the connection's data key. */
    secrets: p.type(EncryptedType).nullable(),
    step2: p.json<Input>(),
    /** Field definitions of the second step at the time it was saved, for `/information`. */
    step2Fields: p.json<readonly FieldSpec[]>().name('step2_fields'),
    /** Labels of the selected options, by field id and value: `/information` does not call the provider. */
    displayValues: p.json<Readonly<Record<string, Readonly<Record<string, Localized | string>>>>>(),
    /** Fingerprints of certificates and host keys that the user accepted, by `host:port`. */
    trustedFingerprints: p.json<TrustedFingerprints>().nullable(),
    startdate: p.date().nullable(),
    /** The day it was migrated (UTC): `startdate` is never earlier. Null for connections that were created. */
    migratedOn: p.date().nullable(),
    /** The provider's account; new credentials of another account are rejected. */
    accountId: p.text().nullable(),
    accountDisplay: p.text().nullable(),
    /** The address of an integration that receives mails, in lower case. It never changes. */
    inboxAddress: p.text().nullable(),
    /** The number of mails received for it, which numbers them. */
    receivedMails: p.bigint('number').default(0),
    /** Where the next listing resumes. Only the connector interprets it. */
    cursor: p.json<Json>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    setupCompletedAt: p.datetime(3).nullable(),
    /** When the provider first rejected the credentials; a second rejection, at least a minute later, is definitive. */
    credentialsSuspectAt: p.datetime(3).nullable(),
    credentialsRejectedAt: p.datetime(3).nullable(),
    /** Since when fetches have been failing, and why. */
    failingSince: p.datetime(3).nullable(),
    failureReason: p.string().$type<Reason>().nullable(),
    consecutiveFailures: p.integer(),
    lastSuccessAt: p.datetime(3).nullable(),
    /**
     * Since when the next success is awaited: the beginning of fetching, or the last success before the last claim of a fetch; the
     * later of this and `lastSuccessAt` counts. Null while not active.
     */
    awaitingSuccessSince: p.datetime(3).nullable(),
    /** Set by `StalenessMonitor` when no fetch has succeeded for three intervals. */
    overdueSince: p.datetime(3).nullable(),
    /** When the next scheduled fetch is due; null while the connection is not active. */
    nextFetchAt: p.datetime(3).nullable(),
    /** When a fetch outside the schedule is due: the first one, the catch-up after a recovery or enabling, or that of a received mail. */
    immediateFetchAt: p.datetime(3).nullable(),
    immediateFetchTrigger: p.string().$type<'INITIAL' | 'RECOVERY' | 'SCHEDULED'>().nullable(),
    /** The lease of the running fetch: a worker that was taken for dead and continues finds another worker's token here. */
    leaseToken: p.uuid().nullable(),
    /** By the clock of the database. A worker that still runs the fetch renews it in time. */
    leasedUntil: p.datetime(3).nullable(),
    /** First day of the month in which it was last counted as used. */
    countedMonth: p.date().nullable(),
    /** The latest fetch: its result, or that it is queued or running. */
    lastFetch: p.json<LastFetch>().nullable(),
    /** Number of documents that could not be read; maintained by the module `fetches`. */
    failedDocuments: p.integer(),
    /** The webhook of this connection, if it has one. */
    webhookUuid: p.uuid().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Links an identity to one integration (spec 2). Status, health and reason are derived from the stored columns. */
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
    this.unschedule();
  }

  /** Restores the status that the connection would have had; an active connection is fetched immediately. */
  enable(now: Date, nextFetchAt: Date): void {
    if (!this.disabledAt) return;
    this.disabledAt = null;
    if (this.isActive) this.scheduleImmediately('RECOVERY', now, nextFetchAt);
  }

  /** An earlier start date resets the cursor: the source is listed again, and deduplication skips known documents. */
  startFrom(startdate: string | null): void {
    const earlier = this.startdate != null && (startdate === null || startdate < this.startdate);
    if (earlier) this.cursor = null;
    this.startdate = startdate;
  }

  /** The user has not authorized us at the provider yet. */
  awaitAuthorization(now: Date): void {
    this.failingSince = now;
    this.failureReason = 'AUTHORIZATION_PENDING';
  }

  /** The selection requires scopes that the user has not granted; fetching continues with the granted ones. */
  markScopesMissing(now: Date): void {
    this.failingSince ??= now;
    this.failureReason = 'SCOPE_MISSING';
  }

  /** Completes the setup: an active connection gets its first fetch immediately and starts its schedule. */
  completeSetup(now: Date, nextFetchAt: Date): void {
    this.setupCompletedAt = now;
    if (this.isActive) this.scheduleImmediately('INITIAL', now, nextFetchAt);
  }

  /** A fetch succeeded: clears the failure state. */
  fetchSucceeded(now: Date, nextFetchAt: Date): void {
    this.credentialsSuspectAt = null;
    this.failingSince = null;
    this.failureReason = null;
    this.consecutiveFailures = 0;
    this.lastSuccessAt = now;
    this.awaitingSuccessSince = this.isActive ? now : null;
    this.overdueSince = null;
    this.nextFetchAt = this.isActive ? nextFetchAt : null;
  }

  /** A fetch failed for a reason other than rejected credentials: the next one is due at `retryAt`. */
  fetchFailed(reason: Reason, now: Date, retryAt: Date): void {
    this.failingSince ??= now;
    // `SCOPE_MISSING` is the more specific reason for a request that the provider denies.
    const isLessSpecific = this.failureReason === 'SCOPE_MISSING' && reason === 'PERMISSION_MISSING';
    if (!isLessSpecific) this.failureReason = reason;
    this.consecutiveFailures += 1;
    this.nextFetchAt = this.isActive ? retryAt : null;
  }

  /**
   * The provider rejected the credentials. Returns true and sets the status if this confirms a first rejection at least
   * `confirmSeconds` earlier; until then the connection stays active and is retried.
   */
  credentialsRejected(reason: Reason, now: Date, confirmSeconds: number): boolean {
    this.failingSince ??= now;
    this.failureReason = reason;
    this.credentialsSuspectAt ??= now;
    if (now.getTime() - this.credentialsSuspectAt.getTime() < confirmSeconds * 1000) return false;
    this.credentialsRejectedAt = now;
    this.unschedule();
    return true;
  }

  /** The cause of the failure is fixed: clears the failure state; an active connection is fetched immediately from the old cursor. */
  recovered(now: Date, nextFetchAt: Date): void {
    this.credentialsSuspectAt = null;
    this.credentialsRejectedAt = null;
    this.failingSince = null;
    this.failureReason = null;
    this.consecutiveFailures = 0;
    if (this.isActive) this.scheduleImmediately('RECOVERY', now, nextFetchAt);
  }

  endLease(): void {
    this.leaseToken = null;
    this.leasedUntil = null;
  }

  private scheduleImmediately(trigger: 'INITIAL' | 'RECOVERY', at: Date, nextFetchAt: Date): void {
    this.immediateFetchAt = at;
    this.immediateFetchTrigger = trigger;
    this.awaitingSuccessSince ??= at;
    this.nextFetchAt = nextFetchAt;
  }

  private unschedule(): void {
    this.nextFetchAt = null;
    this.immediateFetchAt = null;
    this.immediateFetchTrigger = null;
    this.awaitingSuccessSince = null;
    this.overdueSince = null;
  }
}
schema.setClass(Connection);
