import { randomInt } from 'node:crypto';
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

/** A group from which a worker claims next. */
export interface DueShare extends DueGroup {
  /** How many connections of it at most. */
  readonly places: number;
}

/** The shares of one claim. */
export interface DueShares {
  readonly shares: readonly DueShare[];
  /** The groups were listed for an earlier claim, so they may have nothing due any more, and others may have. */
  readonly isListedBefore: boolean;
}

/** How long a worker uses the list of groups while more is due than it can claim. */
const LIST_MS = 1_000;

/**
 * Decides from which clients a worker claims. While its free places suffice for everything that is due, from all. Otherwise the
 * groups have equal shares, and the places that cannot be divided go round: a client with a hundred thousand due connections does not
 * delay another one (ADR 11).
 */
export class DueGroups {
  private backlog: readonly DueGroup[] = [];
  private listedUntil = 0;
  /** The group that is served first, modulo their number. Random at first, so that not all workers begin with the same group. */
  private round = randomInt(2 ** 31);

  async next(run: RunPrepared, now: Date, places: number): Promise<DueShares> {
    const isListedBefore = performance.now() < this.listedUntil;
    if (!isListedBefore) {
      const oldest = await oldestDue(run, now, places + 1);
      if (oldest.reduce((sum, { count }) => sum + count, 0) <= places) {
        return { shares: oldest.map((group) => ({ ...group, places })), isListedBefore };
      }
      this.backlog = await allDue(run, now);
      this.listedUntil = performance.now() + LIST_MS;
    }
    return { shares: this.divide(places), isListedBefore };
  }

  /** The shares differ by one place at most, and the next call begins after the groups that have one more. */
  private divide(places: number): DueShare[] {
    const { length } = this.backlog;
    if (length === 0) return [];
    const [base, extra] = [Math.floor(places / length), places % length];
    const served = base === 0 ? extra : length;
    const shares = Array.from({ length: served }, (_, at) => ({
      ...this.backlog[(this.round + at) % length]!,
      places: base + (at < extra ? 1 : 0),
    }));
    this.round += extra;
    return shares;
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
