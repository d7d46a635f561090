import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Environment } from '../identities/environment.entity';
import { Clock } from '../platform/clock';
import { Outbox } from '../platform/outbox/outbox';
import { type DeliveryError, Transaction } from '../transactions/transaction.entity';
import { Attempt } from './attempt.entity';
import { isFreeProbe, noteOutcome, type Route } from './breaker';
import { CountDeliveries } from './count-deliveries';
import { deliveryError } from './delivery-error';
import { CONTENT_UNREADABLE, type PushResult } from './push';
import type { DueTransaction } from './read-due';
import { LONGEST_RETRY_AFTER, secondsUntilNext } from './retry-schedule';
import { SettleDelivered } from './settle-delivered';

/** Writes down how an attempt ended, and what follows from it. */
@Injectable()
export class SettleAttempt {
  private readonly logger = new Logger(SettleAttempt.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly count: CountDeliveries,
    private readonly delivered: SettleDelivered,
  ) {}

  /**
   * Answers whether to leave the endpoint alone: it is held back, it has moved, or another worker drains it. A late result
   * is discarded.
   */
  async run(sent: DueTransaction, route: Route, startedAt: Date, result: PushResult): Promise<boolean> {
    const delivered =
      result.errorCode === null ? await this.delivered.run(sent, route.addressVersion, startedAt, result) : null;
    if (!delivered) return this.settle(sent, route, startedAt, result);
    this.tell(sent.uuid, delivered.number, result);
    return delivered.leave;
  }

  private settle(
    sent: DueTransaction,
    { addressVersion, through }: Route,
    startedAt: Date,
    result: PushResult,
  ): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const now = this.clock.now();
      const { environmentUuid } = sent;
      const asked = Math.min(result.retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER);
      const standing =
        result.errorCode === CONTENT_UNREADABLE
          ? 'open'
          : await noteOutcome(em, { environmentUuid, addressVersion }, result.errorCode === null, asked, now);
      const leave = standing !== 'open';
      const transaction = await em.findOne(Transaction, { uuid: sent.uuid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!transaction) return leave; // deleted meanwhile
      if (result.errorCode === CONTENT_UNREADABLE) {
        this.logger.error(result.ownFault, `The content of transaction ${sent.uuid} cannot be read`);
      }
      // Somebody else has settled this attempt: not ours to change, and the endpoint is not ours to drain any more.
      if (transaction.attempts !== sent.attempts) return true;
      const number = transaction.attempts + 1;
      this.log(em, transaction, number, startedAt, result);
      transaction.lastAttemptAt = startedAt;
      if (transaction.dueAt == null) {
        transaction.attempts = number; // acknowledged while it was on its way: the client's word stands
        return leave;
      }
      if (result.errorCode === null) {
        // It has changed between the two looks.
        const environment = await em.findOneOrFail(Environment, transaction.environmentUuid);
        transaction.attempts = number;
        transaction.delivered(now);
        transaction.availableUntil = new Date(now.getTime() + environment.retentionDeliveredDays * 86_400_000);
        return leave;
      }
      const error = deliveryError(result.errorCode, result.status);
      if (isFreeProbe(through, standing, result.status)) {
        // Behind whatever else is due: if only this one is refused, the next probe is answered with a 200.
        transaction.retryAt(now, error);
        return leave;
      }
      transaction.attempts = number;
      const wait = secondsUntilNext(number - transaction.attemptsBefore, standing === 'moved' ? null : asked);
      if (wait !== null) transaction.retryAt(this.clock.in(wait), error);
      else this.giveUp(em, transaction, error);
      return leave;
    });
  }

  private giveUp(em: EntityManager, transaction: Transaction, error: DeliveryError): void {
    transaction.failed(error);
    this.count.gaveUp();
    this.outbox.record(em, {
      environmentUuid: transaction.environmentUuid,
      subjectUuid: transaction.connectionUuid,
      type: 'delivery.failed',
      data: { transaction_uuid: transaction.uuid, error },
    });
  }

  private log(em: EntityManager, transaction: Transaction, number: number, startedAt: Date, result: PushResult): void {
    const { uuid: transactionUuid } = transaction;
    this.tell(transactionUuid, number, result);
    em.persist(
      em.create(Attempt, {
        uuid: uuid(),
        transactionUuid,
        number,
        startedAt,
        durationMs: result.durationMs,
        status: result.status,
        errorCode: result.errorCode,
        responseExcerpt: result.responseExcerpt,
      }),
    );
  }

  private tell(transactionUuid: string, number: number, result: PushResult): void {
    this.count.pushed(result);
    const answer = result.errorCode ? `${result.errorCode} ${result.status ?? ''}`.trim() : 'delivered';
    this.logger[result.errorCode ? 'warn' : 'debug'](`Push ${number} of transaction ${transactionUuid}: ${answer}`);
  }
}
