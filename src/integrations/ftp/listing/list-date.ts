const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/**
 * Parses the date of a line in the format of `ls -l` or DOS: in the server's time zone, taken as UTC, with a precision of minutes,
 * or of days for older files. Undefined for other formats.
 */
export function listDate(raw: string, now: Date): Date | undefined {
  const unix = /^(?:([a-z]{3})\s+(\d{1,2})|(\d{1,2})\s+([a-z]{3}))\s+(?:(\d{1,2}):(\d{2})|(\d{4}))$/i.exec(raw.trim());
  if (unix) {
    const month = MONTHS.indexOf((unix[1] ?? unix[4])!.toLowerCase());
    const day = Number(unix[2] ?? unix[3]);
    if (month < 0) return undefined;
    if (unix[7] !== undefined) return new Date(Date.UTC(Number(unix[7]), month, day));
    const at = (year: number) => new Date(Date.UTC(year, month, day, Number(unix[5]), Number(unix[6])));
    // Without a year it is the last such day, or tomorrow when the server's clock is ahead.
    const thisYear = at(now.getUTCFullYear());
    return thisYear.getTime() > now.getTime() + DAY_MS ? at(now.getUTCFullYear() - 1) : thisYear;
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)\s+(\d\d):(\d\d)/.exec(raw.trim());
  if (iso) return utc(iso[1]!, iso[2]!, iso[3]!, Number(iso[4]), Number(iso[5]));
  const dos = /^(\d\d)-(\d\d)-(\d\d|\d{4})\s+(\d\d):(\d\d)([AP]M)?/i.exec(raw.trim());
  if (!dos) return undefined;
  const year = dos[3]!.length === 4 ? dos[3]! : `${Number(dos[3]) < 70 ? 20 : 19}${dos[3]}`;
  const hour = (Number(dos[4]) % (dos[6] ? 12 : 24)) + (dos[6]?.toUpperCase() === 'PM' ? 12 : 0);
  return utc(year, dos[1]!, dos[2]!, hour, Number(dos[5]));
}

function utc(year: string, month: string, day: string, hour: number, minute: number): Date {
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute));
}
