import { isUuencoded, UuDecoder } from '../../containers/uu-decoder';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const EQUALS = 0x3d;

/** Decodes a content transfer encoding (RFC 2045 section 6) incrementally. Broken input never throws. */
export interface TransferDecoder {
  /** The maximum input of `push`, when decoding may multiply the size; absent without a limit. */
  readonly pieceBytes?: number;
  /** The bytes that can be decoded so far. They may share the chunk's memory, which must not be used afterwards. */
  push(chunk: Buffer): Buffer;
  /** The remaining bytes at the end. */
  end(): Buffer;
}

/**
 * The decoder of an encoding, or undefined for an unknown one such as yEnc. Only letters and digits of the name count, because some
 * senders write `8-bit`, `8 bits` or `base-64`.
 */
export function transferDecoder(encoding: string): TransferDecoder | undefined {
  if (isUuencoded(encoding)) return new UuDecoder();
  switch (encoding.toLowerCase().replace(/[^a-z0-9]|(?<=bit)s$/g, '')) {
    case 'base64':
      return new Base64Decoder();
    case 'quotedprintable':
      return new QuotedPrintableDecoder();
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
    case 'none':
      return { push: (chunk) => chunk, end: () => Buffer.alloc(0) };
    default:
      return undefined;
  }
}

/** Characters per string: this size costs a tenth of one string for a whole attachment. */
const PIECE_BYTES = 16 * 1024;

class Base64Decoder implements TransferDecoder {
  private rest = '';

  push(chunk: Buffer): Buffer {
    const most = Math.ceil(((this.rest.length + chunk.length) * 3) / 4);
    // Decoding in place is safe, because there are fewer bytes than characters and these are read first.
    const bytes = most <= chunk.length ? chunk : Buffer.allocUnsafe(most);
    let written = 0;
    for (let at = 0; at < chunk.length;) {
      const within = chunk.subarray(at, at + PIECE_BYTES);
      const lines = this.rest === '' ? evenLines(within) : undefined;
      // Even lines may follow the last line break. A piece shorter than the bytes of the rest would be too short.
      const cut = within.lastIndexOf(LF) + 1;
      const end = lines?.end ?? (cut > 3 * this.rest.length ? cut : within.length);
      const piece = within.toString('latin1', 0, end);
      const target = bytes.subarray(written);
      // The decoder skips line breaks, which is cheaper than removing them first.
      const isWhole = lines !== undefined && target.write(piece, 'base64') === lines.bytes;
      written += isWhole ? lines.bytes : this.decode(this.rest + piece.replace(/\r\n/g, ''), target);
      at += end;
    }
    return bytes.subarray(0, written);
  }

  end(): Buffer {
    const last = Buffer.from(this.rest, 'base64');
    this.rest = '';
    return last;
  }

  private decode(text: string, target: Buffer): number {
    const whole = text.length - (text.length % 4);
    const written = target.write(text.slice(0, whole), 'base64');
    // Four characters decode to three bytes; fewer bytes mean padding or invalid characters.
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    if (written !== (whole / 4) * 3 - padding) return this.decodeBroken(text, target);
    this.rest = text.slice(whole);
    return written;
  }

  private decodeBroken(broken: string, target: Buffer): number {
    // Characters outside the alphabet are to be ignored (RFC 2045 section 6.8).
    const text = broken.replace(/[^A-Za-z0-9+/=]+/g, '');
    // Padding within the text: some senders encode in pieces.
    const runs = text.split(/=+/);
    const open = runs.pop() ?? '';
    const whole = open.length - (open.length % 4);
    this.rest = open.slice(whole);
    return Buffer.concat([...runs, open.slice(0, whole)].map((run) => Buffer.from(run, 'base64'))).copy(target);
  }
}

/**
 * Detects lines of equal length with whole groups of four characters, as encoders write them; returns where they end and how many
 * bytes they decode to.
 */
function evenLines(text: Buffer): { end: number; bytes: number } | undefined {
  const width = text.indexOf(LF) + 1;
  const letters = width - 2;
  if (letters <= 0 || letters % 4 !== 0) return undefined;
  let end = 0;
  while (text[end + width - 1] === LF && text[end + width - 2] === CR) end += width;
  return end > 0 ? { end, bytes: ((end / width) * letters * 3) / 4 } : undefined;
}

/** Longer white space counts as content; without a limit a hostile part would be kept in memory. */
const MAX_BLANK = 1024;

class QuotedPrintableDecoder implements TransferDecoder {
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer {
    return this.decode(this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk, false);
  }

  end(): Buffer {
    return this.decode(this.rest, true);
  }

  private decode(input: Buffer, last: boolean): Buffer {
    const output = Buffer.allocUnsafe(input.length);
    let written = 0;
    let at = 0;
    while (at < input.length) {
      const byte = input[at] as number;
      if (byte !== EQUALS && byte !== SPACE && byte !== TAB) {
        output[written++] = byte;
        at++;
        continue;
      }
      const text = byte === EQUALS ? at + 1 : at;
      const blankEnd = afterBlanks(input, text);
      const lineEnd = afterLineBreak(input, blankEnd);
      // The next chunk decides whether the line ends here or hexadecimal digits follow.
      const undecided = blankEnd + 1 >= input.length && lineEnd === blankEnd && blankEnd - at < MAX_BLANK;
      if (undecided && !last) break;
      const escaped = byte === EQUALS && blankEnd === text ? hexByte(input, text) : undefined;
      if (byte === EQUALS && lineEnd > blankEnd) {
        at = lineEnd;
      } else if (escaped !== undefined) {
        output[written++] = escaped;
        at += 3;
      } else if (byte === EQUALS) {
        if (at + 1 < input.length) output[written++] = byte;
        at++;
      } else {
        // White space before a line break was added in transit and is dropped (RFC 2045 section 6.7 rule 3).
        if (lineEnd === blankEnd) written += input.copy(output, written, at, blankEnd);
        at = blankEnd;
      }
    }
    this.rest = Buffer.from(input.subarray(at));
    return output.subarray(0, written);
  }
}

function afterBlanks(input: Buffer, from: number): number {
  let at = from;
  while (at < input.length && (input[at] === SPACE || input[at] === TAB)) at++;
  return at;
}

/** The index after a line break at `at`, or `at` without one. */
function afterLineBreak(input: Buffer, at: number): number {
  if (input[at] === LF) return at + 1;
  return input[at] === CR && input[at + 1] === LF ? at + 2 : at;
}

function hexByte(input: Buffer, at: number): number | undefined {
  const digits = input.toString('latin1', at, at + 2);
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? parseInt(digits, 16) : undefined;
}
