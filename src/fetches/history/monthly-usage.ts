import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';

/** The usage of an environment in a month. */
export interface Usage {
  /** Connections with at least one ended fetch; deleted ones stay counted. */
  readonly connections: number;
  /** Ended fetches, including failed ones, without cancelled ones. */
  readonly fetches: number;
  /** New documents. */
  readonly documents: number;
  /** Their total size. */
  readonly bytes: number;
}

/** Rows per environment and month, chosen by database connection, so that concurrent transactions rarely wait for the same row. */
export const USAGE_SHARDS = 32;

/**
 * Adds to an environment's usage in the caller's transaction, so that exactly what is committed is counted. Call it last, so that
 * the row is locked only during the commit, and at most once per transaction, so that no deadlock is possible.
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
     values ($1, $2, pg_backend_pid() % ${USAGE_SHARDS}, $3, $4, $5, $6)
     on conflict (environment_uuid, month, shard) do update set connections = u.connections + excluded.connections,
       fetches = u.fetches + excluded.fetches, documents = u.documents + excluded.documents, bytes = u.bytes + excluded.bytes`,
    [environmentUuid, firstDayOf(now), connections, fetches, documents, bytes],
  );
}

/** SQL: the columns of a usage, summed over the shards; texts, as the database returns large numbers. */
export const USAGE_SUMS =
  'sum(connections) as connections, sum(fetches) as fetches, sum(documents) as documents, sum(bytes) as bytes';
export type UsageSums = Readonly<Record<keyof Usage, string | null>>;

/** Zeros where nothing was counted. */
export const usageOf = (sums: UsageSums | undefined): Usage => ({
  connections: Number(sums?.connections ?? 0),
  fetches: Number(sums?.fetches ?? 0),
  documents: Number(sums?.documents ?? 0),
  bytes: Number(sums?.bytes ?? 0),
});

/** The usage of an environment in the month of `now` so far. */
export async function readUsage(em: EntityManager, environmentUuid: string, now: Date): Promise<Usage> {
  const [row] = await sql<UsageSums>(
    em,
    `select ${USAGE_SUMS} from monthly_usage where environment_uuid = $1 and month = $2`,
    [environmentUuid, firstDayOf(now)],
  );
  return usageOf(row);
}

/** Months begin in UTC: `2026-11-01`. */
export const firstDayOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`;
