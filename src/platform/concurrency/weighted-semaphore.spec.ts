import { setImmediate as turn } from 'node:timers/promises';
import { WeightedSemaphore } from './weighted-semaphore';

/** The granted amounts, in the order in which they were granted. */
function takers(most: number) {
  const semaphore = new WeightedSemaphore(most);
  const got = new Map<string, () => void>();
  const take = (name: string, amount: number) => void semaphore.acquire(amount).then((back) => got.set(name, back));
  return { take, give: (name: string) => got.get(name)!(), names: async () => (await turn(), [...got.keys()]) };
}

it('grants only the available amount, in the order of the calls', async () => {
  const { take, give, names } = takers(10);
  take('a', 6);
  take('b', 5);
  take('c', 1);
  expect(await names()).toEqual(['a']);
  give('a');
  expect(await names()).toEqual(['a', 'b', 'c']);
});

it('grants an amount above the capacity when nothing else is in use', async () => {
  const { take, give, names } = takers(10);
  take('a', 1);
  take('large', 11);
  take('b', 1);
  expect(await names()).toEqual(['a']);
  give('a');
  expect(await names()).toEqual(['a', 'large']);
  give('large');
  expect(await names()).toEqual(['a', 'large', 'b']);
});
