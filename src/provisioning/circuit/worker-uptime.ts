import type { EntityManager } from '@mikro-orm/postgresql';
import { affected, sql } from '../../platform/database/sql';

/** Maximum gap between two polls of a worker, or of a worker and its successor, within one period of uptime, in seconds. */
const MAX_GAP_SECONDS = 120;
/** Periods that ended longer ago are deleted, in days. */
const RETENTION_DAYS = 90;

/** A period in which at least one worker ran. */
export interface Uptime {
  readonly from: Date;
  readonly to: Date;
}

/** Records that this worker has been running from `from` to `to`. */
export async function recordUptime(em: EntityManager, { from, to }: Uptime): Promise<void> {
  const extended = await affected(
    em,
    `update worker_uptime set seen_at = greatest(seen_at, $2)
     where seen_at >= $1::timestamptz - make_interval(secs => ${MAX_GAP_SECONDS}) and started_at <= $2`,
    [from, to],
  );
  if (extended === 0) {
    await sql(em, 'insert into worker_uptime (started_at, seen_at) values ($1, $2) on conflict do nothing', [from, to]);
  }
  await sql(
    em,
    `delete from worker_uptime where seen_at < $1::timestamptz - make_interval(days => ${RETENTION_DAYS})`,
    [to],
  );
}

export async function readUptimes(em: EntityManager): Promise<Uptime[]> {
  const rows = await sql<{ started_at: string; seen_at: string }>(em, 'select started_at, seen_at from worker_uptime');
  return rows.map(({ started_at, seen_at }) => ({ from: new Date(started_at), to: new Date(seen_at) }));
}

/** The time since when workers have run for this many seconds in total; null when they never have. */
export function startOfUptime(uptimes: readonly Uptime[], seconds: number): Date | null {
  let left = seconds * 1000;
  // From the latest to the earliest, each moment counted once: several workers may have run at the same time.
  let countedFrom = Infinity;
  for (const { from, to } of mergeUptimes(uptimes).reverse()) {
    countedFrom = Math.min(to.getTime(), countedFrom);
    const length = countedFrom - from.getTime();
    if (length >= left) return new Date(countedFrom - left);
    left -= length;
    countedFrom = from.getTime();
  }
  return null;
}

function mergeUptimes(uptimes: readonly Uptime[]): Uptime[] {
  const all: Uptime[] = [];
  for (const next of uptimes.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = all.at(-1);
    if (last && next.from <= last.to)
      all[all.length - 1] = { from: last.from, to: last.to > next.to ? last.to : next.to };
    else all.push(next);
  }
  return all;
}
