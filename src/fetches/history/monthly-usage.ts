import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';

/** What an environment has used in a month. */
export interface Usage {
  /** Connections of which a fetch has ended, each counted once; deleted ones stay counted. */
  readonly connections: number;
  /** Fetches that have ended, failed ones included, cancelled ones not. */
  readonly fetches: number;
  /** Documents that were new. */
  readonly documents: number;
  /** Their size. */
  readonly bytes: number;
}

/** Rows per environment and month, by the database connection that counts: two transactions rarely wait for the same one. */
const SHARDS = 32;

/**
 * Adds to an environment's month, in the caller's transaction: counted exactly if what is counted becomes true. Call it
 * last, so that the row is locked for the commit alone; a transaction calls it at most once, so none waits crosswise.
 */
export async function countUsage(
  em: EntityManager,
  environmentUuid: string,
  now: Date,
  { connections = 0, fetches = 0, documents = 0, bytes = 0 }: Partial<Usage>,
): Promise<void> {
  await sql(
    em,
    `insert into monthly_usage as u (environment_uuid, month, shard, connections, fetches, documents, bytes)
     values ($1, $2, pg_backend_pid() % ${SHARDS}, $3, $4, $5, $6)
     on conflict (environment_uuid, month, shard) do update set connections = u.connections + excluded.connections,
       fetches = u.fetches + excluded.fetches, documents = u.documents + excluded.documents, bytes = u.bytes + excluded.bytes`,
    [environmentUuid, firstDayOf(now), connections, fetches, documents, bytes],
  );
}

/** What an environment has used in the month of `now`, so far. */
export async function readUsage(em: EntityManager, environmentUuid: string, now: Date): Promise<Usage> {
  const [row] = await sql<Record<keyof Usage, string>>(
    em,
    `select coalesce(sum(connections), 0) as connections, coalesce(sum(fetches), 0) as fetches,
       coalesce(sum(documents), 0) as documents, coalesce(sum(bytes), 0) as bytes
     from monthly_usage where environment_uuid = $1 and month = $2`,
    [environmentUuid, firstDayOf(now)],
  );
  return {
    connections: Number(row!.connections),
    fetches: Number(row!.fetches),
    documents: Number(row!.documents),
    bytes: Number(row!.bytes),
  };
}

/** Months begin in UTC: `2026-11-01`. */
export const firstDayOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`;
