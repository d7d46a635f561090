/** Bytes of a known length that are generated only when read, so that a huge attachment needs no memory. */
export interface LazyBytes {
  readonly size: number;
  /** Returns the same bytes on every call. May be read repeatedly and by several readers concurrently. */
  chunks(): Iterable<Buffer>;
}

/** A message as text, as bytes, or as a sequence of pieces. A lazy piece must lie inside the body of one leaf part. */
export type MessageSource = string | Buffer | readonly (string | Buffer | LazyBytes)[];

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer | ResumableBytes;
}

/** The number of partial reads of one lazy piece that can be resumed. */
const POSITIONS = 4;

/** A message's bytes, addressed by offset, whether they are in memory or generated on demand. */
export class ByteBuffer {
  readonly size: number;

  private constructor(readonly segments: readonly Segment[]) {
    this.size = segments.at(-1)?.end ?? 0;
  }

  /** Strings count as UTF-8. Adjacent buffers are merged, so that a line never spans two of them. */
  static from(source: MessageSource): ByteBuffer {
    const pieces = typeof source === 'string' || Buffer.isBuffer(source) ? [source] : source;
    const segments: Segment[] = [];
    let waiting: Buffer[] = [];
    let offset = 0;
    const add = (bytes: Segment['bytes'], size: number) => {
      if (size > 0) segments.push({ start: offset, end: offset + size, bytes });
      offset += size;
    };
    const flush = () => {
      const joined = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
      waiting = [];
      add(joined, joined.length);
    };
    for (const piece of pieces) {
      if (typeof piece === 'string') waiting.push(Buffer.from(piece));
      else if (Buffer.isBuffer(piece)) waiting.push(piece);
      else {
        flush();
        add(new ResumableBytes(piece), piece.size);
      }
    }
    flush();
    return new ByteBuffer(segments);
  }

  /** The bytes from `start` up to, not including, `end`, chunk by chunk. */
  *read(start = 0, end = this.size): Generator<Buffer> {
    for (const segment of this.segments) {
      const from = Math.max(start, segment.start) - segment.start;
      const to = Math.min(end, segment.end) - segment.start;
      if (from >= to) continue;
      if (Buffer.isBuffer(segment.bytes)) yield segment.bytes.subarray(from, to);
      else yield* segment.bytes.read(from, to);
    }
  }

  /** The same range as one buffer: for headers and small parts. */
  bytes(start = 0, end = this.size): Buffer {
    return Buffer.concat([...this.read(start, end)]);
  }
}

interface Position {
  offset: number;
  rest: Buffer;
  readonly iterator: Iterator<Buffer>;
}

/** Lazy bytes that resume where an earlier read stopped: clients fetch large parts in thousands of small ranges. */
class ResumableBytes {
  private positions: Position[] = [];

  constructor(private readonly source: LazyBytes) {}

  *read(start: number, end: number): Generator<Buffer> {
    const position = this.take(start);
    try {
      while (position.offset < end) {
        if (position.rest.length === 0) {
          const next = position.iterator.next();
          if (next.done) throw new Error(`A lazy piece ended after ${position.offset} of ${this.source.size} bytes.`);
          position.rest = next.value;
          continue;
        }
        const skip = Math.min(Math.max(start - position.offset, 0), position.rest.length);
        const stop = Math.min(end - position.offset, position.rest.length);
        const chunk = position.rest.subarray(skip, stop);
        position.offset += stop;
        position.rest = position.rest.subarray(stop);
        if (chunk.length > 0) yield chunk;
      }
    } finally {
      this.positions.push(position);
      while (this.positions.length > POSITIONS) this.positions.shift()?.iterator.return?.();
    }
  }

  private take(start: number): Position {
    let best = -1;
    this.positions.forEach((position, index) => {
      if (position.offset <= start && position.offset > (this.positions[best]?.offset ?? -1)) best = index;
    });
    const found = best < 0 ? undefined : this.positions.splice(best, 1)[0];
    return found ?? { offset: 0, rest: Buffer.alloc(0), iterator: this.source.chunks()[Symbol.iterator]() };
  }
}
