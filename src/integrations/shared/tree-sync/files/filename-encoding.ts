import { isUtf8 } from 'node:buffer';

/** Characters that stand for one byte each: Unicode keeps them for private use, and names hardly do. */
const ESCAPE_BASE = 0x10ff00;
const ESCAPED_BYTE = /[\u{10FF00}-\u{10FFFF}]/u;

/**
 * A file's name of which only the bytes are known. Old servers have names in Windows-1252 and the like: what is no UTF-8 is
 * kept byte by byte, so that the file can be asked for by its name. Names in UTF-8 are what they say.
 */
export function decodeFilename(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes) && !ESCAPED_BYTE.test(text)) return text;
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : String.fromCodePoint(ESCAPE_BASE + byte)))
    .join('');
}

/** The bytes of a name or path that `decodeFilename` has made, or of any other. */
export function encodeFilename(name: string): Buffer {
  if (!ESCAPED_BYTE.test(name)) return Buffer.from(name, 'utf8');
  const parts = name.split(/([\u{10FF00}-\u{10FFFF}])/u);
  return Buffer.concat(
    parts.map((part) => (ESCAPED_BYTE.test(part) ? Buffer.of(part.codePointAt(0)! - ESCAPE_BASE) : Buffer.from(part))),
  );
}

/** A name or path as it is shown: bytes that are no UTF-8 as in Windows-1252, which they almost always are. */
export function displayFilename(name: string): string {
  if (!ESCAPED_BYTE.test(name)) return name;
  const western = new TextDecoder('windows-1252');
  return name.replace(/[\u{10FF00}-\u{10FFFF}]/gu, (each) =>
    western.decode(Buffer.of(each.codePointAt(0)! - ESCAPE_BASE)),
  );
}
