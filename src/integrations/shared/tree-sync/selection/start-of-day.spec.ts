import { startOfDay } from './start-of-day';

it.each([
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
  ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  // The clock changes in the night of the day, or of the day before.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-11-20', 'America/Los_Angeles', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00.000Z'],
  ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
  // Chile went from 00:00 to 01:00 that day.
  ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z'],
])('%s starts in %s at %s', (date, zone, expected) => {
  expect(startOfDay(date, zone).toISOString()).toBe(expected);
});
