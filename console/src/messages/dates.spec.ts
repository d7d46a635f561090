import { formatRelative } from './dates';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const relative = (ms: number, lang: 'de' | 'en' = 'en') => formatRelative(new Date(NOW + ms).toISOString(), lang, NOW);

describe('a date relative to now', () => {
  it.each([
    [59_000, null],
    [-59_000, null],
    [-90_000, '2 min ago'],
    [-59.6 * MINUTE, '1 hr ago'],
    [8 * HOUR - 3_000, 'in 8 hr'],
    [23.6 * HOUR, 'in 1 day'],
    [90 * DAY - 3_000, 'in 3 mo'],
    [-364 * DAY, '1 yr ago'],
  ])('of %i ms is %s', (ms, text) => {
    expect(relative(ms)).toBe(text);
  });

  it('is in the language of the user', () => {
    expect(relative(-3 * MINUTE, 'de')).toBe('vor 3 Min.');
  });
});
