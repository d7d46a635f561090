/** The start of a day (`YYYY-MM-DD`) in an IANA time zone; when midnight is skipped, the first existing time. */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The offset depends on the result itself: guess, then correct.
  const guess = midnight - offsetAt(midnight, timeZone);
  const exact = midnight - offsetAt(guess, timeZone);
  return new Date(offsetAt(exact, timeZone) === midnight - exact ? exact : Math.max(guess, exact));
}

/** The offset of local time from UTC in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(moment);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(moment / 1000) * 1000;
}

/** By time zone: to make one costs ten times as much as to use it. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear();
  FORMATS.set(timeZone, format);
  return format;
}
