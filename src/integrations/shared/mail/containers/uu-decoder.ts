const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** Stands for zero, as a space does: spaces at the end of lines get lost on the way. */
const BACKTICK = 0x60;

/** `begin 644 Rechnung.pdf` (POSIX, uuencode); the name is missing with some. */
const BEGIN = /^begin +[0-7]{3,4}(?: +([^\r\n]*?))?\s*$/;
const END = /^end\s*$/;
/** More than any line has: of longer ones the rest is passed over. */
const MAX_LINE = 1024;
/** The `begin` of whoever writes a text before it. */
const MAX_TEXT = 64 * 1024;
/** Bytes of the largest line: its length is one letter. */
const MAX_LINE_BYTES = 63;

/** Whether a content transfer encoding is uuencode, which RFC 2045 leaves to `x-` names, and programs to others. */
export function isUuencoded(encoding: string): boolean {
  return /^\s*["']?(x-)?uu(e|encode|encoded)?["']?\s*;?\s*$/i.test(encoding);
}

/** The name that a uuencoded file has in itself; undefined where its beginning shows none. */
export function uuencodedName(start: Buffer): string | undefined {
  const lines = start.toString('latin1', 0, MAX_TEXT).split('\n');
  const name = lines.map((line) => BEGIN.exec(line)).find((found) => found)?.[1];
  if (!name) return undefined;
  const bytes = Buffer.from(name, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether this is how a uuencoded file begins. No PDF, XML, image or archive does. */
export function beginsUuencoded(start: Buffer): boolean {
  const line = start.subarray(0, MAX_LINE).toString('latin1').trimStart().split('\n', 1)[0] ?? '';
  return BEGIN.test(line);
}

/** Decodes what begins uuencoded, for sources that may have done so themselves; all else stays as it is. */
export async function* withoutUuencoding(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  let decoder: UuDecoder | null | undefined;
  for await (const chunk of stream) {
    let bytes = chunk;
    if (decoder === undefined) {
      start = Buffer.concat([start, chunk]);
      if (start.length < MAX_LINE) continue;
      decoder = beginsUuencoded(start) ? new UuDecoder() : null;
      bytes = start;
    }
    if (decoder) yield* decoder.pieces(bytes);
    else yield bytes;
  }
  // Shorter than a line.
  if (decoder === undefined) {
    decoder = beginsUuencoded(start) ? new UuDecoder() : null;
    if (decoder) yield* decoder.pieces(start);
    else yield start;
  }
  if (decoder) yield decoder.end();
}

/**
 * Undoes uuencode (POSIX) piece by piece: what stands between `begin` and `end`, and nothing before or behind it. Lines that
 * have lost spaces at their end are filled up. Broken input never throws: without `end` it is what there is.
 */
export class UuDecoder {
  /** A line of two bytes may stand for 63: of no more at once are the decoded bytes kept. */
  readonly pieceBytes = 32 * 1024;
  private place: 'before' | 'inside' | 'behind' = 'before';
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer {
    const input = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk;
    const lines: Buffer[] = [];
    let at = 0;
    for (let end = input.indexOf(LF); end >= 0; end = input.indexOf(LF, at)) {
      lines.push(input.subarray(at, end));
      at = end + 1;
    }
    this.rest = Buffer.from(input.subarray(at, at + MAX_LINE));
    return this.decode(lines);
  }

  /** The same of any number of bytes. */
  *pieces(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += this.pieceBytes)
      yield this.push(bytes.subarray(at, at + this.pieceBytes));
  }

  end(): Buffer {
    const last = this.rest;
    this.rest = Buffer.alloc(0);
    return this.decode([last]);
  }

  private decode(lines: readonly Buffer[]): Buffer {
    const blocks: Buffer[] = [];
    let block = Buffer.allocUnsafe(0);
    let written = 0;
    for (const line of lines) {
      if (!this.isContent(line)) continue;
      if (written + MAX_LINE_BYTES > block.length) {
        blocks.push(block.subarray(0, written));
        block = Buffer.allocUnsafe(Math.max(this.pieceBytes, MAX_LINE_BYTES));
        written = 0;
      }
      written += decodeLine(line, block.subarray(written));
    }
    blocks.push(block.subarray(0, written));
    return blocks.length === 2 ? blocks[1]! : Buffer.concat(blocks);
  }

  /** Follows `begin` and `end`; their first letters, in lower case, are no lengths. */
  private isContent(line: Buffer): boolean {
    if (this.place === 'behind') return false;
    const [first = CR] = line;
    if (this.place === 'inside' && first >= SPACE && first <= BACKTICK) return true;
    const marks = this.place === 'before' ? BEGIN : END;
    if (marks.test(line.toString('latin1', 0, MAX_LINE))) this.place = this.place === 'before' ? 'inside' : 'behind';
    return false;
  }
}

/** Answers how many bytes the line has made: as many as its first letter says. */
function decodeLine(line: Buffer, target: Buffer): number {
  const length = sixBits(line, 0);
  let written = 0;
  for (let at = 1; written < length; at += 4) {
    const bits =
      (sixBits(line, at) << 18) | (sixBits(line, at + 1) << 12) | (sixBits(line, at + 2) << 6) | sixBits(line, at + 3);
    target[written++] = bits >> 16;
    if (written < length) target[written++] = (bits >> 8) & 0xff;
    if (written < length) target[written++] = bits & 0xff;
  }
  return written;
}

/** Zero for a letter that was lost, or is none. */
function sixBits(line: Buffer, at: number): number {
  const letter = line[at] ?? SPACE;
  return letter < SPACE || letter > BACKTICK ? 0 : (letter - SPACE) & 0x3f;
}
