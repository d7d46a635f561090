/** The day (`YYYY-MM-DD`) of a time (seconds since 1970) in an IANA time zone. */
export function localDate(moment: number, timeZone: string): string {
  // The Swedish date format is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment * 1000);
}
