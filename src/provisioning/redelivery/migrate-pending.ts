import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/sql';
import { Recurring } from '../../platform/jobs/recurring-work';
import { ResetDelivery } from './reset-delivery';

/** Transactions that one short database transaction changes. */
const BATCH = 1_000;

/**
 * What waits to be pushed in an environment that is not pushed to any more: it becomes available by the strategy that the
 * environment has now, and is told of. Looked for again and again, as what is recorded or tried while the strategy is
 * being changed comes later.
 */
@Injectable()
export class MigratePending {
  constructor(
    private readonly em: EntityManager,
    private readonly resetDelivery: ResetDelivery,
  ) {}

  @Recurring({ everyMs: 5_000, failure: 'Documents could not follow the strategy of their environment' })
  async migrate(signal?: AbortSignal): Promise<void> {
    let changed = BATCH;
    while (changed === BATCH && !signal?.aborted)
      changed = await this.em.fork().transactional((em) => this.migrateBatch(em));
  }

  /** Answers how many it has changed. Costs an index probe per environment when there is none. */
  private async migrateBatch(em: EntityManager): Promise<number> {
    const left = await sql<{ uuid: string }>(
      em,
      `select t.uuid from environment e
       cross join lateral (select uuid from transaction
         where environment_uuid = e.uuid and due_at is not null limit ${BATCH}) t
       where e.strategy <> 'PUSH' limit ${BATCH}`,
    );
    const uuids = left.map(({ uuid }) => uuid);
    return (await this.resetDelivery.reset(em, uuids, { only: 'PENDING', bulk: false })).length;
  }
}
