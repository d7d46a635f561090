import { SETTING_DEFINITIONS } from '../../platform/config/setting-definitions';
import type { Settings } from '../../platform/config/settings';
import { RetrySchedule } from './retry-schedule';

const HOUR = 3600;
/** decisions 6: 12 attempts, after 0 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h, 20 h, 24 h. */
const WAITS = [30, 120, 600, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, 24 * HOUR];

describe('The retry schedule', () => {
  const { parse, default: standard } = SETTING_DEFINITIONS.pushRetrySchedule;
  const pushRetrySchedule = parse(standard);
  const schedule = new RetrySchedule({ pushRetrySchedule } as Partial<Settings> as Settings);
  const secondsUntilNext = schedule.secondsUntilNext.bind(schedule);

  it('has twelve attempts over more than a weekend (decisions 6)', () => {
    expect(WAITS.map((_, index) => secondsUntilNext(index + 1, null, 0))).toEqual(WAITS);
    expect(pushRetrySchedule).toHaveLength(12);
    expect(pushRetrySchedule.reduce((sum, wait) => sum + wait)).toBeGreaterThan(71 * HOUR);
  });

  it('ends after the twelfth attempt', () => {
    expect(secondsUntilNext(12, null)).toBeNull();
    expect(secondsUntilNext(12, 10)).toBeNull();
  });

  it('adds up to ten percent', () => {
    expect(secondsUntilNext(4, null, 1)).toBeCloseTo(1980);
    for (let n = 0; n < 100; n++) {
      const wait = secondsUntilNext(1, null)!;
      expect(wait).toBeGreaterThanOrEqual(30);
      expect(wait).toBeLessThanOrEqual(33);
    }
  });

  it('respects a longer delay that the client requests, and no shorter one', () => {
    expect(secondsUntilNext(1, 90, 0)).toBe(90);
    expect(secondsUntilNext(3, 5, 0)).toBe(600);
  });

  it('limits a requested delay to a day', () => {
    expect(secondsUntilNext(1, 999_999_999, 0)).toBe(24 * HOUR);
  });
});
