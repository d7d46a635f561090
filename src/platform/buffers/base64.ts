const LETTERS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
/** The two letters for each value of twelve bits, the first letter in the lower byte. */
const PAIRS = Uint16Array.from({ length: 4096 }, (_, bits) => LETTERS[bits >> 6]! | (LETTERS[bits & 63]! << 8));

/** Bytes that are encoded as four letters. */
const TRIPLE = 3;
/** Bytes encoded per step: three words of 32 bits become four words of letters. */
const STEP = 12;

/** The length in letters of the base64 encoding of the given number of bytes (RFC 4648). */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / TRIPLE);
}

/**
 * Encodes content that arrives in parts as base64 without line breaks, with padding only at the end. It writes into the
 * caller's memory: Node encodes to strings only, which would be two thirds of the garbage of a push (ADR 16). With Node's strings
 * a worker takes 17 to 22 % more CPU time per document of 150 KB (`npm run bench -- push-rate`; ADR 19).
 */
export class Base64Encoder {
  /** The up to two bytes that are not yet encoded. */
  private readonly pendingBytes = Buffer.alloc(TRIPLE);
  private pendingLength = 0;

  /**
   * Writes the letters of the next part to `memory`, starting at `at`, and returns their end. @throws RangeError when
   * it is too small
   */
  write(data: Buffer, memory: Buffer, at: number): number {
    let [from, to] = [0, at];
    if (this.pendingLength > 0) {
      from = data.copy(this.pendingBytes, this.pendingLength);
      this.pendingLength += from;
      if (this.pendingLength < TRIPLE) return to;
      to = encodeTriples(this.pendingBytes, memory, to);
    }
    const whole = data.length - ((data.length - from) % TRIPLE);
    to = encodeTriples(data.subarray(from, whole), memory, to);
    this.pendingLength = data.copy(this.pendingBytes, 0, whole);
    return to;
  }

  /** Writes the letters of the remaining bytes after the last part. @throws RangeError when `memory` is too small */
  finish(memory: Buffer, at: number): number {
    const last = this.pendingBytes.toString('base64', 0, this.pendingLength);
    if (at + last.length > memory.length) throw new RangeError('The memory is too small.');
    return at + memory.write(last, at, 'latin1');
  }
}

/** Encodes content in parts; each is valid until the next is requested, because the memory is reused. */
export async function* base64Parts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const base64 = new Base64Encoder();
  let memory = Buffer.alloc(0);
  for await (const data of content) {
    const most = base64Length(data.length + TRIPLE);
    if (memory.length < most) memory = Buffer.allocUnsafeSlow(most);
    const end = base64.write(data, memory, 0);
    if (end > 0) yield memory.subarray(0, end);
  }
  const last = Buffer.alloc(4);
  const end = base64.finish(last, 0);
  if (end > 0) yield last.subarray(0, end);
}

/** Encodes complete triples; four words of letters per step, which is twice as fast as one letter at a time. */
function encodeTriples(data: Buffer, memory: Buffer, at: number): number {
  const bytes = new DataView(data.buffer, data.byteOffset, data.length);
  const letters = new DataView(memory.buffer, memory.byteOffset, memory.length);
  const steps = data.length - (data.length % STEP);
  let to = at;
  for (let from = 0; from < steps; from += STEP, to += 16) {
    const a = bytes.getUint32(from);
    const b = bytes.getUint32(from + 4);
    const c = bytes.getUint32(from + 8);
    letters.setUint32(to, fourLetters(a >>> 20, (a >>> 8) & 4095), true);
    letters.setUint32(to + 4, fourLetters(((a & 255) << 4) | (b >>> 28), (b >>> 16) & 4095), true);
    letters.setUint32(to + 8, fourLetters((b >>> 4) & 4095, ((b & 15) << 8) | (c >>> 24)), true);
    letters.setUint32(to + 12, fourLetters((c >>> 12) & 4095, c & 4095), true);
  }
  for (let from = steps; from < data.length; from += TRIPLE, to += 4) {
    const bits = (data[from]! << 16) | (data[from + 1]! << 8) | data[from + 2]!;
    letters.setUint32(to, fourLetters(bits >> 12, bits & 4095), true);
  }
  return to;
}

/** The four letters of two values of twelve bits, in memory order. */
function fourLetters(first: number, second: number): number {
  return PAIRS[first]! | (PAIRS[second]! << 16);
}
