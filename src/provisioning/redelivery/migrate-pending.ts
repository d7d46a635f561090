import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { ResetDelivery } from './reset-delivery';

/** Transactions that one short database transaction changes. */
const BATCH = 1_000;

/**
 * Migrates pending pushes of environments whose strategy is no longer `PUSH`: their documents become available under the
 * current strategy, with its notification. Runs repeatedly, because documents that are recorded or attempted while the
 * strategy changes appear later.
 */
@Injectable()
export class MigratePending {
  constructor(
    private readonly em: EntityManager,
    private readonly resetDelivery: ResetDelivery,
  ) {}

  @Recurring({ everyMs: 5_000, failure: 'Pending pushes could not be migrated to the strategy of their environment' })
  async migrate(signal?: AbortSignal): Promise<void> {
    let changed = BATCH;
    while (changed === BATCH && !signal?.aborted)
      changed = await this.em.fork().transactional((em) => this.migrateBatch(em));
  }

  /** Returns the number of changed transactions. Without any, it costs one index probe per environment. */
  private async migrateBatch(em: EntityManager): Promise<number> {
    const left = await sql<{ uuid: string }>(
      em,
      `select t.uuid from environment e
       cross join lateral (select uuid from transaction
         where environment_uuid = e.uuid and due_at is not null limit ${BATCH}) t
       where e.strategy <> 'PUSH' and e.fence is null limit ${BATCH}`,
    );
    const uuids = left.map(({ uuid }) => uuid);
    return (await this.resetDelivery.reset(em, uuids, { only: 'PENDING', lowPriority: false, cause: null })).length;
  }
}
