import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../database/sql';
import { uuidAt } from './history-partitions';

/** What ended well and badly in an hour; `hour` is its beginning in milliseconds since 1970. */
export interface HourCounts {
  readonly hour: number;
  readonly ok: number;
  readonly failed: number;
}

export const HOUR_MS = 3_600_000;

/**
 * Counts rows of an environment by hour, from the beginning of an hour to that of a later one. `statement` has the parameters environment,
 * first uuid, end and first uuids of all hours, and returns `ok`, `failed` and as `nth` the hour by `width_bucket`: for a million rows,
 * comparing uuids takes a third of the time of computing their hours.
 */
export async function countByHour(
  em: EntityManager,
  statement: string,
  environmentUuid: string,
  from: Date,
  to: Date,
): Promise<HourCounts[]> {
  const length = Math.round((to.getTime() - from.getTime()) / HOUR_MS);
  const hours = Array.from({ length }, (_, index) => from.getTime() + index * HOUR_MS);
  const limits = [uuidAt(from.getTime()), uuidAt(to.getTime()), hours.map(uuidAt)];
  const rows = await sql<{ nth: number; ok: number; failed: number }>(em, statement, [environmentUuid, ...limits]);
  return rows.map(({ nth, ok, failed }) => ({ hour: hours[nth - 1]!, ok, failed }));
}
