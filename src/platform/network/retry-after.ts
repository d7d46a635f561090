/** Seconds, from either form of the header (RFC 9110 10.2.3); null when there is none that can be read. */
export function retryAfter(header: string | string[] | undefined, now: Date): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Only a date as HTTP writes it: left alone, `Date.parse` takes "3000.5" for a year.
  const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000);
}
