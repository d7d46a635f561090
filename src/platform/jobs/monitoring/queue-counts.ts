import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../database/sql';
import { QUEUES } from '../queues';

export interface QueueCounts {
  readonly name: string;
  readonly queued_count: number;
  readonly active_count: number;
  readonly failed_count: number;
  readonly counted_at: string | null;
}

/** The job counts that a worker updates every five seconds; failed jobs are kept for ten minutes. */
export const readQueueCounts = (em: EntityManager): Promise<QueueCounts[]> =>
  sql<QueueCounts>(
    em,
    `select name, queued_count, active_count, failed_count, monitor_on as counted_at
     from pgboss.queue where name = any($1::text[]) order by name`,
    [QUEUES],
  );
