/** The day (`YYYY-MM-DD`) of a moment (seconds) in an IANA time zone. */
export function localDate(moment: number, timeZone: string): string {
  // The Swedish way to write a date is the one of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment * 1000);
}
