import { missingInvoice } from './missing-invoice';

const LATE = '2026-06-20';

describe('A supplier that came monthly', () => {
  it('has missed an invoice one month and two weeks after the last one', () => {
    const dates = ['2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'];
    expect(missingInvoice(dates, '2026-06-17')).toBeNull();
    expect(missingInvoice(dates.toReversed(), '2026-06-18')).toEqual({ lastDates: dates, expectedBy: '2026-06-17' });
  });

  it.each([
    [
      'on the last days of months, leap years included',
      ['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31'],
      '2024-05-15',
    ],
    ['around the turn of a month', ['2026-01-31', '2026-03-01', '2026-03-31', '2026-05-01'], LATE],
    ['on another day since a while', ['2026-02-03', '2026-03-03', '2026-04-15', '2026-05-15'], '2026-06-30'],
    ['on working days', ['2026-02-02', '2026-03-02', '2026-04-01', '2026-05-04'], LATE],
    ['after a pause', ['2025-10-03', '2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'], LATE],
    ['several times on the same day', ['2026-02-03', '2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'], LATE],
  ])('is recognized %s', (_, dates, today) => {
    expect(missingInvoice(dates, today)?.lastDates).toEqual([...new Set(dates)].slice(-4));
  });

  it('is recognized with two invoices a month, and awaited from the later one on', () => {
    const dates = ['02-03', '02-17', '03-03', '03-17', '04-02', '04-16', '05-04', '05-18'].map((day) => `2026-${day}`);
    expect(missingInvoice(dates, '2026-07-02')).toBeNull();
    expect(missingInvoice(dates, '2026-07-03')).toEqual({ lastDates: dates, expectedBy: '2026-07-02' });
  });

  it('has ended when it has not come for long', () => {
    const dates = ['2026-02-03', '2026-03-03', '2026-04-03', '2026-05-03'];
    expect(missingInvoice(dates, '2026-08-16')).not.toBeNull();
    expect(missingInvoice(dates, '2026-08-17')).toBeNull();
  });
});

describe('Nothing is expected of a supplier', () => {
  it.each([
    ['with three invoices', ['2026-03-03', '2026-04-03', '2026-05-03']],
    ['that left out a month', ['2026-01-03', '2026-02-03', '2026-04-03', '2026-05-03']],
    ['that came every three months', ['2025-08-03', '2025-11-03', '2026-02-03', '2026-05-03']],
    ['that came yearly', ['2023-05-03', '2024-05-03', '2025-05-03', '2026-05-03']],
    ['that came weekly', ['2026-04-12', '2026-04-19', '2026-04-26', '2026-05-03']],
    [
      'with an additional invoice in the last months',
      ['2026-02-03', '2026-03-03', '2026-03-10', '2026-04-03', '2026-05-03'],
    ],
    [
      'with two invoices a month on changing days',
      ['02-03', '02-20', '03-03', '03-28', '04-05', '04-16', '05-01', '05-10'].map((day) => `2026-${day}`),
    ],
    ['without invoices', []],
  ])('%s', (_, dates) => {
    expect(missingInvoice(dates, LATE)).toBeNull();
  });
});
