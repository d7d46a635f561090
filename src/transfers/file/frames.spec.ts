import { frame, type Frame, readFrames } from './frames';

async function framesOf(pieces: Iterable<Buffer>): Promise<Frame[]> {
  const found: Frame[] = [];
  const source = async function* () {
    yield* pieces;
  };
  for await (const { type, payload } of readFrames(source())) found.push({ type, payload: Buffer.from(payload) });
  return found;
}

describe('the frames of an export', () => {
  const written = [frame('H', Buffer.from('header')), frame('B', Buffer.alloc(0)), frame('R', Buffer.alloc(70_000, 7))];
  const all = Buffer.concat(written);

  it.each([1, 3, 5, 6, 65_536, 1_000_000])('are read from pieces of %i bytes', async (size) => {
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, (at + 1) * size),
    );
    expect(await framesOf(pieces)).toEqual([
      { type: 'H', payload: Buffer.from('header') },
      { type: 'B', payload: Buffer.alloc(0) },
      { type: 'R', payload: Buffer.alloc(70_000, 7) },
    ]);
  });

  it.each([1, 4, 7, all.length - 1])('are refused when they end after %i bytes', async (length) => {
    await expect(framesOf([all.subarray(0, length)])).rejects.toThrow('The file ends too early.');
  });

  it('are refused when one claims to be larger than any', async () => {
    await expect(framesOf([Buffer.from([0x48, 0xff, 0, 0, 0])])).rejects.toThrow('The file is not a whole export');
  });
});
