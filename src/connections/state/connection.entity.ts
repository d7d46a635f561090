import { OptionalProps } from '@mikro-orm/core';
import type { Reason } from '../../integrations/core/reason';
import { currentTraceparent } from '../../platform/request/work-scope';
import { type ConnectionStatus, statusOf } from '../../identities/connection-status';
import { connectionSchema } from './connection-schema';
import { type Health, healthOf, reasonOf } from './connection-state';

/** Links an identity to one integration (spec 2). Status, health and reason are derived from the stored columns. */
export class Connection extends connectionSchema.class {
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
    this.immediateFetchTraceparent = currentTraceparent();
    this.awaitingSuccessSince ??= at;
    this.nextFetchAt = nextFetchAt;
  }

  private unschedule(): void {
    this.nextFetchAt = null;
    this.immediateFetchAt = null;
    this.immediateFetchTrigger = null;
    this.immediateFetchTraceparent = null;
    this.awaitingSuccessSince = null;
    this.overdueSince = null;
  }
}
connectionSchema.setClass(Connection);
