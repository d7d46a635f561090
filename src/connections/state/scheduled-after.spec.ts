import { v7 as uuidV7 } from 'uuid';
import { scheduledAfter } from './scheduled-after';

const DAY = { fetchIntervalMinutes: 1440 };
const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-21T09:00:00.123Z');
/** Made within one moment, as by a migration: only their random ends differ. */
const together = Array.from({ length: 6000 }, () => ({ uuid: uuidV7() }));

/** How many of the dates fall into each twelfth of a day. */
function twelfths(dates: readonly Date[]): number[] {
  const counts = new Array<number>(12).fill(0);
  for (const date of dates) counts[Math.floor((date.getTime() % DAY_MS) / (DAY_MS / 12))]! += 1;
  return counts;
}

describe('scheduledAfter', () => {
  it.each([5, 7, 60, 1440, 525_600])(
    'lies between half an interval and one ahead, with one of %i minutes',
    (minutes) => {
      const environment = { fetchIntervalMinutes: minutes };
      for (const connection of together.slice(0, 500)) {
        let at = NOW;
        for (let i = 0; i < 5; i++) {
          const next = scheduledAfter(connection, at, environment);
          const ahead = (next.getTime() - at.getTime()) / 60_000;
          expect(ahead).toBeGreaterThanOrEqual(minutes / 2);
          expect(ahead).toBeLessThanOrEqual(minutes);
          at = next;
        }
      }
    },
  );

  it('has connections that came in one moment keep times of their own all over the interval, from the second date on', () => {
    let dates = together.map((connection) => scheduledAfter(connection, NOW, DAY));
    expect(Math.max(...twelfths(dates))).toBeLessThan(together.length / 3); // the first ones are no wave either
    for (let i = 0; i < 3; i++) {
      dates = dates.map((at, n) => scheduledAfter(together[n]!, at, DAY));
      for (const count of twelfths(dates)) {
        expect(count).toBeGreaterThan(400);
        expect(count).toBeLessThan(600);
      }
    }
    for (const [n, at] of dates.entries()) {
      expect(scheduledAfter(together[n]!, at, DAY).getTime() - at.getTime()).toBe(DAY_MS);
    }
  });

  it('keeps to the same times however late a look comes', () => {
    const [connection] = together;
    const own = scheduledAfter(connection!, scheduledAfter(connection!, NOW, DAY), DAY);
    for (const late of [0, 1, 999, 60_000, DAY_MS / 2]) {
      const next = scheduledAfter(connection!, new Date(own.getTime() + late), DAY);
      expect(next.getTime() - own.getTime()).toBe(DAY_MS);
    }
  });
});
