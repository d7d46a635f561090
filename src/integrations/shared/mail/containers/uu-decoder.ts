const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** Represents zero, like a space: trailing spaces may be lost in transit. */
const BACKTICK = 0x60;

/** `begin 644 Rechnung.pdf` (POSIX, uuencode); some senders omit the name. */
const BEGIN = /^begin +[0-7]{3,4}(?: +([^\r\n]*?))?\s*$/;
const END = /^end\s*$/;
/** Longer than any valid line: the rest of longer ones is skipped. */
const MAX_LINE = 1024;
/** The length of the text before `begin` that is searched. */
const MAX_TEXT = 64 * 1024;
/** Maximum bytes of a line: its length is one character. */
const MAX_LINE_BYTES = 63;

/** Whether a content transfer encoding is uuencode: RFC 2045 allows `x-` names only, but programs use others, too. */
export function isUuencoded(encoding: string): boolean {
  return /^\s*["']?(x-)?uu(e|encode|encoded)?["']?\s*;?\s*$/i.test(encoding);
}

/** The file name in uuencoded content; undefined when its beginning contains none. */
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

/** Whether uuencoded content starts here. PDF, XML, images and archives never start like this. */
export function beginsUuencoded(start: Buffer): boolean {
  const line = start.subarray(0, MAX_LINE).toString('latin1').trimStart().split('\n', 1)[0] ?? '';
  return BEGIN.test(line);
}

/** Decodes uuencoded content and passes other content through, for sources that may have decoded it already. */
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
  // The content is shorter than a line.
  if (decoder === undefined) {
    decoder = beginsUuencoded(start) ? new UuDecoder() : null;
    if (decoder) yield* decoder.pieces(start);
    else yield start;
  }
  if (decoder) yield decoder.end();
}

/**
 * Decodes uuencode (POSIX) incrementally: the lines between `begin` and `end`. Lost trailing spaces are restored. Broken input
 * never throws: without `end` everything that is there is decoded.
 */
export class UuDecoder {
  /** Maximum input per `push`, because a line of two bytes may decode to 63. */
  readonly pieceBytes = 32 * 1024;
  private place: 'before' | 'inside' | 'after' = 'before';
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

  /** Decodes any number of bytes. */
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

  /** Tracks `begin` and `end`; their lower-case first characters are not valid lengths. */
  private isContent(line: Buffer): boolean {
    if (this.place === 'after') return false;
    const [first = CR] = line;
    if (this.place === 'inside' && first >= SPACE && first <= BACKTICK) return true;
    const marks = this.place === 'before' ? BEGIN : END;
    if (marks.test(line.toString('latin1', 0, MAX_LINE))) this.place = this.place === 'before' ? 'inside' : 'after';
    return false;
  }
}

/** Returns the number of decoded bytes, which the first character states. */
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

/** The value of a character; zero when it is missing or invalid. */
function sixBits(line: Buffer, at: number): number {
  const letter = line[at] ?? SPACE;
  return letter < SPACE || letter > BACKTICK ? 0 : (letter - SPACE) & 0x3f;
}
