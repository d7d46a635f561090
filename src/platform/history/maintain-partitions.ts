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
    for (const { name, from, to, table } of await this.expired()) {
      await this.em.fork().transactional(async (em) => {
        await sql(em, LOCK_TIMEOUT);
        // What was sent of an event is found through the event when its connection is deleted.
        if (table === 'outbox') {
          await sql(em, 'delete from webhook_delivery where event_uuid >= $1 and event_uuid < $2', [from, to]);
        }
        await sql(em, `drop table if exists ${name}`);
      });
      dropped.push(name);
    }
    return dropped;
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
