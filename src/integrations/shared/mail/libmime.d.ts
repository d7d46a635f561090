/** The few used functions of libmime, which has no types. */
declare module 'libmime' {
  interface Libmime {
    /** Decodes RFC 2047 encoded words; text without any is returned as it is. */
    decodeWords(text: string): string;
    /** Unfolds and splits a header block; values are not decoded. Every header has an array, for it may be repeated. */
    decodeHeaders(headers: string): Record<string, string[]>;
    /** Splits `value; key=value; …` and decodes the parameters (RFC 2047, RFC 2231). */
    parseHeaderValue(value: string): { value: string; params: Record<string, string> };
  }
  const libmime: Libmime;
  export default libmime;
}
