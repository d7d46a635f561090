import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { lockServed } from '../../platform/database/served-environment';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { criteriaWithinTokenScope, type TokenScope } from '../../platform/http/access/token-scope';
import { assertPeriod } from '../../platform/http/input/rfc3339';
import { Jobs } from '../../platform/jobs/jobs';
import { CircuitBreaker } from '../circuit/circuit-breaker';
import { restartRedelivery, countMatching, type RedeliveryCriteria } from './matching-transactions';
import type { RedeliverTransactionsDto } from './redeliver.dto';
import { Redelivery } from './redelivery.entity';

/** The caller, and the documents that it may redeliver. */
export type RedeliveryScope = Pick<Caller, 'environmentUuid' | 'identityUuid' | 'actor'> & TokenScope;

/**
 * `POST /v1/transactions/redeliver` (decisions 5): stores the criteria and counts the matching documents; a job resets
 * them in batches. A million documents therefore hold neither the request nor locks, and another worker continues when one
 * dies. The same request during the execution restarts it: each document that matches then is reset once.
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
   * Returns how many documents will be delivered (`count`), and how many cannot be, because their content has been purged
   * (`skipped`). The guard has checked the connection.
   * @throws ApiError 422 when the period ends before it begins
   */
  async request(caller: RedeliveryScope, dto: RedeliverTransactionsDto): Promise<{ count: number; skipped: number }> {
    assertPeriod(dto);
    const createdFrom = dto.created_from == null ? null : new Date(dto.created_from);
    const createdTo = dto.created_to == null ? null : new Date(dto.created_to);
    const redelivery = {
      uuid: uuid(),
      environmentUuid: caller.environmentUuid,
      identityUuid: caller.identityUuid,
      ...criteriaWithinTokenScope(caller, dto.connection_uuid),
      status: dto.status,
      createdFrom,
      createdTo,
      requestedAt: this.clock.now(),
    };
    const counted = await this.em.fork().transactional(async (em) => {
      await lockServed(em, redelivery.environmentUuid);
      const counts = await countMatching(em, redelivery);
      if (counts.count === 0) return counts;
      const open = await restartRedelivery(em, redelivery);
      if (open === null) em.persist(em.create(Redelivery, redelivery));
      this.recordAudit(em, caller, redelivery, counts.count);
      await this.jobs.enqueue(em, 'redeliver', [{ key: open ?? redelivery.uuid, group: redelivery.environmentUuid }]);
      await this.circuit.allowTrial(em, redelivery.environmentUuid);
      return counts;
    });
    this.jobs.wake('redeliver');
    return counted;
  }

  private recordAudit(
    em: EntityManager,
    { actor, environmentUuid }: RedeliveryScope,
    redelivery: RedeliveryCriteria,
    count: number,
  ): void {
    const { status, createdFrom: created_from, createdTo: created_to } = redelivery;
    this.audit.record(em, {
      environmentUuid,
      actor,
      action: 'transaction.redeliver',
      subjectUuid: redelivery.connectionUuid ?? null,
      details: { status, created_from, created_to, count },
    });
  }
}
