import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../database/sql';

/** The number of jobs with one of these keys that a worker is running. */
export async function countRunningJobs(em: EntityManager, keys: readonly string[]): Promise<number> {
  const [row] = await sql<{ count: number }>(
    em,
    `select count(*)::int as count from pgboss.job where state = 'active' and singleton_key = any($1::text[])`,
    [keys],
  );
  return row!.count;
}
