import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { sql } from '../../platform/database/sql';
import { Outbox } from '../../platform/outbox/outbox';
import { logTooLarge, TOO_LARGE_FOR_PUSH } from '../../transactions/record/log-too-large';
import type { ProvisioningStatus } from '../../transactions/record/transaction.entity';

interface ResetTransaction {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly connectionUuid: string;
  readonly strategy: string;
  readonly status: ProvisioningStatus;
}

/**
 * Restarts deliveries with the current strategy of their environment: a push is due immediately with the whole retry
 * schedule, a webhook is notified of the document again, and in the polling feed the document is `AVAILABLE` at its old
 * position. The retention period restarts as well. Transactions whose content has been purged stay unchanged.
 */
@Injectable()
export class ResetDelivery {
  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Resets the transactions in the caller's database transaction; with `only`, those that still have this status. With
   * `lowPriority`, they are pushed with low priority, after new documents. Returns the uuids of the reset ones.
   */
  async reset(
    em: EntityManager,
    uuids: readonly string[],
    { only, lowPriority }: { readonly only: ProvisioningStatus | null; readonly lowPriority: boolean },
  ): Promise<string[]> {
    const scheduled = await sql<ResetTransaction>(
      em,
      `update transaction t set strategy = e.strategy,
         status = case when ${IS_PUSHED} then 'PENDING' else 'AVAILABLE' end,
         due_at = case when ${IS_PUSHED} then $3::timestamptz end, low_priority = $4,
         prior_attempts = t.attempts, restarted_at = $3::timestamptz, last_error = null, acknowledged_at = null, acknowledged_message = null,
         available_until = $3::timestamptz + make_interval(days => e.retention_days)
       from (select uuid from transaction where uuid = any($1::uuid[]) and ($2::text is null or status = $2)
             order by uuid for update) chosen, environment e
       where t.uuid = chosen.uuid and e.uuid = t.environment_uuid and t.content_uuid is not null
       returning t.uuid, t.environment_uuid as "environmentUuid", t.connection_uuid as "connectionUuid", t.strategy, t.status`,
      [uuids, only, this.clock.now(), lowPriority],
    );
    for (const transaction of scheduled) this.recordAvailable(em, transaction);
    const tooLarge = scheduled.filter(isTooLarge).map(({ uuid }) => uuid);
    await logTooLarge(em, tooLarge, this.clock.now());
    return scheduled.map(({ uuid }) => uuid);
  }

  /** Records `document.available` for webhooks, and for documents that are too large to push (decisions 6). */
  private recordAvailable(em: EntityManager, scheduled: ResetTransaction): void {
    const { uuid, environmentUuid, connectionUuid, strategy } = scheduled;
    const tooLarge = isTooLarge(scheduled);
    if (strategy !== 'WEBHOOK' && !tooLarge) return;
    this.outbox.record(em, {
      environmentUuid,
      subjectUuid: connectionUuid,
      type: 'document.available',
      data: { transaction_uuid: uuid, ...(tooLarge && { reason: TOO_LARGE_FOR_PUSH }) },
    });
  }
}

const isTooLarge = ({ strategy, status }: ResetTransaction): boolean => strategy === 'PUSH' && status === 'AVAILABLE';

const IS_PUSHED = `(e.strategy = 'PUSH' and t.size <= e.push_limit_bytes)`;
