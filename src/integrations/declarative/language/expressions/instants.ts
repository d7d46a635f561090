import { startOfDay } from '../../../shared/tree-sync/selection/start-of-day';

/** An IANA time zone. */
export type Zone = string;

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T ])/;
/** Milliseconds of .NET: `/Date(1573755038314+0000)/`. */
const DOT_NET = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?$/;

/** In seconds: the years 1000 to 9999 in every zone. Others have no four digits, and most of them are numbers of milliseconds. */
const FIRST = Date.UTC(1000, 0, 2) / 1000;
const LAST = Date.UTC(9999, 11, 31) / 1000;

const isPlausible = (seconds: number): boolean => seconds >= FIRST && seconds < LAST;

/**
 * Seconds since 1970 of a number of seconds, a date or a date with time; without an offset, in the zone. Undefined for anything
 * else, and before the year 1000 or after 9999.
 */
export function instantOf(value: unknown, zone: Zone): number | undefined {
  const seconds = typeof value === 'number' ? value : secondsOf(value, zone);
  return seconds !== undefined && isPlausible(seconds) ? seconds : undefined;
}

function secondsOf(value: unknown, zone: Zone): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const [, milliseconds] = DOT_NET.exec(text) ?? [];
  if (milliseconds !== undefined) return Number(milliseconds) / 1000;
  if (/^-?\d{1,12}(\.\d+)?$/.test(text) && !DAY.test(text)) return Number(text);
  const [, day, hours, minutes, seconds] = LOCAL.exec(text) ?? [];
  if (day !== undefined) {
    // The offset of the day's start: around a change of the clock this differs by an hour, which every overlap covers.
    return startOf(day, zone, Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0));
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return DAY.test(text) ? startOf(text, zone) : undefined;
  const moment = DAY.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? undefined : moment / 1000;
}

function startOf(day: string, zone: Zone, later = 0): number | undefined {
  return DAY.test(day) ? startOfDay(day, zone).getTime() / 1000 + later : undefined;
}

/** The day (`YYYY-MM-DD`) as the source shows it; of a number of seconds from the year 1000 to 9999, the day in the zone. */
export function dayOf(value: unknown, zone: Zone): string | undefined {
  if (typeof value === 'string' && DOT_NET.test(value.trim())) return dayOf(secondsOf(value, zone), 'UTC');
  if (typeof value === 'string') return DAY.exec(value.trim())?.[0];
  if (typeof value !== 'number' || !isPlausible(value)) return undefined;
  return formatter(zone).format(value * 1000);
}

/** The first and the last day of a month (`2026-11` or `11-2026`), or of the month of a time. */
export function monthOf(value: unknown, zone: Zone): readonly [first: string, last: string] | undefined {
  const first = dayOf(
    typeof value === 'string'
      ? value
          .trim()
          .replace(/^(\d{2})-(\d{4})$/, '$2-$1')
          .replace(/^\d{4}-\d{2}$/, '$&-01')
      : value,
    zone,
  );
  if (first === undefined) return undefined;
  const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return [`${first.slice(0, 8)}01`, `${first.slice(0, 8)}${days}`];
}

/** `2026-11-25 09:30:00` in the zone, for providers whose times have no offset. */
export function localTime(seconds: number, zone: Zone): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(seconds * 1000);
}

const formatters = new Map<Zone, Intl.DateTimeFormat>();

/** The Swedish date format is that of ISO 8601. Making a formatter takes far longer than using it. */
function formatter(timeZone: Zone): Intl.DateTimeFormat {
  let made = formatters.get(timeZone);
  if (!made) formatters.set(timeZone, (made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })));
  return made;
}
