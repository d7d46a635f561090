import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import type { DeliveryError, Transaction } from '../../transactions/record/transaction.entity';
import { DeliveryMetrics } from '../shared/delivery-metrics';
import type { RecordedDelivery } from './delivered-result-batcher';
import type { PushResult } from './push-client';

/** Records attempts in the delivery log, in the metrics and in the service's log. */
@Injectable()
export class AttemptLog {
  private readonly logger = new Logger(AttemptLog.name);

  constructor(
    private readonly metrics: DeliveryMetrics,
    private readonly outbox: Outbox,
  ) {}

  /** Counts the attempt and adds it to the delivery log, in the caller's transaction. */
  async add(em: EntityManager, transaction: Transaction, startedAt: Date, result: PushResult): Promise<void> {
    transaction.attempts++;
    transaction.lastAttemptAt = startedAt;
    const { uuid: transactionUuid, environmentUuid, attempts: number } = transaction;
    this.logResult(transactionUuid, number, result);
    await sql(
      em,
      `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms,
         status, error_code, response_excerpt)
       select $1, uuid, retention_class, $3, $4, $5, $6, $7, $8, $9 from environment where uuid = $2`,
      [
        uuid(),
        environmentUuid,
        transactionUuid,
        number,
        startedAt,
        result.durationMs,
        result.status,
        result.errorCode,
        result.responseExcerpt,
      ],
    );
  }

  /** For metrics and log only: the attempt is in the delivery log already. */
  logDelivered(transactionUuid: string, delivery: RecordedDelivery, result: PushResult): void {
    this.logResult(transactionUuid, delivery.number, result);
    this.metrics.recordDelivered(delivery);
  }

  private logResult(transactionUuid: string, number: number, result: PushResult): void {
    this.metrics.recordPush(result);
    const { errorCode, status, durationMs } = result;
    const fields = { transaction_uuid: transactionUuid, attempt: number, status, duration_ms: durationMs };
    if (errorCode === null) this.logger.debug(fields, 'Document delivered');
    else this.logger.warn({ ...fields, error_code: errorCode }, 'Push failed');
  }

  /** Records the final failure (spec 6): the document becomes `FAILED`, is kept, and can be redelivered. */
  recordFinalFailure(em: EntityManager, transaction: Transaction, error: DeliveryError): void {
    transaction.markFailed(error);
    this.metrics.recordFinalFailure();
    this.logger.warn(
      { transaction_uuid: transaction.uuid, attempt: transaction.attempts, error_code: error.code },
      'Delivery failed for good',
    );
    this.outbox.record(em, {
      environmentUuid: transaction.environmentUuid,
      subjectUuid: transaction.connectionUuid,
      type: 'delivery.failed',
      data: { transaction_uuid: transaction.uuid, error },
    });
  }
}
