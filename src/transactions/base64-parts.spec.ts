import { randomBytes } from 'node:crypto';
import { base64Parts } from './base64-parts';

/** The same memory for every part, as the store has it. */
async function* cut(content: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  const memory = Buffer.alloc(content.length);
  for (let at = 0, n = 0; at < content.length; n++) {
    const length = Math.min(lengths[n % lengths.length]!, content.length - at);
    content.copy(memory, 0, at, at + length);
    yield memory.subarray(0, length);
    at += length;
  }
}

async function encoded(content: Buffer, lengths: readonly number[], sparing: boolean): Promise<string> {
  let text = '';
  for await (const part of base64Parts(cut(content, lengths), sparing)) text += part.toString('latin1');
  return text;
}

describe.each([
  ['as Node encodes', false],
  ['sparing the heap', true],
])('Base64 in parts, %s', (_, sparing) => {
  it.each([
    [0, [1]],
    [1, [1]],
    [2, [1]],
    [3, [2, 1]],
    [1_000, [1, 2, 3, 4, 5]],
    [200_000, [65_537]],
    [200_001, [99_999, 1, 1]],
    [200_002, [1, 200_001]],
    [600_000, [262_144]],
  ])('of %i bytes is that of the whole, however they come', async (size, lengths) => {
    const content = randomBytes(size);
    expect(await encoded(content, lengths, sparing)).toBe(content.toString('base64'));
  });

  it('knows every letter', async () => {
    const all = Buffer.from(Array.from({ length: 4096 }, (_, n) => [n >> 4, (n & 15) << 4, n & 255]).flat());
    expect(await encoded(all, [all.length], sparing)).toBe(all.toString('base64'));
  });
});
