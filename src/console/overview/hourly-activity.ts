import { LRUCache } from 'lru-cache';
import { HOUR_MS, type HourCounts } from '../../platform/history/hour-counts';

/** Hours that are shown, with the current one. */
const HOURS = 24;
/** Hours that have ended this long ago do not change any more: what began in them has ended. */
const FINAL_AFTER_MS = HOUR_MS;
/** Environments whose hours are kept. */
const MAX_ENVIRONMENTS = 500;

type Count = (from: Date, to: Date) => Promise<HourCounts[]>;

/**
 * The counts of the last 24 hours. Those of hours that have ended are kept: a million rows a day are counted once for each process, and
 * then only the last two hours. Callers at the same time wait for one count.
 */
export class HourlyActivity {
  private readonly counting = new Map<string, Promise<HourCounts[]>>();
  private readonly final = new LRUCache<string, Map<number, HourCounts>>({ max: MAX_ENVIRONMENTS });

  /** The counts of each hour, the oldest first. `count` counts the hours of a period that has something. */
  read(environmentUuid: string, now: Date, count: Count): Promise<HourCounts[]> {
    const known = this.counting.get(environmentUuid);
    if (known) return known;
    const counting = this.countMissing(environmentUuid, now, count).finally(() =>
      this.counting.delete(environmentUuid),
    );
    this.counting.set(environmentUuid, counting);
    return counting;
  }

  private async countMissing(environmentUuid: string, now: Date, count: Count): Promise<HourCounts[]> {
    const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const hours = Array.from({ length: HOURS }, (_, index) => current - (HOURS - 1 - index) * HOUR_MS);
    const known = this.final.get(environmentUuid);
    const missing = hours.find((hour) => !known?.has(hour)) ?? current;
    const counted = await count(new Date(missing), new Date(current + HOUR_MS));
    const fresh = new Map(counted.map((row) => [row.hour, row]));
    const all = hours.map((hour) =>
      hour < missing ? known!.get(hour)! : (fresh.get(hour) ?? { hour, ok: 0, failed: 0 }),
    );
    const isFinal = ({ hour }: HourCounts) => hour + HOUR_MS + FINAL_AFTER_MS <= now.getTime();
    this.final.set(environmentUuid, new Map(all.filter(isFinal).map((row) => [row.hour, row])));
    return all;
  }
}
