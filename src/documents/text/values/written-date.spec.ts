import { dayOrder, parseDate } from './written-date';

describe('a date in a document', () => {
  it.each([
    ['02.03.2026', '2026-03-02'],
    ['2. 3. 2026', '2026-03-02'],
    ['02.03.26', '2026-03-02'],
    ['2. März 2026', '2026-03-02'],
    ['Montag, den 2. März 2026', '2026-03-02'],
    ['1. Jänner 2026', '2026-01-01'],
    ['2026-03-02', '2026-03-02'],
    ['March 2, 2026', '2026-03-02'],
    ['Mar 2nd, 2026', '2026-03-02'],
    ['02-Mar-2026', '2026-03-02'],
    ['2nd March 2026', '2026-03-02'],
    ['02.03.2026 12:30', '2026-03-02'],
    ['25/03/2026', '2026-03-25'],
    ['03/25/2026', '2026-03-25'],
    ['03/03/2026', '2026-03-03'],
  ])('%s is read', (text, day) => {
    expect(parseDate(text)).toBe(day);
  });

  it.each([
    ['31.02.2026', 'does not exist'],
    ['02/03/2026', 'has two readings'],
    ['02.03.1886', 'is too old'],
    ['02.03.2126', 'is too far in the future'],
    ['02.03.20261', 'is a part of a number'],
    ['Rechnung vom 02.03.2026', 'is not at the beginning'],
    ['März 2026', 'has no day'],
  ])('%s is left, because it %s', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  it('with slashes is read in the order that another date of the document proves', () => {
    expect(dayOrder(['02/03/2026', 'due 25/03/2026'])).toBe('DAY_FIRST');
    expect(dayOrder(['02/03/2026', 'due 03/25/2026'])).toBe('MONTH_FIRST');
    expect(dayOrder(['02/03/2026'])).toBeUndefined();
    expect(dayOrder(['25/03/2026', '03/25/2026'])).toBeUndefined();
    expect(parseDate('02/03/2026', 'DAY_FIRST')).toBe('2026-03-02');
    expect(parseDate('02/03/2026', 'MONTH_FIRST')).toBe('2026-02-03');
  });
});
