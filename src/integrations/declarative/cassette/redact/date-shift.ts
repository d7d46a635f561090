const DAY_SECONDS = 86_400;

/** ISO 8601 and RFC 3339, with or without time and offset. */
const DATE = /^(\d{4}-\d{2}-\d{2})((?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?)$/;
const MONTH = /^(?:\d{4}-(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])-\d{4})$/;
const DOT_NET = /^\/Date\((-?\d{1,15})((?:[+-]\d{4})?)\)\/$/;
/** Dates outside are no dates of documents, but mean "never" or "unknown". */
const FIRST = Date.UTC(1900, 0, 1) / 1000;
const LAST = Date.UTC(2100, 0, 1) / 1000;

const isPlausible = (seconds: number): boolean => seconds >= FIRST && seconds < LAST;

/** Moves all dates and times by the same number of days, so that their order and distances remain. */
export class DateShift {
  constructor(private readonly days: number) {}

  /** A date in one of the forms that no number has; undefined for anything else. */
  text(text: string): string | undefined {
    const [, day, time] = DATE.exec(text) ?? [];
    if (day !== undefined) return this.day(day, time!);
    if (MONTH.test(text)) return this.month(text);
    const [, milliseconds, zone] = DOT_NET.exec(text) ?? [];
    return milliseconds === undefined ? undefined : `/Date(${this.instant(Number(milliseconds))}${zone})/`;
  }

  /** A number of seconds or milliseconds since 1970. */
  instant(value: number): number {
    const unit = Math.abs(value) >= LAST ? 1000 : 1;
    return isPlausible(value / unit) ? value + this.days * DAY_SECONDS * unit : value;
  }

  /** `2026-11` or `11-2026` */
  private month(text: string): string | undefined {
    const isYearFirst = text[4] === '-';
    const moved = this.day(isYearFirst ? `${text}-01` : `${text.slice(3)}-${text.slice(0, 2)}-01`, '');
    return isYearFirst ? moved?.slice(0, 7) : moved && `${moved.slice(5, 7)}-${moved.slice(0, 4)}`;
  }

  private day(day: string, time: string): string | undefined {
    const seconds = Date.parse(`${day}T00:00:00Z`) / 1000;
    if (Number.isNaN(seconds)) return undefined;
    return isPlausible(seconds) ? new Date(this.instant(seconds) * 1000).toISOString().slice(0, 10) + time : day + time;
  }
}
