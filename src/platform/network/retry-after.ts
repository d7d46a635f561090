type Header = string | string[] | null | undefined;

/**
 * Seconds, from either form of `Retry-After` (RFC 9110 section 10.2.3), and from a number that is not whole, which some servers
 * send; null when there is none that can be read.
 */
export function retryAfter(header: Header, now: Date): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  // Only a date as HTTP writes it: left alone, `Date.parse` takes "-5" for a year.
  const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000);
}

/** The same as a pause that is kept: whole seconds, at least one, and `otherwise` when nothing is said that can be read. */
export function pauseAfter(header: Header, now: Date, otherwise: number): number {
  return Math.max(1, Math.ceil(retryAfter(header, now) ?? otherwise));
}
