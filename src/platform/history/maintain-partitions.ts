import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { sql } from '../database/sql';
import { Recurring } from '../jobs/recurring-work';
import { createPartitions, LOCK_TIMEOUT } from './create-partitions';
import { isExpired, partitionSets, type PartitionSet } from './history-partitions';
import { RETENTION_CLASSES } from './retention-class';

interface ExpiredPartition {
  readonly table: PartitionSet['table'];
  readonly name: string;
  /** Uuids: the first one, and the first one after the partition. */
  readonly from: string;
  readonly to: string;
}

const MAX_CLOCK_DIFFERENCE_S = 86_400;

/** SQL: rows of a partition that still have to be processed. */
const PENDING: Partial<Record<PartitionSet['table'], string>> = {
  outbox: 'dispatched_at is null',
  webhook_delivery: `state in ('WAITING', 'SENDING')`,
};

/** Creates the partitions of the history ahead of time and drops expired ones (decisions 4). */
@Injectable()
export class MaintainPartitions implements OnModuleInit {
  private readonly logger = new Logger(MaintainPartitions.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** After a pause of all processes that is longer than the partitions reach, rows could not be written. */
  async onModuleInit(): Promise<void> {
    await this.createAhead().catch((error: unknown) => this.logger.error(error, 'Partitions could not be created'));
  }

  @Recurring({ everyMs: 3_600_000, failure: 'The partitions of the history could not be maintained' })
  async maintain(): Promise<void> {
    const created = await this.createAhead();
    const dropped = await this.dropExpired();
    if (created.length > 0) this.logger.log(`Created the partitions ${created.join(', ')}`);
    if (dropped.length > 0) this.logger.log(`Dropped the expired partitions ${dropped.join(', ')}`);
  }

  /** Returns the names of the new partitions. */
  createAhead(): Promise<string[]> {
    return this.em
      .fork()
      .transactional((em) => createPartitions((text, parameters) => sql(em, text, parameters), this.clock.now()));
  }

  /** Each in a transaction of its own, so that statements wait for one at most. Returns their names. */
  async dropExpired(): Promise<string[]> {
    const dropped: string[] = [];
    if (await this.hasWrongClock()) return dropped;
    for (const partition of await this.expired()) {
      const em = this.em.fork();
      if (await this.holdsPendingWork(em, partition)) {
        this.logger.warn(`${partition.name} has expired and is kept, because a part of it has not been sent yet`);
        continue;
      }
      await this.drop(em, partition);
      dropped.push(partition.name);
    }
    return dropped;
  }

  /** A process whose clock is ahead by months would drop what has not expired. */
  private async hasWrongClock(): Promise<boolean> {
    const [{ seconds }] = (await sql<{ seconds: number }>(
      this.em.fork(),
      'select extract(epoch from now())::float8 as seconds',
    )) as [{ seconds: number }];
    const wrong = Math.abs(seconds - Date.now() / 1000) > MAX_CLOCK_DIFFERENCE_S;
    if (wrong)
      this.logger.error('The clocks of this process and of the database differ by more than a day: nothing is dropped');
    return wrong;
  }

  /** No worker may have run for longer than the history is kept. */
  private async holdsPendingWork(em: EntityManager, { table, name }: ExpiredPartition): Promise<boolean> {
    const pending = PENDING[table];
    return pending !== undefined && (await sql(em, `select 1 from ${name} where ${pending} limit 1`)).length > 0;
  }

  private async drop(em: EntityManager, { table, name, from, to }: ExpiredPartition): Promise<void> {
    // What was sent of an event is found through the event when its connection is deleted. Events of other retention classes
    // lie in the same range of uuids.
    if (table === 'outbox') {
      await sql(
        em,
        `delete from webhook_delivery d using ${name} o
         where d.event_uuid >= $1 and d.event_uuid < $2 and d.event_uuid = o.uuid and d.environment_uuid = o.environment_uuid`,
        [from, to],
      );
    }
    await em.transactional(async (transaction) => {
      await sql(transaction, LOCK_TIMEOUT);
      await sql(transaction, `drop table if exists ${name}`);
    });
  }

  /** In the order of `partitionSets`. */
  private async expired(): Promise<ExpiredPartition[]> {
    const now = this.clock.now();
    const sets = partitionSets(RETENTION_CLASSES);
    const rows = await sql<{ name: string; parent: string; from: string; to: string }>(
      this.em.fork(),
      `select c.relname as name, p.relname as parent, bounds[1] as from, bounds[2] as to
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent,
         regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$$) bounds
       where p.relnamespace = 'public'::regnamespace and p.relname = any($1::text[]) order by name`,
      [sets.map(({ parent }) => parent)],
    );
    return sets.flatMap(({ table, retentionClass, parent }) =>
      rows
        .filter((row) => row.parent === parent && isExpired(row.to, retentionClass, now))
        .map(({ name, from, to }) => ({ table, name, from, to })),
    );
  }
}
