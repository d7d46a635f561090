/** The first moment of a day (`YYYY-MM-DD`) in an IANA time zone; where midnight is skipped, the moment the clock goes on. */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The zone's offset is wanted at the very moment that is looked for: guess, and look again from there.
  const guess = midnight - offsetAt(midnight, timeZone);
  const exact = midnight - offsetAt(guess, timeZone);
  return new Date(offsetAt(exact, timeZone) === midnight - exact ? exact : Math.max(guess, exact));
}

/** How far local time is ahead of UTC, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(moment / 1000) * 1000;
}
