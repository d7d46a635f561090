/** Splits content into pieces of these lengths, repeatedly, all in the same buffer, as the content store does. */
export async function* splitBuffer(content: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  const memory = Buffer.alloc(content.length);
  for (let at = 0, n = 0; at < content.length; n++) {
    const length = Math.min(lengths[n % lengths.length]!, content.length - at);
    content.copy(memory, 0, at, at + length);
    yield memory.subarray(0, length);
    at += length;
  }
}
