export interface Chunk {
  /** Its bytes as received: joining them would need a copy. */
  readonly parts: readonly Buffer[];
  readonly index: number;
  readonly last: boolean;
}

/** Splits a stream into chunks of `size` bytes; only the last one may be shorter or empty. */
export async function* chunkStream(stream: AsyncIterable<Buffer | string>, size: number): AsyncGenerator<Chunk> {
  let parts: Buffer[] = [];
  let held = 0;
  let index = 0;
  for await (const data of stream) {
    let rest: Buffer = Buffer.isBuffer(data) ? data : Buffer.from(data);
    while (rest.length > 0) {
      // A full chunk is emitted only when more bytes follow, because it may be the last one.
      if (held === size) {
        yield { parts, index: index++, last: false };
        parts = [];
        held = 0;
      }
      const part = rest.subarray(0, size - held);
      parts.push(part);
      held += part.length;
      rest = rest.subarray(part.length);
    }
  }
  yield { parts, index, last: true };
}
