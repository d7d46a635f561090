import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../identities/environments/environment.entity';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { type DeliveryError, Transaction } from '../../transactions/record/transaction.entity';
import { AttemptLog } from './attempt-log';
import { CircuitBreaker, type AttemptContext } from '../circuit/circuit-breaker';
import type { Endpoint } from '../circuit/endpoint.entity';
import { deliveryError } from '../shared/delivery-error';
import { CONTENT_UNREADABLE, PUSH_INTERRUPTED, type PushResult } from './push-client';
import type { DueTransaction } from './read-due';
import { MAX_RETRY_AFTER_SECONDS, RetrySchedule } from '../circuit/retry-schedule';
import { DeliveredResultBatcher } from './delivered-result-batcher';

/** Errors of this service: they count as attempts of the document, and not as failures of the endpoint. */
const INTERNAL_ERROR_CODES: readonly string[] = [CONTENT_UNREADABLE, PUSH_INTERRUPTED];

/** Records the result of an attempt and its consequences. Every attempt counts (decisions 6). */
@Injectable()
export class RecordAttemptResult {
  private readonly logger = new Logger(RecordAttemptResult.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly attemptLog: AttemptLog,
    private readonly delivered: DeliveredResultBatcher,
    private readonly circuit: CircuitBreaker,
    private readonly schedule: RetrySchedule,
  ) {}

  /**
   * Returns whether to stop sending to the endpoint: its circuit is open, it has requested a pause, its address has
   * changed, or another worker serves it. A late result is discarded.
   */
  async record(sent: DueTransaction, route: AttemptContext, startedAt: Date, result: PushResult): Promise<boolean> {
    if (result.errorCode !== null)
      return this.recordFailure(sent, route, startedAt, deliveryError(result.errorCode, result.status), result);
    const recorded = await this.delivered.record(sent, route.endpointVersion, startedAt, result);
    if (recorded) this.attemptLog.logDelivered(sent.uuid, recorded, result);
    const late = recorded ? null : await this.recordLateSuccess(sent, startedAt, result);
    if (late === 'due-again') return this.record(sent, route, startedAt, result);
    const stop = recorded?.moved || late === 'recorded-by-another';
    const hadFailed = recorded?.hadFailed ?? true;
    return (hadFailed && (await this.circuit.recordSuccess(this.em, route))) || stop;
  }

  private recordFailure(
    sent: DueTransaction,
    route: AttemptContext,
    startedAt: Date,
    error: DeliveryError,
    result: PushResult,
  ): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      // Before the circuit breaker is updated: a result whose commit was not confirmed is written twice and counts
      // once.
      if (await isRecorded(em, sent)) return true;
      const pause = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
      const isInternal = INTERNAL_ERROR_CODES.includes(error.code);
      const endpoint = isInternal ? null : await this.circuit.recordFailure(em, route, pause, error);
      const stop = !isInternal && this.shouldStop(route, endpoint);
      const transaction = await this.lockTransaction(em, sent);
      if (!transaction) return stop; // deleted meanwhile
      if (error.code === CONTENT_UNREADABLE) {
        this.logger.error(result.internalError, 'The content of a transaction cannot be read');
      }
      if (transaction.attempts !== sent.attempts) return true; // recorded by another worker, which serves the endpoint
      await this.attemptLog.add(em, transaction, startedAt, result);
      if (transaction.dueAt == null) return stop; // acknowledged while it was in flight: the acknowledgement takes precedence
      const wait = this.schedule.secondsUntilNext(
        transaction.attempts - transaction.priorAttempts,
        endpoint ? pause : 0,
      );
      if (wait !== null && !hasExpired(transaction, endpoint)) transaction.scheduleRetry(this.clock.in(wait), error);
      else await this.markFailed(em, transaction, error);
      return stop;
    });
  }

  /** Other documents may be sent only while the endpoint is not blocked; last attempts stop only for a requested pause. */
  private shouldStop({ permission }: AttemptContext, endpoint: Endpoint | null): boolean {
    const now = this.clock.now();
    if (!endpoint) return true; // the address has changed
    return permission === 'last-attempts' ? endpoint.isPaused(now) : endpoint.isBlocked(now);
  }

  /**
   * Records the success of a document that was no longer due: the attempt counts, and the change takes precedence. With
   * `due-again`, the document has become due again since, and the success is to be recorded as usual.
   */
  private recordLateSuccess(
    sent: DueTransaction,
    startedAt: Date,
    result: PushResult,
  ): Promise<'recorded' | 'due-again' | 'recorded-by-another'> {
    return this.em.fork().transactional(async (em) => {
      const transaction = await this.lockTransaction(em, sent);
      if (!transaction) return 'recorded'; // deleted meanwhile
      if (transaction.attempts !== sent.attempts) return 'recorded-by-another';
      if (transaction.dueAt != null) return 'due-again';
      await this.attemptLog.add(em, transaction, startedAt, result); // acknowledged while it was in flight
      return 'recorded';
    });
  }

  /** The content is kept for the full retention from now on, so that it can be redelivered (spec 6). */
  private async markFailed(em: EntityManager, transaction: Transaction, error: DeliveryError): Promise<void> {
    this.attemptLog.recordFinalFailure(em, transaction, error);
    const { retentionDays } = await em.findOneOrFail(Environment, transaction.environmentUuid);
    const keptUntil = this.clock.in(retentionDays * 86_400);
    if (transaction.availableUntil! < keptUntil) transaction.availableUntil = keptUntil;
  }

  private lockTransaction(em: EntityManager, { uuid }: DueTransaction): Promise<Transaction | null> {
    return em.findOne(Transaction, { uuid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }
}

/** Checks whether this attempt, or a later one, has been recorded. */
async function isRecorded(em: EntityManager, { uuid, attempts }: DueTransaction): Promise<boolean> {
  return (await sql(em, 'select from transaction where uuid = $1 and attempts <> $2', [uuid, attempts])).length > 0;
}

/** decisions 6: the document has waited behind the open circuit for too long, so this was its last attempt. */
function hasExpired({ restartedAt, createdAt }: Transaction, endpoint: Endpoint | null): boolean {
  const before = endpoint?.openedAt && endpoint.expireBefore;
  return before != null && (restartedAt ?? createdAt) <= before;
}
