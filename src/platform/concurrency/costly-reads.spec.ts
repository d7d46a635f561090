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
    await reads.get('b', NOW, read);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('returns an expensive value while it is read again, for ten minutes', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    await reads.get('a', NOW, reading(500));
    time += 10_000;
    const again = Promise.withResolvers<{ ms: number }>();
    const read = jest.fn(() => again.promise);
    expect(await reads.get('a', NOW, read)).toMatchObject({ value: { ms: 500 } });
    expect(await reads.get('a', NOW, read)).toMatchObject({ value: { ms: 500 } });
    expect(read).toHaveBeenCalledTimes(1);
    time += 700;
    again.resolve({ ms: 700 });
    await again.promise;
    expect(await reads.get('a', NOW, read)).toMatchObject({ value: { ms: 700 } });
    expect(read).toHaveBeenCalledTimes(1);
    time += 20 * 700 + 600_000;
    expect(await reads.get('a', NOW, reading(800))).toMatchObject({ value: { ms: 800 } });
  });

  it('keeps an expensive value when it cannot be read again', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    await reads.get('a', NOW, reading(500));
    time += 10_000;
    const failing = jest.fn(() => Promise.reject(new Error('away')));
    expect(await reads.get('a', NOW, failing)).toMatchObject({ value: { ms: 500 } });
    await new Promise(setImmediate);
    expect(await reads.get('a', NOW, failing)).toMatchObject({ value: { ms: 500 } });
    expect(failing).toHaveBeenCalledTimes(2);
    time += 600_000;
    await expect(reads.get('a', NOW, failing)).rejects.toThrow('away');
  });

  it('does not wait longer than it may for a value that is not known yet', async () => {
    const reads = new CostlyReads<{ ms: number }>();
    const { promise, resolve } = Promise.withResolvers<{ ms: number }>();
    const read = jest.fn(() => promise);
    expect(await reads.getWithin(1, 'a', NOW, read)).toBeNull();
    time += 500;
    resolve({ ms: 500 });
    expect(await reads.getWithin(10_000, 'a', NOW, read)).toEqual({ value: { ms: 500 }, readAt: NOW });
    expect(read).toHaveBeenCalledTimes(1);
    await expect(reads.getWithin(10_000, 'b', NOW, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
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
