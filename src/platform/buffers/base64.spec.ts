import { randomBytes } from 'node:crypto';
import { splitBuffer } from '../../../test/harness/split-buffer';
import { Base64Encoder, base64Length, base64Parts } from './base64';

async function encoded(content: Buffer, lengths: readonly number[]): Promise<string> {
  let text = '';
  for await (const part of base64Parts(splitBuffer(content, lengths))) text += part.toString('latin1');
  return text;
}

describe('Base64 encoding in parts', () => {
  it.each([
    [0, [1]],
    [1, [1]],
    [2, [1]],
    [3, [2, 1]],
    [1_000, [1, 2, 3, 4, 5]],
    [1_000, [11, 12, 13, 35, 36, 37]],
    [200_000, [65_537]],
    [200_001, [99_999, 1, 1]],
    [200_002, [1, 200_001]],
    [600_000, [262_144]],
  ])('of %i bytes equals that of the whole, regardless of the parts', async (size, lengths) => {
    const content = randomBytes(size);
    expect(await encoded(content, lengths)).toBe(content.toString('base64'));
    expect(base64Length(size)).toBe(content.toString('base64').length);
  });

  it.each([[[3]], [[4095]], [[3 * 4096]]])('encodes every letter correctly in parts of %j bytes', async (lengths) => {
    const all = Buffer.from(Array.from({ length: 4096 }, (_, n) => [n >> 4, (n & 15) << 4, n & 255]).flat());
    expect(await encoded(all, lengths)).toBe(all.toString('base64'));
  });

  it.each([0, 1, 2, 3])('writes only the letters, starting at the given offset (%i)', (at) => {
    const memory = Buffer.alloc(40, '#');
    const base64 = new Base64Encoder();
    const end = base64.finish(memory, base64.write(Buffer.from('What was said.'), memory, at));
    const expected = '#'.repeat(at) + Buffer.from('What was said.').toString('base64');
    expect(memory.toString('latin1')).toBe(expected.padEnd(40, '#'));
    expect(end).toBe(expected.length);
  });

  it.each([12, 13, 14, 15])('throws when %i bytes do not fit, and writes nothing after the memory', (size) => {
    const around = Buffer.alloc(64, '#');
    const memory = around.subarray(8, 8 + base64Length(size) - 1);
    const base64 = new Base64Encoder();
    expect(() => base64.finish(memory, base64.write(randomBytes(size), memory, 0))).toThrow(RangeError);
    expect(around.subarray(8 + memory.length).toString()).toMatch(/^#+$/);
  });
});
