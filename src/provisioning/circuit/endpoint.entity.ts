import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryError } from '../../transactions/record/transaction.entity';

/** decisions 6: consecutive failures that open the circuit. */
export const FAILURES_TO_OPEN = 5;
/** decisions 6: seconds between the opening and the first trial; doubled after each failed trial. */
export const FIRST_TRIAL_SECONDS = 30;
/** Upper limit of the seconds between two trials. */
export const MAX_TRIAL_SECONDS = 4 * 3600;
/** For this many seconds after it has recovered, an endpoint receives its backlog at a bounded rate. */
export const CATCH_UP_SECONDS = 900;
/** Documents per second during this time from each worker that serves the endpoint; there is one at a time. */
export const CATCH_UP_PER_SECOND = 50;

/**
 * `CLOSED`: documents are sent as they become due. `OPEN`: none is sent but the last attempts of documents that have waited for 72
 * hours. `HALF_OPEN`: one at a time is sent as a trial, whose outcome closes the circuit or opens it for a longer time.
 */
export const CIRCUIT_STATES = ['CLOSED', 'OPEN', 'HALF_OPEN'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

const schema = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  properties: {
    environmentUuid: p.uuid().primary(),
    consecutiveFailures: p.integer().default(0),
    /** The first consecutive failure; null after a success. */
    failingSince: p.datetime(3).nullable(),
    /** Null: the circuit is closed. */
    openedAt: p.datetime(3).nullable(),
    /** Trials that have failed since it opened. */
    failedTrials: p.integer().default(0),
    /** Nothing is sent before this time; afterwards one document as a trial. Null: not blocked. */
    circuitOpenUntil: p.datetime(3).nullable(),
    /** End of the pause that the endpoint has requested (`Retry-After`); it applies regardless of later responses. */
    retryAfterUntil: p.datetime(3).nullable(),
    /** Until then the backlog is sent at a bounded rate, because the endpoint has just recovered. */
    catchUpUntil: p.datetime(3).nullable(),
    /** How many `endpoint.failing` events have been recorded since the circuit opened. */
    failingEvents: p.integer().default(0),
    /**
     * Documents whose delivery began at this time or before have waited behind the open circuit for too long. Null:
     * none has.
     */
    expireBefore: p.datetime(3).nullable(),
    lastError: p.json<DeliveryError>().nullable(),
    /**
     * The last response was prompt: while it does not fail, the endpoint is served from the queue reserved for such
     * endpoints.
     */
    prompt: p.boolean().default(false),
  },
});

/** State machine of the circuit of an environment's provisioning URL (decisions 6). No row: no failure so far. */
export class Endpoint extends schema.class {
  circuit(now: Date): CircuitState {
    if (!this.openedAt) return 'CLOSED';
    return this.isBlocked(now) ? 'OPEN' : 'HALF_OPEN';
  }

  isBlocked(now: Date): boolean {
    return this.circuitOpenUntil != null && this.circuitOpenUntil > now;
  }

  isPaused(now: Date): boolean {
    return this.retryAfterUntil != null && this.retryAfterUntil > now;
  }

  /**
   * Records a failed attempt and the pause in seconds that was requested with it (0: none). Returns whether this opens
   * the circuit. Requests that were in flight when the circuit opened, or when a pause began, count as no further
   * failure: eight concurrent refusals are one.
   */
  recordFailure(now: Date, pauseSeconds: number, error: DeliveryError): boolean {
    const inFlight = this.isBlocked(now);
    this.lastError = error;
    this.failingSince ??= now;
    if (pauseSeconds > 0) this.retryAfterUntil = latest(this.retryAfterUntil, after(now, pauseSeconds));
    let trialAt = inFlight ? this.circuitOpenUntil : null;
    let opens = false;
    if (!inFlight) {
      this.consecutiveFailures++;
      opens = !this.openedAt && this.consecutiveFailures >= FAILURES_TO_OPEN;
      if (this.openedAt) this.failedTrials++;
      if (opens) Object.assign(this, { openedAt: now, failedTrials: 0, failingEvents: 0, expireBefore: null });
      if (this.openedAt) trialAt = after(now, secondsToTrial(this.failedTrials));
    }
    const paused = this.isPaused(now) ? this.retryAfterUntil : null;
    this.circuitOpenUntil = latest(paused, trialAt);
    return opens;
  }

  /** Allows the next trial now, or after the pause that the endpoint has requested, and resets the intervals. */
  allowTrial(now: Date): void {
    if (!this.openedAt) return;
    this.failedTrials = 0;
    this.circuitOpenUntil = latest(now, this.retryAfterUntil);
  }

  /** Records a delivered document: closes the circuit. A pause that the endpoint has requested still applies. */
  recordSuccess(now: Date): void {
    const paused = this.isPaused(now) ? this.retryAfterUntil : null;
    if (this.circuitOpenUntil && !paused) this.catchUpUntil = after(now, CATCH_UP_SECONDS);
    Object.assign(this, {
      consecutiveFailures: 0,
      failingSince: null,
      openedAt: null,
      failedTrials: 0,
      circuitOpenUntil: paused,
      retryAfterUntil: paused,
      failingEvents: 0,
      expireBefore: null,
      lastError: null,
    });
  }
}
schema.setClass(Endpoint);

/** Seconds from a failure to the next trial, for the number of trials that have failed since the circuit opened. */
export function secondsToTrial(failedTrials: number): number {
  return Math.min(FIRST_TRIAL_SECONDS * 2 ** failedTrials, MAX_TRIAL_SECONDS);
}

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);

function latest(a: Date | null | undefined, b: Date | null | undefined): Date | null {
  if (!a || !b) return a ?? b ?? null;
  return a > b ? a : b;
}
