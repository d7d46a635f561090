import { type Filter, isDay, isUsable } from './use-filters';

describe('the value of a filter in the address', () => {
  it.each(['2026-11-27', '2024-02-29', '1970-01-01'])('may be the day %s', (day) => expect(isDay(day)).toBe(true));
  it.each(['', 'yesterday', '2026-02-31', '2025-02-29', '0202-11-27', '2026-1-1', '12026-01-01'])(
    'is ignored when it is no day: %j',
    (day) => expect(isDay(day)).toBe(false),
  );

  it('is ignored once the choices are known and it is not among them', () => {
    const filter = (options: readonly (readonly [string, string])[]): Filter => ({
      ...{ name: 'status', label: 'Status', kind: 'choice', options },
    });
    expect(isUsable(filter([['ACTIVE', 'Active']]), 'ACTIVE')).toBe(true);
    expect(isUsable(filter([['ACTIVE', 'Active']]), 'LOST')).toBe(false);
    expect(isUsable(filter([]), 'imap')).toBe(true);
  });
});
