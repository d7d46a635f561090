/**
 * The first of the private-use characters that escape bytes of names that are not UTF-8, so that every name can be stored as text
 * and requested again.
 */
const ESCAPES = 0xf700;
const ESCAPED = /[\uf700-\uf7ff]/;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a segment of a URL's path to a name, which never contains a `/`. */
export function decodeSegment(segment: string): string {
  const bytes = Buffer.from(
    segment.replace(/%[0-9a-f]{2}|[^\x21-\x7e]/giu, (part) =>
      part.length === 3 && part.startsWith('%') ? String.fromCharCode(parseInt(part.slice(1), 16)) : latin1(part),
    ),
    'latin1',
  );
  return textOf(bytes).replaceAll('/', String.fromCharCode(ESCAPES + 0x2f));
}

/** Encodes a name or path for a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

function encodeSegment(name: string): string {
  const parts = name.toWellFormed().split(/([\uf700-\uf7ff])/);
  return parts
    .map((part) => {
      if (!ESCAPED.test(part)) return encodeURIComponent(part);
      return `%${(part.charCodeAt(0) - ESCAPES).toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');
}

/** The UTF-8 bytes of a text, one character each. */
function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function textOf(bytes: Buffer): string {
  try {
    const text = utf8.decode(bytes);
    if (!ESCAPED.test(text) && !text.includes('\0')) return text;
  } catch {
    // Some servers use the encoding of their file system.
  }
  return Array.from(bytes, (byte) => String.fromCharCode(byte >= 0x20 && byte < 0x80 ? byte : ESCAPES + byte)).join('');
}
