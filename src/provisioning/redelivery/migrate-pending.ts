import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../platform/config/settings';
import { sql } from '../../platform/database/sql';
import { nonOverlapping } from '../../platform/jobs/non-overlapping';
import { ResetDelivery } from './reset-delivery';

/** Transactions that one short database transaction changes. */
const BATCH = 1_000;

/**
 * What waits to be pushed in an environment that is not pushed to any more: it becomes available by the strategy that the
 * environment has now, and is told of. Looked for again and again, as what is recorded or tried while the strategy is
 * being changed comes later.
 */
@Injectable()
export class MigratePending implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MigratePending.name);
  private readonly migrateOnce = nonOverlapping(
    () => this.migrate(),
    this.logger,
    'Documents could not follow the strategy of their environment',
  );

  private closing = false;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly resetDelivery: ResetDelivery,
  ) {}

  @Interval(5_000)
  async tick(): Promise<void> {
    if (this.settings.runsWorker) await this.migrateOnce();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    return this.migrateOnce.close();
  }

  async migrate(): Promise<void> {
    let changed = BATCH;
    while (changed === BATCH && !this.closing)
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
