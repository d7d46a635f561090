type Header = string | string[] | null | undefined;

/**
 * The seconds of either form of `Retry-After` (RFC 9110 section 10.2.3), and of a fractional number, which some servers send;
 * null when the header is missing or invalid.
 */
export function retryAfter(header: Header, now: Date): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  // Only HTTP dates: `Date.parse` accepts "-5" as a year.
  const date = value.endsWith(' GMT') ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000);
}

/** The same as a pause in whole seconds, at least one; `otherwise` when the header is missing or invalid. */
export function pauseAfter(header: Header, now: Date, otherwise: number): number {
  return Math.max(1, Math.ceil(retryAfter(header, now) ?? otherwise));
}
