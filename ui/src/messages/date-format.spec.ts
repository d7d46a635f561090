import { de } from './de';
import { en } from './en';
import { formatDay, formatDateTime, formatEarliest, formatNextFetch, formatShortDay } from './date-format';

const now = new Date(2026, 10, 20, 14, 32);
const spaced = (text: string) => text.replaceAll('\u00a0', ' ');
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

describe('date format', () => {
  it.each([
    [at(2026, 10, 20, 0, 5), 'today at 00:05', 'heute um 00:05 Uhr'],
    [at(2026, 10, 21, 23, 59), 'tomorrow at 23:59', 'morgen um 23:59 Uhr'],
    [at(2026, 10, 19, 14, 33), 'yesterday at 14:33', 'gestern um 14:33 Uhr'],
    [at(2027, 2, 3, 9, 0), '3 March 2027, 09:00', '3. März 2027, 09:00 Uhr'],
  ])('formats %s', (moment, english, german) => {
    expect(spaced(formatDateTime(moment, 'en', en.when, now))).toBe(english);
    expect(spaced(formatDateTime(moment, 'de', de.when, now))).toBe(german);
  });

  it('formats a date in the locale, in any time zone', () => {
    expect(spaced(formatDay('2026-01-01', 'en'))).toBe('1 January 2026');
    expect(spaced(formatDay('2026-01-01', 'de'))).toBe('1. Januar 2026');
  });

  it('formats a short date in the locale, in any time zone', () => {
    expect(spaced(formatShortDay('2026-09-01', 'en'))).toBe('1 Sep 2026');
    expect(formatShortDay('2026-09-01', 'de')).toBe('01.09.2026');
    expect(formatShortDay('2026-09-01', 'en')).not.toContain(' ');
  });

  it('does not break within a date, or between a time and its unit', () => {
    expect(formatDay('2026-01-01', 'de')).not.toContain(' ');
    expect(formatDateTime(now.toISOString(), 'de', de.when, now)).toMatch(/14:32\u00a0Uhr$/);
  });

  it('rounds up the time from which something is possible', () => {
    const earliest = (seconds: number) =>
      formatEarliest(new Date(2026, 10, 20, 14, 40, seconds).getTime(), 'en', en.when, now);
    expect([earliest(0), earliest(1)]).toEqual(['today at 14:40', 'today at 14:41']);
  });

  it('formats a past time as any moment now', () => {
    expect(formatNextFetch(now.toISOString(), 'en', en.when, now)).toBe('any moment now');
    expect(formatNextFetch(at(2026, 10, 20, 14, 33), 'en', en.when, now)).toBe('today at 14:33');
  });
});
