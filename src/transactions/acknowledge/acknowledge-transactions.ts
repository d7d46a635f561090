import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { jsonb, sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import { Outbox } from '../../platform/outbox/outbox';
import type { AcknowledgeTransactionDto, AcknowledgementResult } from './acknowledge.dto';
import { type DeliveryError, type ProvisioningStatus, REJECTED_BY_CLIENT } from '../record/transaction.entity';

const STATUS_BY_RESULT: Readonly<Record<AcknowledgementResult, ProvisioningStatus>> = {
  ACCEPTED: 'ACKNOWLEDGED',
  REJECTED: 'REJECTED',
};

interface ChangedTransaction {
  readonly uuid: string;
  readonly connectionUuid: string;
}

/**
 * `POST …/acknowledge` (decisions 5), for one transaction or for many at once: all or none.
 *
 * A client may acknowledge what it has, however it came to it. So every status allows it: `AVAILABLE` is the usual one; of
 * a `PENDING` or `FAILED` push nothing is sent any more; and a `DELIVERED` one may still turn out to be unusable. The
 * last word wins, so a client can change its mind; the same word again changes nothing.
 */
@Injectable()
export class AcknowledgeTransactions {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Each has been permitted already.
   * @throws ApiError 404 when one of them has been deleted since
   */
  async acknowledge(
    { environmentUuid, actor }: Caller,
    uuids: readonly string[],
    { result, message }: AcknowledgeTransactionDto,
  ): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      if ((await this.lock(em, uuids)) < new Set(uuids).size) throw notFound('TRANSACTION_NOT_FOUND');
      const changed = await this.update(em, uuids, result, message || null);
      if (changed.length === 0) return;
      for (const { uuid, connectionUuid: subjectUuid } of changed) {
        const data = { transaction_uuid: uuid, result, message: message || null };
        this.outbox.record(em, { environmentUuid, subjectUuid, type: 'document.acknowledged', data });
      }
      const all = changed.map(({ uuid }) => uuid);
      this.audit.record(em, {
        environmentUuid,
        actor,
        action: 'transaction.acknowledge',
        subjectUuid: all.length === 1 ? all[0]! : null,
        // Without the message: nothing in this log is ever removed, and a message may name people.
        details: { result, ...(all.length > 1 && { transaction_uuids: all }) },
      });
    });
  }

  /** In the order of their uuids, as everybody does who locks several. Answers how many there are. */
  private async lock(em: EntityManager, uuids: readonly string[]): Promise<number> {
    const rows = await sql(em, 'select uuid from transaction where uuid = any($1::uuid[]) order by uuid for update', [
      uuids,
    ]);
    return rows.length;
  }

  /** Answers those that this changed. Content is kept for a while from now on (decisions 4, retention). */
  private update(em: EntityManager, uuids: readonly string[], result: AcknowledgementResult, message: string | null) {
    const rejection: DeliveryError = { code: REJECTED_BY_CLIENT, status: null, message };
    return sql<ChangedTransaction>(
      em,
      `update transaction t set status = $2, acknowledged_at = $3, acknowledged_message = $5, due_at = null,
         last_error = $4::jsonb,
         available_until = case when t.content_uuid is null then t.available_until
                                else $3::timestamptz + make_interval(days => e.retention_delivered_days) end
       from environment e
       where e.uuid = t.environment_uuid and t.uuid = any($1::uuid[])
         and (t.status <> $2 or t.acknowledged_message is distinct from $5::text)
       returning t.uuid, t.connection_uuid as "connectionUuid"`,
      [uuids, STATUS_BY_RESULT[result], this.clock.now(), result === 'REJECTED' ? jsonb(rejection) : null, message],
    );
  }
}
