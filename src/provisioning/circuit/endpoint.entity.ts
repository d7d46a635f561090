import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryError } from '../../transactions/record/transaction.entity';

/** decisions 6: failures in a row that open the circuit. */
export const FAILURES_TO_OPEN = 5;
/** decisions 6: seconds between the opening and the first trial; doubled by each trial that fails, up to … */
export const FIRST_TRIAL_SECONDS = 30;
/** … this many. */
export const MAX_TRIAL_SECONDS = 4 * 3600;
/** For this many seconds after it has recovered, an endpoint receives its backlog at a bounded rate … */
export const CATCH_UP_SECONDS = 900;
/** … of this many documents per second from each worker that serves it: there is one at a time. */
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
    /** The first of the failures in a row; null after a success. */
    failingSince: p.datetime(3).nullable(),
    /** Null: the circuit is closed. */
    openedAt: p.datetime(3).nullable(),
    /** Trials that have failed since it opened. */
    failedTrials: p.integer().default(0),
    /** Nothing is sent before; afterwards one document as a trial. Null: nothing holds it back. */
    heldUntil: p.datetime(3).nullable(),
    /** The pause that the endpoint has asked for (`Retry-After`); it holds whatever else the endpoint answers. */
    askedUntil: p.datetime(3).nullable(),
    /** Until then the backlog is sent at a bounded rate: the endpoint has only just recovered. */
    catchUpUntil: p.datetime(3).nullable(),
    /** How many `endpoint.failing` events have been recorded since the circuit opened. */
    failingEvents: p.integer().default(0),
    /** Documents whose delivery began before have waited behind the open circuit for too long. Null: none has. */
    expireBefore: p.datetime(3).nullable(),
    lastError: p.json<DeliveryError>().nullable(),
    /** Its last answer came at once: while it does not fail, it has a part in the places that are kept for such endpoints. */
    prompt: p.boolean().default(false),
  },
});

/** How the provisioning URL of an environment behaves (decisions 6): the state machine of its circuit. No row: no failure so far. */
export class Endpoint extends schema.class {
  circuit(now: Date): CircuitState {
    if (!this.openedAt) return 'CLOSED';
    return this.isBlocked(now) ? 'OPEN' : 'HALF_OPEN';
  }

  isBlocked(now: Date): boolean {
    return this.heldUntil != null && this.heldUntil > now;
  }

  isPaused(now: Date): boolean {
    return this.askedUntil != null && this.askedUntil > now;
  }

  /**
   * Records a failed attempt, and the pause in seconds that came with it (0: none). Answers whether this opens the circuit.
   * What was in flight when the circuit opened, or when a pause began, counts as no further failure: eight refusals at
   * once are one.
   */
  recordFailure(now: Date, pauseSeconds: number, error: DeliveryError): boolean {
    const inFlight = this.isBlocked(now);
    this.lastError = error;
    this.failingSince ??= now;
    if (pauseSeconds > 0) this.askedUntil = latest(this.askedUntil, after(now, pauseSeconds));
    let trialAt = inFlight ? this.heldUntil : null;
    let opens = false;
    if (!inFlight) {
      this.consecutiveFailures++;
      opens = !this.openedAt && this.consecutiveFailures >= FAILURES_TO_OPEN;
      if (this.openedAt) this.failedTrials++;
      if (opens) Object.assign(this, { openedAt: now, failedTrials: 0, failingEvents: 0, expireBefore: null });
      if (this.openedAt) trialAt = after(now, secondsToTrial(this.failedTrials));
    }
    const paused = this.isPaused(now) ? this.askedUntil : null;
    this.heldUntil = latest(paused, trialAt);
    return opens;
  }

  /** Records a delivered document: closes the circuit. A pause that the endpoint has asked for still holds. */
  recordSuccess(now: Date): void {
    const paused = this.isPaused(now) ? this.askedUntil : null;
    if (this.heldUntil && !paused) this.catchUpUntil = after(now, CATCH_UP_SECONDS);
    Object.assign(this, {
      consecutiveFailures: 0,
      failingSince: null,
      openedAt: null,
      failedTrials: 0,
      heldUntil: paused,
      askedUntil: paused,
      failingEvents: 0,
      expireBefore: null,
      lastError: null,
    });
  }
}
schema.setClass(Endpoint);

/** From a failure to the next trial, in seconds, when this many trials have failed since the circuit opened. */
export function secondsToTrial(failedTrials: number): number {
  return Math.min(FIRST_TRIAL_SECONDS * 2 ** failedTrials, MAX_TRIAL_SECONDS);
}

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);

function latest(a: Date | null | undefined, b: Date | null | undefined): Date | null {
  if (!a || !b) return a ?? b ?? null;
  return a > b ? a : b;
}
