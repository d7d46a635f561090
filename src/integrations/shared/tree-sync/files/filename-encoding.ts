import { isUtf8 } from 'node:buffer';

/** The private-use characters that represent one byte each; file names hardly ever contain them. */
const ESCAPE_BASE = 0x10ff00;
const ESCAPED_BYTE = /[\u{10FF00}-\u{10FFFF}]/u;

/**
 * Decodes the bytes of a file name. Names in UTF-8 are decoded as such; others, such as Windows-1252 on old servers, are escaped
 * byte by byte, so that the file can be requested by its exact name.
 */
export function decodeFilename(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes) && !ESCAPED_BYTE.test(text)) return text;
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : String.fromCodePoint(ESCAPE_BASE + byte)))
    .join('');
}

/** Encodes a name or path, reversing the escapes of `decodeFilename`. */
export function encodeFilename(name: string): Buffer {
  if (!ESCAPED_BYTE.test(name)) return Buffer.from(name, 'utf8');
  const parts = name.split(/([\u{10FF00}-\u{10FFFF}])/u);
  return Buffer.concat(
    parts.map((part) => (ESCAPED_BYTE.test(part) ? Buffer.of(part.codePointAt(0)! - ESCAPE_BASE) : Buffer.from(part))),
  );
}

/** A name or path for display: escaped bytes are shown as Windows-1252, which they almost always are. */
export function displayFilename(name: string): string {
  if (!ESCAPED_BYTE.test(name)) return name;
  const western = new TextDecoder('windows-1252');
  return name.replace(/[\u{10FF00}-\u{10FFFF}]/gu, (each) =>
    western.decode(Buffer.of(each.codePointAt(0)! - ESCAPE_BASE)),
  );
}
