const DAY_MS = 86_400_000;
/** Invoices in a row that show a monthly supplier. */
const MONTHS = 4;
/** Days between two consecutive monthly invoices: a month, two weeks more or less. */
const MIN_GAP_DAYS = 16;
const MAX_GAP_DAYS = 46;
/** With two invoices a month: days by which each may differ from the day of the month before. */
const CLOSE_DAYS = 5;
/** Days after the usual one on which an invoice is still awaited. */
export const GRACE_DAYS = 14;
/** Days after `expectedBy` in which it is told; who has not come for longer has ended. */
export const TOLD_DAYS = 60;
/** The latest dates of a supplier that the rule needs: two invoices a month. */
export const DATES_NEEDED = 2 * MONTHS;

/** An invoice that was expected and has not come. Dates are `YYYY-MM-DD`. */
export interface MissingInvoice {
  /** The evidence, oldest first. */
  readonly lastDates: readonly string[];
  /** The last day on which it would have been in time. */
  readonly expectedBy: string;
}

/**
 * The invoice that a supplier has missed until today: its last four invoices came monthly (or the last eight, two a month), and none
 * has come within a month and two weeks after the last one. Null when there is no such rhythm, it is not late yet, or it has been late
 * for so long that the supplier has ended. `dates` are the days of its latest invoices, in any order.
 */
export function missingInvoice(dates: readonly string[], today: string): MissingInvoice | null {
  const days = [...new Set(dates)].sort();
  const lastDates = evidence(days);
  if (!lastDates) return null;
  const expectedBy = addDays(addMonth(lastDates.at(-1)!), GRACE_DAYS);
  const isLate = today > expectedBy && today <= addDays(expectedBy, TOLD_DAYS);
  return isLate ? { lastDates, expectedBy } : null;
}

function evidence(days: readonly string[]): readonly string[] | null {
  const single = days.slice(-MONTHS);
  const isMonthly = (gap: number) => gap >= MIN_GAP_DAYS && gap <= MAX_GAP_DAYS;
  if (single.length === MONTHS && gaps(single, 1).every(isMonthly)) return single;
  const double = days.slice(-2 * MONTHS);
  const isClose = (date: string, at: number) => Math.abs(daysBetween(addMonth(date), double[at + 2]!)) <= CLOSE_DAYS;
  return double.length === 2 * MONTHS && double.slice(0, -2).every(isClose) ? double : null;
}

const gaps = (days: readonly string[], step: number): number[] =>
  days.slice(step).map((day, at) => daysBetween(days[at]!, day));

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day of the next month, or its last one. */
function addMonth(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, lastDay))).toISOString().slice(0, 10);
}
