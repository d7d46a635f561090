import { v7 as uuidV7 } from 'uuid';
import { nextFetchTime } from './next-fetch-time';

const DAY = { fetchIntervalMinutes: 1440 };
const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-21T09:00:00.123Z');
/** Created at the same moment, as by a migration: only the random bits of the uuids differ. */
const connections = Array.from({ length: 6000 }, () => ({ uuid: uuidV7() }));

/** Counts the dates in each twelfth of a day. */
function countByTwelfth(dates: readonly Date[]): number[] {
  const counts = new Array<number>(12).fill(0);
  for (const date of dates) counts[Math.floor((date.getTime() % DAY_MS) / (DAY_MS / 12))]! += 1;
  return counts;
}

describe('nextFetchTime', () => {
  it.each([5, 7, 60, 1440, 525_600])(
    'is between half an interval and one interval ahead, for an interval of %i minutes',
    (minutes) => {
      const environment = { fetchIntervalMinutes: minutes };
      for (const connection of connections.slice(0, 500)) {
        let at = NOW;
        for (let i = 0; i < 5; i++) {
          const next = nextFetchTime(connection, at, environment);
          const ahead = (next.getTime() - at.getTime()) / 60_000;
          expect(ahead).toBeGreaterThanOrEqual(minutes / 2);
          expect(ahead).toBeLessThanOrEqual(minutes);
          at = next;
        }
      }
    },
  );

  it('spreads connections that were created together over the whole interval, from the second date on', () => {
    let dates = connections.map((connection) => nextFetchTime(connection, NOW, DAY));
    expect(Math.max(...countByTwelfth(dates))).toBeLessThan(connections.length / 3); // the first dates are spread as well
    for (let i = 0; i < 3; i++) {
      dates = dates.map((at, n) => nextFetchTime(connections[n]!, at, DAY));
      for (const count of countByTwelfth(dates)) {
        expect(count).toBeGreaterThan(400);
        expect(count).toBeLessThan(600);
      }
    }
    for (const [n, at] of dates.entries()) {
      expect(nextFetchTime(connections[n]!, at, DAY).getTime() - at.getTime()).toBe(DAY_MS);
    }
  });

  it('keeps the same times however late the scheduler polls', () => {
    const [connection] = connections;
    const own = nextFetchTime(connection!, nextFetchTime(connection!, NOW, DAY), DAY);
    for (const late of [0, 1, 999, 60_000, DAY_MS / 2]) {
      const next = nextFetchTime(connection!, new Date(own.getTime() + late), DAY);
      expect(next.getTime() - own.getTime()).toBe(DAY_MS);
    }
  });
});
