import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { assertPeriod } from '../../platform/http/input/rfc3339';
import { Jobs } from '../../platform/jobs/jobs';
import { CircuitBreaker } from '../circuit/circuit-breaker';
import { restartRedelivery, countMatching, type RedeliveryCriteria } from './matching-transactions';
import type { RedeliverTransactionsDto } from './redeliver.dto';
import { Redelivery } from './redelivery.entity';

/** Who asks, and whose documents are meant. */
export type RedeliveryScope = Pick<
  Caller,
  'environmentUuid' | 'identityUuid' | 'onlyConnectionUuid' | 'onlyIntegrationId' | 'actor'
>;

/**
 * `POST /v1/transactions/redeliver` (decisions 5): writes down what is to be delivered again and counts it; a job does it
 * in batches. So a million documents neither hold the request nor locks, and a worker that dies is taken over. Asked for
 * once more while it is being carried out, the same begins anew: each document that matches now is met once from now on.
 */
@Injectable()
export class RedeliverTransactions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly circuit: CircuitBreaker,
  ) {}

  /**
   * Answers how many will be delivered (`count`) and how many cannot, as their content has been purged (`skipped`). The
   * connection has been permitted already.
   * @throws ApiError 422 when the period ends before it begins
   */
  async request(caller: RedeliveryScope, dto: RedeliverTransactionsDto): Promise<{ count: number; skipped: number }> {
    assertPeriod(dto);
    const createdFrom = dto.created_from == null ? null : new Date(dto.created_from);
    const createdTo = dto.created_to == null ? null : new Date(dto.created_to);
    const wish = {
      uuid: uuid(),
      environmentUuid: caller.environmentUuid,
      identityUuid: caller.identityUuid,
      connectionUuid: dto.connection_uuid ?? caller.onlyConnectionUuid,
      integrationId: caller.onlyIntegrationId,
      status: dto.status,
      createdFrom,
      createdTo,
      requestedAt: this.clock.now(),
    };
    const counted = await this.em.fork().transactional(async (em) => {
      const counts = await countMatching(em, wish);
      if (counts.count === 0) return counts;
      const open = await restartRedelivery(em, wish);
      if (open === null) em.persist(em.create(Redelivery, wish));
      this.recordAudit(em, caller, wish, counts.count);
      await this.jobs.enqueue(em, 'redeliver', [{ key: open ?? wish.uuid, group: wish.environmentUuid }]);
      await this.circuit.allowTrial(em, wish.environmentUuid);
      return counts;
    });
    this.jobs.wake('redeliver');
    return counted;
  }

  private recordAudit(
    em: EntityManager,
    { actor, environmentUuid }: RedeliveryScope,
    wish: RedeliveryCriteria,
    count: number,
  ): void {
    const { status, createdFrom: created_from, createdTo: created_to } = wish;
    this.audit.record(em, {
      environmentUuid,
      actor,
      action: 'transaction.redeliver',
      subjectUuid: wish.connectionUuid ?? null,
      details: { status, created_from, created_to, count },
    });
  }
}
