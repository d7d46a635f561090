import { eachMonth, monthsOf } from './usage.dto';

const NOW = new Date('2026-02-28T23:59:59Z');

describe('The months of a usage report', () => {
  it('are the last twelve without parameters', () => {
    expect(monthsOf({}, NOW)).toEqual({ from: '2025-03', to: '2026-02' });
    expect(monthsOf({ to: '2025-01' }, NOW)).toEqual({ from: '2024-02', to: '2025-01' });
  });

  it('can begin with the first one that is accepted', () => {
    expect(monthsOf({ to: '2000-05' }, NOW)).toEqual({ from: '1999-06', to: '2000-05' });
  });

  it('are listed in order, with both limits, across years', () => {
    expect(eachMonth({ from: '2025-11', to: '2026-02' })).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(eachMonth({ from: '2026-02', to: '2026-02' })).toEqual(['2026-02']);
  });

  it('may be 120 at most, and not reversed', () => {
    expect(eachMonth(monthsOf({ from: '2016-03', to: '2026-02' }, NOW))).toHaveLength(120);
    const tooLong = expect.objectContaining({ code: 'VALIDATION_FAILED' });
    expect(() => monthsOf({ from: '2016-02', to: '2026-02' }, NOW)).toThrow(tooLong);
    expect(() => monthsOf({ from: '2026-03', to: '2026-02' }, NOW)).toThrow(tooLong);
  });
});
