/** Modified UTF-7 (RFC 3501 5.1.3): printable ASCII is unchanged, `&` starts base64 of UTF-16BE with `,` for `/`. */
export function encodeMailboxName(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (run) => {
    if (run === '&') return '&-';
    const utf16 = Buffer.from(run, 'utf16le').swap16();
    return `&${utf16.toString('base64').replace(/=+$/, '').replaceAll('/', ',')}-`;
  });
}

/** The decoded name, or undefined when it is not valid modified UTF-7 in its canonical form. */
export function decodeMailboxName(encoded: string): string | undefined {
  if (/[^\x20-\x7e]/.test(encoded)) return undefined;
  const name = encoded.replace(/&([^-]*)-/g, (_, run: string) =>
    run === ''
      ? '&'
      : Buffer.from(run.replaceAll(',', '/'), 'base64')
          .subarray(0, Math.floor((run.length * 6) / 16) * 2)
          .swap16()
          .toString('utf16le'),
  );
  return encodeMailboxName(name) === encoded ? name : undefined;
}
