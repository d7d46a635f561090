import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConcurrentReader } from './concurrent-reader';

/** Items that end on command, and the started ones. */
class Work {
  readonly begun: number[] = [];
  private readonly ends = new Map<number, PromiseWithResolvers<string>>();

  readonly run = (item: number): Promise<string> => {
    this.begun.push(item);
    const end = Promise.withResolvers<string>();
    this.ends.set(item, end);
    return end.promise;
  };

  async end(...items: number[]): Promise<void> {
    for (const item of items) this.ends.get(item)!.resolve(`read ${item}`);
    await nextTick();
  }

  async fail(item: number): Promise<void> {
    this.ends.get(item)!.reject(new Error(`failed ${item}`));
    await nextTick();
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('ConcurrentReader', () => {
  let work: Work;
  let stop: AbortController;
  let reading: ConcurrentReader;
  beforeEach(() => {
    work = new Work();
    stop = new AbortController();
    reading = new ConcurrentReader(2, stop.signal);
  });

  it('starts items in order with limited concurrency, and returns results in order', async () => {
    const batch = reading.read([1, 2, 3], work.run);
    await nextTick();
    expect(work.begun).toEqual([1, 2]);
    await work.end(2);
    expect(work.begun).toEqual([1, 2, 3]);
    await work.end(3, 1);
    expect(await batch).toEqual(['read 1', 'read 2', 'read 3']);
  });

  it('starts the next batch when a slot is free, before the previous one has ended', async () => {
    const first = reading.read([1, 2], work.run);
    const second = reading.read([3, 4], work.run);
    await nextTick();
    await work.end(2);
    expect(work.begun).toEqual([1, 2, 3]);
    await work.end(1);
    expect(await first).toEqual(['read 1', 'read 2']);
    await work.end(3, 4);
    expect(await second).toEqual(['read 3', 'read 4']);
  });

  it('does not retain settled batches', async () => {
    const results = async () => (await reading.read([1], () => Promise.resolve({}))).map((each) => new WeakRef(each));
    const [result] = await results();
    await nextTick();
    collectGarbage();
    expect(result!.deref()).toBeUndefined();
  });

  it('starts nothing after stop, and returns the results of started items', async () => {
    const first = reading.read([1, 2, 3], work.run);
    const second = reading.read([4], work.run);
    await nextTick();
    stop.abort();
    await work.end(1, 2);
    expect(await first).toEqual(['read 1', 'read 2']);
    expect(await second).toEqual([]);
    expect(work.begun).toEqual([1, 2]);
  });

  it('starts nothing after an error, and rejects when all started items have ended', async () => {
    let outcome: unknown = 'under way';
    const batch = reading.read([1, 2, 3], work.run);
    batch.catch((error: Error) => (outcome = error.message));
    const later = reading.read([4], work.run);
    await nextTick();
    await work.fail(1);
    expect(outcome).toBe('under way');
    await work.end(2);
    expect(outcome).toBe('failed 1');
    expect(await later).toEqual([]);
    expect(work.begun).toEqual([1, 2]);
  });

  it('completes an earlier batch when a later one fails', async () => {
    const first = reading.read([1], work.run);
    const second = reading.read([2, 3], work.run);
    await nextTick();
    await work.fail(2);
    await work.end(1);
    expect(await first).toEqual(['read 1']);
    await expect(second).rejects.toThrow('failed 2');
  });

  it('drains after all started items have ended', async () => {
    let isEnded = false;
    void reading.read([1, 2, 3], work.run);
    await nextTick();
    const end = reading.drain().then(() => (isEnded = true));
    await work.end(1);
    expect(isEnded).toBe(false);
    await work.end(2);
    await end;
    expect(work.begun).toEqual([1, 2]);
  });
});
