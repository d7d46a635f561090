import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../database/sql';
import type { QueueName } from './queues';
import type { WaitingGroup } from '../concurrency/fair-queue';

/** SQL: the job waits for a worker. Written like the index that pg-boss uses to find the next job. */
const WAITING = `state < 'active' and not blocked`;
/** SQL: the key of a job that is waiting or running. Written like the index that keeps such keys unique. */
const UNFINISHED_KEY = `policy = 'exclusive' and state <= 'active' and coalesce(singleton_key, '')`;

/** The queues that have a due job. */
export async function queuesWithJobs(em: EntityManager, queues: readonly QueueName[]): Promise<QueueName[]> {
  const rows = await sql<{ queue: QueueName }>(
    em,
    `select queue from unnest($1::text[]) queue where exists (
       select 1 from pgboss.job where name = queue and ${WAITING} and start_after <= now())`,
    [queues],
  );
  return rows.map(({ queue }) => queue);
}

/** The groups that have waiting jobs in the queue. */
export function waitingGroups(em: EntityManager, queue: QueueName): Promise<WaitingGroup[]> {
  return sql<WaitingGroup>(
    em,
    `select data->>'line' as "group", min(priority) as last, max(priority) as first from pgboss.job
     where name = $1 and ${WAITING} and priority <= 0 group by 1`,
    [queue],
  );
}

/**
 * Deletes the jobs of deleted rows. One that a worker is running is left to the worker: it ends immediately and is removed with the
 * other finished ones. Call it once for many keys, because finding jobs costs as much as there are jobs.
 */
export async function deleteJobs(em: EntityManager, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql(
    em,
    `delete from pgboss.job where id in (
       select id from pgboss.job where singleton_key = any($1::text[]) and state <> 'active' for update skip locked)`,
    [keys],
  );
}

/** SQL: no job of the queue is waiting or running for the key in `column`. */
export function hasNoJob(queue: QueueName, column: string): string {
  return `not exists (select 1 from pgboss.job j where j.name = '${queue}' and ${UNFINISHED_KEY} = ${column}::text)`;
}
