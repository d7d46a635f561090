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
 * Lets transactions start anew, by the strategy that their environment has now: a push is due at once with the whole
 * retry schedule before it, a webhook tells of the document again, and in the polling feed it is `AVAILABLE` at its old
 * place. The retention begins anew as well. Content that has been purged cannot be delivered: such a one stays as it is.
 */
@Injectable()
export class ResetDelivery {
  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /**
   * In the caller's transaction; `only` those that have this status still. `bulk`: they are pushed behind whatever is new.
   * Answers the uuids that were scheduled.
   */
  async reset(
    em: EntityManager,
    uuids: readonly string[],
    { only, bulk }: { readonly only: ProvisioningStatus | null; readonly bulk: boolean },
  ): Promise<string[]> {
    const scheduled = await sql<ResetTransaction>(
      em,
      `update transaction t set strategy = e.strategy,
         status = case when ${IS_PUSHED} then 'PENDING' else 'AVAILABLE' end,
         due_at = case when ${IS_PUSHED} then $3::timestamptz end, bulk = $4,
         attempts_before = t.attempts, restarted_at = $3::timestamptz, last_error = null, acknowledged_at = null, acknowledged_message = null,
         available_until = $3::timestamptz + make_interval(days => e.retention_days)
       from (select uuid from transaction where uuid = any($1::uuid[]) and ($2::text is null or status = $2)
             order by uuid for update) chosen, environment e
       where t.uuid = chosen.uuid and e.uuid = t.environment_uuid and t.content_uuid is not null
       returning t.uuid, t.environment_uuid as "environmentUuid", t.connection_uuid as "connectionUuid", t.strategy, t.status`,
      [uuids, only, this.clock.now(), bulk],
    );
    for (const transaction of scheduled) this.recordAvailable(em, transaction);
    const tooLarge = scheduled.filter(isTooLarge).map(({ uuid }) => uuid);
    await logTooLarge(em, tooLarge, this.clock.now());
    return scheduled.map(({ uuid }) => uuid);
  }

  /** A client that pulls hears of it again, and one that is pushed to of what is too large for that (decisions 6). */
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
