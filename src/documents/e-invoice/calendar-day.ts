/** `YYYY-MM-DD` when such a day exists in the calendar, else undefined. */
export function calendarDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text;
}

/** The day of an `xsd:date`; a time zone does not change it. */
export function xsdDay(text: string | undefined): string | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:Z|[+-]\d\d:\d\d)?$/.exec(text ?? '');
  return found ? calendarDay(found[1] ?? '', found[2] ?? '', found[3] ?? '') : undefined;
}

/** A day in format 102 of UNTDID 2379 (`CCYYMMDD`), the only one that EN 16931 allows in CII. */
export function format102Day(text: string | undefined, format: string | undefined): string | undefined {
  const found = format === '102' ? /^(\d{4})(\d\d)(\d\d)$/.exec(text ?? '') : null;
  return found ? calendarDay(found[1] ?? '', found[2] ?? '', found[3] ?? '') : undefined;
}
