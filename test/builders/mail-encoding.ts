import type { LazyBytes } from '../fakes/imap/protocol/byte-buffer';

export type Content = Buffer | string | LazyBytes;
export type TransferEncoding = '7bit' | '8bit' | 'binary' | 'quoted-printable' | 'base64' | Uuencode;
/** The name of the encoding in headers. */
export type Uuencode = 'x-uuencode' | 'uuencode' | 'x-uue' | 'uue';
export type Piece = Buffer | LazyBytes;

const LINE_BYTES = 57;
const UU_LINE_BYTES = 45;

/** The content encoded for a message (RFC 2045 6). Lazy bytes stay lazy; they cannot be quoted-printable or uuencoded. */
export function encode(content: Content, encoding: TransferEncoding): Piece {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (Buffer.isBuffer(bytes)) {
    if (encoding === 'base64') return base64(bytes);
    if (isUuencode(encoding)) return uuencode(bytes, 'data');
    return encoding === 'quoted-printable' ? quotedPrintable(bytes) : bytes;
  }
  if (encoding === 'quoted-printable' || isUuencode(encoding)) throw new Error(`Lazy bytes cannot be ${encoding}`);
  return encoding === 'base64' ? lazyBase64(bytes) : bytes;
}

/** Deterministic bytes of a given size: `byte(i)` is the byte at that offset. */
export function lazyBytes(
  size: number,
  byte: (offset: number) => number = (offset) => (offset * 31) & 0xff,
): LazyBytes {
  return {
    size,
    *chunks() {
      for (let offset = 0; offset < size; offset += 65_536) {
        const chunk = Buffer.alloc(Math.min(65_536, size - offset));
        for (let index = 0; index < chunk.length; index++) chunk[index] = byte(offset + index);
        yield chunk;
      }
    },
  };
}

const isUuencode = (encoding: TransferEncoding): boolean => /^(x-)?uue/.test(encoding);

/** Uuencode as POSIX describes it, with "`" for zero. */
export function uuencode(bytes: Buffer, name: string): Buffer {
  const letter = (bits: number): string => String.fromCharCode(((bits + 63) & 63) + 33);
  const lines = [`begin 644 ${name}`];
  for (let at = 0; at < bytes.length; at += UU_LINE_BYTES) {
    const line = bytes.subarray(at, at + UU_LINE_BYTES);
    let text = letter(line.length);
    for (let i = 0; i < line.length; i += 3) {
      const [a = 0, b = 0, c = 0] = line.subarray(i, i + 3);
      text += letter(a >> 2) + letter(((a & 3) << 4) | (b >> 4)) + letter(((b & 15) << 2) | (c >> 6)) + letter(c & 63);
    }
    lines.push(text);
  }
  return Buffer.from([...lines, '`', 'end', ''].join('\r\n'), 'latin1');
}

function base64(bytes: Buffer): Buffer {
  return Buffer.from((bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'), 'latin1');
}

function lazyBase64(source: LazyBytes): LazyBytes {
  const letters = Math.ceil(source.size / 3) * 4;
  const breaks = Math.max(0, Math.ceil(letters / 76) - 1);
  return {
    size: letters + breaks * 2,
    *chunks() {
      let rest = Buffer.alloc(0);
      let first = true;
      const lines = (bytes: Buffer) => {
        const text = Buffer.concat([first ? Buffer.alloc(0) : Buffer.from('\r\n'), base64(bytes)]);
        first = false;
        return text;
      };
      for (const chunk of source.chunks()) {
        const all = Buffer.concat([rest, chunk]);
        const whole = all.length - (all.length % LINE_BYTES);
        rest = all.subarray(whole);
        if (whole > 0) yield lines(all.subarray(0, whole));
      }
      if (rest.length > 0) yield lines(rest);
    },
  };
}

/** RFC 2045 6.7 for text: CRLF is kept, lines have at most 76 characters. */
function quotedPrintable(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\r\n');
  const encoded = lines.map((line) => {
    const tokens = line.replace(/[^\x20-\x3c\x3e-\x7e\t]|[ \t]$/g, (char) => {
      return `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    });
    return (tokens.match(/(?:=[0-9A-F]{2}|[^=]){1,24}/g) ?? []).join('=\r\n');
  });
  return Buffer.from(encoded.join('\r\n'), 'latin1');
}
