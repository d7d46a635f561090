import { setImmediate as turn } from 'node:timers/promises';
import { WeightedSemaphore } from './weighted-semaphore';

/** The granted amounts, in the order in which they were granted. */
function concurrentTasks(most: number) {
  const semaphore = new WeightedSemaphore(most);
  const got = new Map<string, () => void>();
  const take = (name: string, amount: number) => void semaphore.acquire(amount).then((back) => got.set(name, back));
  return { take, give: (name: string) => got.get(name)!(), names: async () => (await turn(), [...got.keys()]) };
}

it('grants only the available amount, in the order of the calls', async () => {
  const { take, give, names } = concurrentTasks(10);
  take('a', 6);
  take('b', 5);
  take('c', 1);
  expect(await names()).toEqual(['a']);
  give('a');
  expect(await names()).toEqual(['a', 'b', 'c']);
});

it('grants an amount above the capacity when nothing else is in use', async () => {
  const { take, give, names } = concurrentTasks(10);
  take('a', 1);
  take('large', 11);
  take('b', 1);
  expect(await names()).toEqual(['a']);
  give('a');
  expect(await names()).toEqual(['a', 'large']);
  give('large');
  expect(await names()).toEqual(['a', 'large', 'b']);
});

it('counts an empty amount as the smallest one, and ignores a second release', async () => {
  const { take, give, names } = concurrentTasks(2);
  take('empty', 0);
  take('a', 2);
  take('b', 1);
  expect(await names()).toEqual(['empty']);
  give('empty');
  give('empty');
  expect(await names()).toEqual(['empty', 'a']);
});

it('knows whether somebody is waiting, and what the first one could get', async () => {
  const semaphore = new WeightedSemaphore(2);
  const release = await semaphore.acquire(2);
  expect([semaphore.hasWaiters, semaphore.canAcquire(1)]).toEqual([false, false]);
  const second = semaphore.acquire(1);
  expect(semaphore.hasWaiters).toBe(true);
  release();
  await second;
  expect([semaphore.hasWaiters, semaphore.canAcquire(1), semaphore.canAcquire(2)]).toEqual([false, true, false]);
});

it('runs work one after the other, also after a failure', async () => {
  const semaphore = new WeightedSemaphore(1);
  const begun: string[] = [];
  const first = Promise.withResolvers<string>();
  const works = [
    semaphore.run(() => (begun.push('first'), first.promise)),
    semaphore.run(() => (begun.push('second'), Promise.reject(new Error('broken')))),
    semaphore.run(() => (begun.push('third'), Promise.resolve('third'))),
  ];
  const ended = Promise.allSettled(works);
  await turn();
  expect(begun).toEqual(['first']);
  first.resolve('first');
  expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual(['first', 'second', 'third']);
});
