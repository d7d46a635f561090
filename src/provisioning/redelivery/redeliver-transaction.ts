import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { lockServed } from '../../platform/database/served-environment';
import { Audit } from '../../platform/audit/audit';
import { notFound, unprocessable } from '../../platform/errors/errors';
import { currentTraceparent } from '../../platform/request/work-scope';
import { Outbox } from '../../platform/outbox/outbox';
import { Transaction } from '../../transactions/record/transaction.entity';
import { CircuitBreaker } from '../circuit/circuit-breaker';
import { ResetDelivery } from './reset-delivery';

/**
 * `POST …/{transaction_uuid}/redeliver` (decisions 5): delivers one document again, regardless of its status. The
 * receiver gets the same `Idempotency-Key`, and the numbering of the attempts continues.
 */
@Injectable()
export class RedeliverTransaction {
  constructor(
    private readonly em: EntityManager,
    private readonly resetDelivery: ResetDelivery,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly circuit: CircuitBreaker,
  ) {}

  /** @throws ApiError 404 `TRANSACTION_NOT_FOUND`, 422 `DOCUMENT_PURGED` once the content has been purged */
  async redeliver(actor: string, uuid: string): Promise<Transaction> {
    const redelivered = await this.em.fork().transactional(async (em) => {
      const cause = currentTraceparent();
      const scheduled = await this.resetDelivery.reset(em, [uuid], { only: null, lowPriority: false, cause });
      const transaction = await em.findOne(Transaction, uuid);
      if (!transaction) throw notFound('TRANSACTION_NOT_FOUND');
      if (scheduled.length === 0) throw unprocessable('DOCUMENT_PURGED');
      const { environmentUuid, connectionUuid: subjectUuid } = transaction;
      await lockServed(em, environmentUuid);
      this.audit.record(em, { environmentUuid, actor, action: 'transaction.redeliver', subjectUuid: uuid });
      const data = { transaction_uuid: uuid, cause: actor };
      this.outbox.record(em, { environmentUuid, subjectUuid, type: 'delivery.requested', data });
      return transaction;
    });
    // After the commit: recording an attempt locks the endpoint before the transaction.
    await this.circuit.allowTrial(this.em.fork(), redelivered.environmentUuid);
    return redelivered;
  }
}
