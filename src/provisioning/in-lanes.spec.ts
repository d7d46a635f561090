import { setImmediate as turn } from 'node:timers/promises';
import { inLanes, type Steps } from './in-lanes';

/** What becomes of one item, in the hands of the test. */
class Item {
  readonly preparing = Promise.withResolvers<void>();
  readonly sending = Promise.withResolvers<boolean>();
  readonly settling = Promise.withResolvers<boolean>();
  state: 'waiting' | 'preparing' | 'sending' | 'settling' | 'settled' = 'waiting';

  constructor(readonly name: string) {}
}

const steps: Steps<Item, Item> = {
  prepare: async (item) => {
    item.state = 'preparing';
    await item.preparing.promise;
    return item;
  },
  pace: async () => undefined,
  send: async (item) => {
    item.state = 'sending';
    const ok = await item.sending.promise;
    item.state = 'settling';
    const settled = item.settling.promise.then((stop) => {
      item.state = 'settled';
      return stop;
    });
    return { ok, settled };
  },
};

const items = (count: number) => Array.from({ length: count }, (_, n) => new Item(String(n)));
const states = (all: readonly Item[]) => all.map(({ state }) => state).join(' ');
const prepared = (all: readonly Item[]) => all.forEach(({ preparing }) => preparing.resolve());

describe('Sending in lanes', () => {
  it('sends so many at a time and prepares one more', async () => {
    const all = items(4);
    prepared(all);
    const end = inLanes(all, steps, 2, () => true);
    await turn();
    expect(states(all)).toBe('sending sending preparing waiting');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    expect(await end).toBe(false);
    expect(states(all)).toBe('settled settled settled settled');
  });

  it('goes on to the next while a success is written down', async () => {
    const all = items(3);
    prepared(all);
    const end = inLanes(all, steps, 2, () => true);
    all[0]!.sending.resolve(true);
    await turn();
    expect(states(all)).toBe('settling sending sending');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    await end;
  });

  it('has no more being written down than there are lanes', async () => {
    const all = items(3);
    prepared(all);
    const end = inLanes(all, steps, 1, () => true);
    all.forEach(({ sending }) => sending.resolve(true));
    await turn();
    expect(states(all)).toBe('settling preparing waiting');
    all.forEach(({ settling }) => settling.resolve(false));
    await end;
  });

  it('waits with the lane until a failure is written down, and sends nothing more when that says so', async () => {
    const all = items(3);
    prepared(all);
    const end = inLanes(all, steps, 1, () => true);
    all[0]!.sending.resolve(false);
    await turn();
    expect(states(all)).toBe('settling preparing waiting');
    all[0]!.settling.resolve(true);
    expect(await end).toBe(true);
    expect(states(all)).toBe('settled preparing waiting');
  });

  it('sends nothing more when it is not to go on, and ends when what is on its way has ended', async () => {
    const all = items(3);
    prepared(all);
    let goOn = true;
    const end = inLanes(all, steps, 1, () => goOn);
    await turn();
    goOn = false;
    all[0]!.sending.resolve(true);
    all[0]!.settling.resolve(false);
    expect(await end).toBe(false);
    expect(states(all)).toBe('settled preparing waiting');
  });

  it.each(['preparing', 'sending', 'settling'] as const)(
    'throws what goes wrong in %s, when its neighbours have ended',
    async (step) => {
      const all = items(2);
      prepared(all.slice(1));
      let ended = false;
      const end = inLanes(all, steps, 2, () => true).finally(() => (ended = true));
      end.catch(() => undefined);
      if (step !== 'preparing') all[0]!.preparing.resolve();
      if (step === 'settling') all[0]!.sending.resolve(true);
      await turn();
      all[0]![step].reject(new Error('broken'));
      await turn();
      expect(ended).toBe(false);
      all[1]!.sending.resolve(true);
      all[1]!.settling.resolve(false);
      await expect(end).rejects.toThrow('broken');
      expect(all[1]!.state).toBe('settled');
    },
  );
});
