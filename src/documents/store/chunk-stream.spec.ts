import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { chunkStream } from './chunk-stream';

const SIZE = 8;

interface Joined {
  readonly chunk: Buffer;
  readonly index: number;
  readonly last: boolean;
}

async function chunksOf(stream: Iterable<Buffer | string>): Promise<Joined[]> {
  const chunks: Joined[] = [];
  for await (const { parts, ...rest } of chunkStream(Readable.from(stream, { objectMode: true }), SIZE)) {
    chunks.push({ chunk: Buffer.concat(parts), ...rest });
  }
  return chunks;
}

describe('chunkStream', () => {
  it.each([0, 1, 7, 8, 9, 15, 16, 17, 100])('splits %i bytes, with only the last chunk shorter', async (length) => {
    const bytes = randomBytes(length);
    const chunks = await chunksOf([bytes]);
    expect(Buffer.concat(chunks.map(({ chunk }) => chunk))).toEqual(bytes);
    expect(chunks.map(({ index }) => index)).toEqual(chunks.map((_, i) => i));
    expect(chunks.map(({ last }) => last)).toEqual(chunks.map((_, i) => i === chunks.length - 1));
    expect(chunks.slice(0, -1).every(({ chunk }) => chunk.length === SIZE)).toBe(true);
    expect(chunks).toHaveLength(Math.max(1, Math.ceil(length / SIZE)));
  });

  it.each([1, 3, 8, 20])('does not depend on how the bytes are split (%i at a time)', async (portion) => {
    const bytes = randomBytes(50);
    const parts = Array.from({ length: Math.ceil(50 / portion) }, (_, i) =>
      bytes.subarray(i * portion, (i + 1) * portion),
    );
    expect(await chunksOf(parts)).toEqual(await chunksOf([bytes]));
  });

  it('returns an empty last chunk for an empty stream, and skips empty parts', async () => {
    expect(await chunksOf([])).toEqual([{ chunk: Buffer.alloc(0), index: 0, last: true }]);
    expect(await chunksOf([Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(0)])).toEqual([
      { chunk: Buffer.from('a'), index: 0, last: true },
    ]);
  });

  it('encodes text as UTF-8', async () => {
    expect(Buffer.concat((await chunksOf(['Grö', 'ße'])).map(({ chunk }) => chunk)).toString()).toBe('Größe');
  });

  it('fails with the stream', async () => {
    const broken = function* () {
      yield Buffer.alloc(20);
      throw new Error('The source broke off.');
    };
    await expect(chunksOf(broken())).rejects.toThrow('The source broke off.');
  });
});
