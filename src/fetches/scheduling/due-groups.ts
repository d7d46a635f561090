import type { RunPrepared } from '../../platform/database/prepared-transaction';
import { hasNoLease } from './claimed-fetch';

/** The two due times: of an immediate fetch, and of the schedule. */
export type DueColumn = 'immediate_fetch_at' | 'next_fetch_at';

/**
 * The due connections of one client by one of the two times. Each client has two groups, so that an immediate fetch, for which a user
 * may wait, does not wait for the client's scheduled ones.
 */
export interface DueGroup {
  readonly environment: string;
  readonly column: DueColumn;
}

/** The groups from which a worker claims next, and how many connections of each. */
export interface DueShare {
  readonly groups: readonly DueGroup[];
  readonly perGroup: number;
}

/** How long a worker uses the list of groups while more is due than it can claim. */
const LIST_MS = 1_000;

/**
 * Decides from which clients a worker claims. While its free places suffice for everything that is due, from all. Otherwise the
 * groups are served in turn with an equal share each, so that a client with a hundred thousand due connections does not delay
 * another one (ADR 11).
 */
export class DueGroups {
  private backlog: readonly DueGroup[] = [];
  private listedUntil = 0;
  private turn = 0;

  async next(run: RunPrepared, now: Date, places: number): Promise<DueShare> {
    if (performance.now() >= this.listedUntil) {
      const oldest = await oldestDue(run, now, places + 1);
      if (oldest.reduce((sum, { count }) => sum + count, 0) <= places) return { groups: oldest, perGroup: places };
      this.backlog = await allDue(run, now);
      this.listedUntil = performance.now() + LIST_MS;
    }
    const { length } = this.backlog;
    const count = Math.min(length, places);
    const groups = Array.from({ length: count }, (_, at) => this.backlog[(this.turn + at) % length]!);
    this.turn = length === 0 ? 0 : (this.turn + count) % length;
    return { groups, perGroup: Math.ceil(places / Math.max(1, length)) };
  }

  /** Fewer connections were due than the shares allowed: the next call reads the groups again. */
  outdated(): void {
    this.listedUntil = 0;
  }
}

/** The groups of the oldest `limit` due connections of each kind, each with the number of these. */
function oldestDue(run: RunPrepared, now: Date, limit: number): Promise<(DueGroup & { count: number })[]> {
  const oldest = (column: DueColumn) =>
    `(select environment_uuid, '${column}' as "column" from connection c
      where ${column} <= $1 and ${hasNoLease('c')} order by ${column} limit $2)`;
  return run(
    `select environment_uuid as environment, "column", count(*)::int as count
     from (${oldest('immediate_fetch_at')} union all ${oldest('next_fetch_at')}) oldest group by 1, 2`,
    [now, limit],
  );
}

/** All groups with due connections: two index probes for each client. */
function allDue(run: RunPrepared, now: Date): Promise<DueGroup[]> {
  const first = (column: DueColumn) =>
    `(select '${column}' as "column" from connection c
      where environment_uuid = e.uuid and ${column} <= $1 and ${hasNoLease('c')} order by ${column} limit 1)`;
  return run(
    `select e.uuid as environment, due."column"
     from environment e cross join lateral (${first('immediate_fetch_at')} union all ${first('next_fetch_at')}) due
     order by e.uuid, due."column"`,
    [now],
  );
}
