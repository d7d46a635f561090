import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../clock/clock';
import { sql } from '../database/sql';
import { Recurring } from '../jobs/recurring-work';
import { createPartitions, LOCK_TIMEOUT } from './create-partitions';
import { isExpired, partitionSets, type PartitionSet } from './history-partitions';
import { RETENTION_CLASSES, type RetentionClass } from './retention-class';

interface ExpiredPartition {
  readonly table: PartitionSet['table'];
  readonly retentionClass: RetentionClass;
  readonly name: string;
  /** Uuids: the first one, and the first one after the partition. */
  readonly from: string;
  readonly to: string;
}

const MAX_CLOCK_DIFFERENCE_S = 86_400;

/** SQL: rows of a partition that still have to be processed, or that have to find it when they end. */
const PENDING: Partial<Record<PartitionSet['table'], (partition: ExpiredPartition) => string>> = {
  fetch: ({ from, to }) => `fetch_unfinished where uuid >= '${from}' and uuid < '${to}'`,
  outbox: ({ name }) => `${name} where dispatched_at is null`,
  webhook_delivery: ({ name }) => `${name} where state in ('WAITING', 'SENDING')`,
};

/** Deletes what describes the rows of a partition that is dropped. */
const DELETE_DETAILS: Partial<
  Record<PartitionSet['table'], (em: EntityManager, partition: ExpiredPartition) => Promise<unknown>>
> = {
  // Documents that are tried again keep their last failure, so some are older than the partition.
  fetch: (em, { to, retentionClass }) =>
    sql(
      em,
      `delete from fetch_failure f using environment e
       where f.fetch_uuid < $1 and not f.open and e.uuid = f.environment_uuid and e.retention_class = $2`,
      [to, retentionClass],
    ),
  // What was sent of an event is found through the event when its connection is deleted. Events of other retention classes lie in
  // the same range of uuids.
  outbox: (em, { name, from, to }) =>
    sql(
      em,
      `delete from webhook_delivery d using ${name} o
       where d.event_uuid >= $1 and d.event_uuid < $2 and d.event_uuid = o.uuid and d.environment_uuid = o.environment_uuid`,
      [from, to],
    ),
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
    if (created.length > 0) this.logger.log({ partitions: created }, 'Partitions were created');
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'Expired partitions were dropped');
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
        this.logger.warn(
          { partition: partition.name },
          'A partition that has expired is kept: not all of it has been processed',
        );
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
  private async holdsPendingWork(em: EntityManager, partition: ExpiredPartition): Promise<boolean> {
    const pending = PENDING[partition.table]?.(partition);
    return pending !== undefined && (await sql(em, `select 1 from ${pending} limit 1`)).length > 0;
  }

  private async drop(em: EntityManager, partition: ExpiredPartition): Promise<void> {
    const { table, name } = partition;
    await DELETE_DETAILS[table]?.(em, partition);
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
        .map(({ name, from, to }) => ({ table, retentionClass, name, from, to })),
    );
  }
}
