/** Text for a response: NIL, a quoted string, or a literal when the text cannot be quoted (RFC 3501 4.3). `text` is latin1. */
export function nstring(text: string | undefined): string {
  return text === undefined ? 'NIL' : string(text);
}

/** Like `nstring`, for places where NIL is not allowed. */
export function string(text: string): string {
  if (text.length > 1000 || /[^\x20-\x7e]/.test(text)) return `{${text.length}}\r\n${text}`;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `"17-Jul-1996 02:44:25 +0200"` (RFC 3501 date-time) in the given zone. */
export function dateTime(date: Date, zoneMinutes: number): string {
  const local = new Date(date.getTime() + zoneMinutes * 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = two(local.getUTCDate());
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(':');
  const zone = Math.abs(zoneMinutes);
  const offset = `${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(zone / 60))}${two(zone % 60)}`;
  return `"${day}-${MONTHS[local.getUTCMonth()]}-${local.getUTCFullYear()} ${time} ${offset}"`;
}

/** A day such as `1-Feb-1994` as a comparable number; undefined when the date does not exist. */
export function dayNumber(text: string): number | undefined {
  const match = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  const month = MONTHS.findIndex((name) => name.toLowerCase() === match?.[2]?.toLowerCase());
  if (!match || month < 0) return undefined;
  const date = new Date(Date.UTC(Number(match[3]), month, Number(match[1])));
  return date.getUTCDate() === Number(match[1]) ? date.getTime() / 86_400_000 : undefined;
}

/** The time and zone of a date-time without its quotes; undefined when malformed. */
export function parseDateTime(text: string): { date: Date; zoneMinutes: number } | undefined {
  const match = /^([ \d]\d-[A-Za-z]{3}-\d{4}) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/.exec(text);
  const day = match && dayNumber(match[1]!.trim());
  if (!match || day === undefined || day === null) return undefined;
  const [hours, minutes, seconds, zoneHours, zoneRest] = [2, 3, 4, 6, 7].map((group) => Number(match[group]));
  if (hours! > 23 || minutes! > 59 || seconds! > 60 || zoneRest! > 59) return undefined;
  const zoneMinutes = (match[5] === '-' ? -1 : 1) * (zoneHours! * 60 + zoneRest!);
  const local = day * 86_400_000 + ((hours! * 60 + minutes!) * 60 + seconds!) * 1000;
  return { date: new Date(local - zoneMinutes * 60_000), zoneMinutes };
}
