import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit';
import { Clock } from '../../platform/clock/clock';
import { jsonb, sql } from '../../platform/database/sql';
import type { Caller } from '../../platform/http/access/access.decorator';
import { notFound } from '../../platform/errors/errors';
import { Outbox } from '../../platform/outbox/outbox';
import type { AcknowledgeTransactionDto, AcknowledgementResult } from './acknowledge.dto';
import type { ProvisioningStatus } from '../record/provisioning-status';
import { type DeliveryError, REJECTED_BY_CLIENT } from '../record/transaction.entity';

const STATUS_BY_RESULT: Readonly<Record<AcknowledgementResult, ProvisioningStatus>> = {
  ACCEPTED: 'ACKNOWLEDGED',
  REJECTED: 'REJECTED',
};

interface ChangedTransaction {
  readonly uuid: string;
  readonly connectionUuid: string;
}

/**
 * `POST …/acknowledge` (decisions 5), for one transaction or for several, all or none.
 *
 * A client may acknowledge a document regardless of how it received it, so every status allows it: `AVAILABLE` is the
 * usual one; a `PENDING` or `FAILED` push is not sent any more; a `DELIVERED` document may still turn out to be
 * unusable. The last acknowledgement applies, so a client can correct itself; repeating the same one changes nothing.
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
   * The caller must already be permitted to access each transaction.
   * @throws ApiError 404 when one of them has been deleted since
   */
  async acknowledge(
    { environmentUuid, actor }: Caller,
    uuids: readonly string[],
    { result, message }: AcknowledgeTransactionDto,
  ): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      if ((await this.lock(em, environmentUuid, uuids)) < new Set(uuids).size) throw notFound('TRANSACTION_NOT_FOUND');
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
        // Without the message: entries of this log are never deleted, and a message may contain personal data.
        details: { result, ...(all.length > 1 && { transaction_uuids: all }) },
      });
    });
  }

  /**
   * Locks in the order of the uuids, as every statement that locks several does. Returns the number of existing
   * transactions.
   */
  private async lock(em: EntityManager, environmentUuid: string, uuids: readonly string[]): Promise<number> {
    const rows = await sql(
      em,
      'select uuid from transaction where uuid = any($1::uuid[]) and environment_uuid = $2 order by uuid for update',
      [uuids, environmentUuid],
    );
    return rows.length;
  }

  /** Returns the transactions that were changed. The retention of their content starts now (decisions 4, retention). */
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
