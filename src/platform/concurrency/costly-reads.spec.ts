import { CostlyReads } from './costly-reads';

describe('CostlyReads', () => {
  const NOW = new Date('2026-11-20T08:30:00Z');
  let time = 0;
  beforeEach(() => {
    time = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => time);
  });
  afterEach(() => jest.restoreAllMocks());

  /** A read that takes `ms`. */
  const reading = (ms: number) =>
    jest.fn(() => {
      time += ms;
      return Promise.resolve({ ms });
    });

  it('reads a cheap value each time', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    const read = reading(49);
    for (let n = 0; n < 3; n++) await reads.get('a', NOW, read);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('reuses an expensive value for twenty times the duration of its read, with its time', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    const read = reading(500);
    await reads.get('a', NOW, read);
    time += 9_999;
    expect(await reads.get('a', new Date(), read)).toEqual({ value: { ms: 500 }, readAt: NOW });
    expect(read).toHaveBeenCalledTimes(1);
    time += 1;
    await reads.get('a', NOW, read);
    expect(read).toHaveBeenCalledTimes(2);
    await reads.get('b', NOW, read);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('reads a value once for callers at the same time, and again after a failure', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    const { promise, reject } = Promise.withResolvers<{ ms: number }>();
    const read = jest.fn(() => promise);
    const both = Promise.allSettled([reads.get('a', NOW, read), reads.get('a', NOW, read)]);
    reject(new Error('away'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(read).toHaveBeenCalledTimes(1);
    await reads.get('a', NOW, reading(1));
    expect(await reads.get('a', NOW, reading(2))).toMatchObject({ value: { ms: 2 } });
  });
});
