import { HOUR_MS, type HourCounts } from '../../platform/history/hour-counts';
import { HourlyActivity } from './hourly-activity';

describe('HourlyActivity', () => {
  const NOW = Date.parse('2026-11-20T08:30:00Z');
  const HOUR = Date.parse('2026-11-20T08:00:00Z');
  const counting = (...rows: HourCounts[]) => {
    const periods: [Date, Date][] = [];
    const count = (from: Date, to: Date): Promise<HourCounts[]> => {
      periods.push([from, to]);
      return Promise.resolve(rows.filter(({ hour }) => hour >= from.getTime() && hour < to.getTime()));
    };
    return { count, periods };
  };

  it('shows 24 hours, the oldest first, and the empty ones with zeros', async () => {
    const { count, periods } = counting(
      { hour: HOUR, ok: 3, failed: 1 },
      { hour: HOUR - 23 * HOUR_MS, ok: 2, failed: 0 },
    );
    const hours = await new HourlyActivity().read('a', new Date(NOW), count);
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ hour: HOUR - 23 * HOUR_MS, ok: 2, failed: 0 });
    expect(hours[1]).toEqual({ hour: HOUR - 22 * HOUR_MS, ok: 0, failed: 0 });
    expect(hours[23]).toEqual({ hour: HOUR, ok: 3, failed: 1 });
    expect(periods).toEqual([[new Date(HOUR - 23 * HOUR_MS), new Date(HOUR + HOUR_MS)]]);
  });

  it('counts the hours that have ended an hour ago only once, and each environment by itself', async () => {
    const activity = new HourlyActivity();
    await activity.read('a', new Date(NOW), counting({ hour: HOUR - 5 * HOUR_MS, ok: 7, failed: 0 }).count);
    const later = counting({ hour: HOUR - HOUR_MS, ok: 1, failed: 0 });
    const hours = await activity.read('a', new Date(NOW + HOUR_MS), later.count);
    expect(later.periods).toEqual([[new Date(HOUR - HOUR_MS), new Date(HOUR + 2 * HOUR_MS)]]);
    expect(hours.filter(({ ok }) => ok > 0).map(({ ok }) => ok)).toEqual([7, 1]);
    const other = counting();
    expect((await activity.read('b', new Date(NOW), other.count)).every(({ ok }) => ok === 0)).toBe(true);
    expect(other.periods[0]![0]).toEqual(new Date(HOUR - 23 * HOUR_MS));
  });

  it('counts once for callers at the same time, and again after a failure', async () => {
    const activity = new HourlyActivity();
    const { count, periods } = counting({ hour: HOUR, ok: 3, failed: 1 });
    const failing = () => Promise.reject(new Error('away'));
    const both = [activity.read('a', new Date(NOW), failing), activity.read('a', new Date(NOW), count)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const [one, other] = await Promise.all([
      activity.read('a', new Date(NOW), count),
      activity.read('a', new Date(NOW), count),
    ]);
    expect(one).toEqual(other);
    expect(periods).toHaveLength(1);
  });

  it('counts everything again after a day without a reader', async () => {
    const activity = new HourlyActivity();
    await activity.read('a', new Date(NOW), counting().count);
    const later = counting();
    await activity.read('a', new Date(NOW + 48 * HOUR_MS), later.count);
    expect(later.periods[0]![0]).toEqual(new Date(HOUR + 25 * HOUR_MS));
  });
});
