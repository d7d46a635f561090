import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { lockServed } from '../../platform/database/served-environment';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import type { Caller } from '../../platform/http/access/access.decorator';
import { criteriaWithinTokenScope, type TokenScope } from '../../platform/http/access/token-scope';
import { assertPeriod } from '../../platform/http/input/period';
import { currentTraceparent } from '../../platform/request/work-scope';
import { Jobs } from '../../platform/jobs/jobs';
import { CircuitBreaker } from '../circuit/circuit-breaker';
import type { DocumentType } from '../../documents/metadata';
import type { ProvisioningStatus } from '../../transactions/record/provisioning-status';
import { countMatching, readNextMatching, type RedeliveryCriteria, restartRedelivery } from './matching-transactions';
import type { RedeliverTransactionsDto } from './redeliver.dto';
import { Redelivery } from './redelivery.entity';

/** The caller, and the documents that it may redeliver. */
export type RedeliveryScope = Pick<Caller, 'environmentUuid' | 'identityUuid' | 'actor'> & TokenScope;

/** Which documents of the scope. */
export interface RedeliveryFilters extends Omit<RedeliverTransactionsDto, 'status'> {
  readonly status?: ProvisioningStatus | null;
  readonly transaction_uuids?: readonly string[] | null;
  readonly identity_uuid?: string | null;
  readonly document_type?: DocumentType | null;
}

/** How many documents match, and what delivers them. */
export interface RequestedRedelivery {
  /** They will be delivered. */
  readonly count: number;
  /** They match and cannot be delivered: their content has been purged. */
  readonly skipped: number;
  /** Null when there is nothing to deliver. */
  readonly uuid: string | null;
}

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
   * The guard has checked the connection.
   * @throws ApiError 422 when the period ends before it begins
   */
  async request(caller: RedeliveryScope, filters: RedeliveryFilters): Promise<RequestedRedelivery> {
    const given = this.criteriaOf(caller, filters);
    const requested = await this.em.fork().transactional(async (em) => {
      await lockServed(em, given.environmentUuid);
      const counts = await countMatching(em, given);
      if (counts.count === 0) return { ...counts, uuid: null };
      const criteria = await withoutUnknown(em, given);
      const total = counts.count + counts.skipped;
      const traceparent = currentTraceparent();
      const open = await restartRedelivery(em, criteria, total, traceparent);
      const redeliveryUuid = open ?? uuid();
      if (open === null) em.persist(em.create(Redelivery, { uuid: redeliveryUuid, ...criteria, total, traceparent }));
      this.recordAudit(em, caller, criteria, counts.count);
      await this.jobs.enqueue(em, 'redeliver', [{ key: redeliveryUuid, group: criteria.environmentUuid }]);
      await this.circuit.allowTrial(em, criteria.environmentUuid);
      return { ...counts, uuid: redeliveryUuid };
    });
    this.jobs.wake('redeliver');
    return requested;
  }

  /**
   * What a request would deliver now.
   * @throws ApiError 422 when the period ends before it begins
   */
  preview(caller: RedeliveryScope, filters: RedeliveryFilters): Promise<{ count: number; skipped: number }> {
    return countMatching(this.em.fork(), this.criteriaOf(caller, filters));
  }

  private criteriaOf(caller: RedeliveryScope, filters: RedeliveryFilters): RedeliveryCriteria {
    assertPeriod(filters);
    return {
      environmentUuid: caller.environmentUuid,
      identityUuid: caller.identityUuid ?? filters.identity_uuid ?? null,
      ...criteriaWithinTokenScope(caller, filters.connection_uuid),
      status: filters.status ?? null,
      transactionUuids: filters.transaction_uuids ? [...filters.transaction_uuids] : null,
      documentType: filters.document_type ?? null,
      createdFrom: filters.created_from == null ? null : new Date(filters.created_from),
      createdTo: filters.created_to == null ? null : new Date(filters.created_to),
      requestedAt: this.clock.now(),
    };
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

/** Chosen transactions that do not exist in the environment are not stored. */
async function withoutUnknown(em: EntityManager, criteria: RedeliveryCriteria): Promise<RedeliveryCriteria> {
  const { transactionUuids: chosen } = criteria;
  if (chosen == null) return criteria;
  return {
    ...criteria,
    transactionUuids: await readNextMatching(em, { ...criteria, lastTransactionUuid: null }, chosen.length),
  };
}
