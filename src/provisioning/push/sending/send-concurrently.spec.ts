import { setImmediate as turn } from 'node:timers/promises';
import { sendConcurrently } from './send-concurrently';

/** An item whose outcome the test controls. */
class Item {
  readonly sending = Promise.withResolvers<boolean>();
  readonly settling = Promise.withResolvers<boolean>();
  state: 'waiting' | 'ready' | 'sending' | 'settling' | 'settled' = 'waiting';

  readonly send = async () => {
    this.state = 'sending';
    const ok = await this.sending.promise;
    this.state = 'settling';
    const stopRequested = this.settling.promise.then((stop) => {
      this.state = 'settled';
      return stop;
    });
    return { ok, stopRequested };
  };
}

const items = (count: number) => Array.from({ length: count }, () => new Item());
const states = (all: readonly Item[]) => all.map(({ state }) => state).join(' ');
const prepare = (item: Item) => {
  item.state = 'ready';
  return item;
};
const of = (initial: readonly Item[], fetchMore?: () => Promise<readonly Item[]>) => ({
  initial,
  prepare,
  send: (item: Item) => item.send(),
  ...(fetchMore && { fetchMore }),
});
const control = (maxInFlight: number, shouldContinue = () => true) => ({
  maxInFlight: () => maxInFlight,
  prefetchCount: () => 0,
  throttle: async () => undefined,
  shouldContinue,
});

describe('Concurrent sending', () => {
  it('limits the number of concurrent requests', async () => {
    const all = items(4);
    const end = sendConcurrently(of(all), control(2));
    await turn();
    expect(states(all)).toBe('sending sending waiting waiting');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    expect(await end).toBe(false);
    expect(states(all)).toBe('settled settled settled settled');
  });

  it('sends the next while a success is recorded', async () => {
    const all = items(3);
    const end = sendConcurrently(of(all), control(2));
    all[0]!.sending.resolve(true);
    await turn();
    expect(states(all)).toBe('settling sending sending');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    await end;
  });

  it('limits the number of results being recorded', async () => {
    const all = items(3);
    const end = sendConcurrently(of(all), control(1));
    all.forEach(({ sending }) => sending.resolve(true));
    await turn();
    expect(states(all)).toBe('settling waiting waiting');
    all.forEach(({ settling }) => settling.resolve(false));
    await end;
  });

  it('prepares the next ones meanwhile, several together, up to the limit', async () => {
    const all = items(6);
    const end = sendConcurrently(of(all), { ...control(1), prefetchCount: () => 2 });
    await turn();
    expect(states(all)).toBe('sending ready ready waiting waiting waiting');
    const seen: string[] = [];
    for (const item of all.slice(0, 5)) {
      item.sending.resolve(true);
      item.settling.resolve(false);
      await turn();
      seen.push(states(all));
    }
    expect(seen).toEqual([
      'settled sending ready waiting waiting waiting',
      'settled settled sending ready ready waiting',
      'settled settled settled sending ready waiting',
      'settled settled settled settled sending ready',
      'settled settled settled settled settled sending',
    ]);
    all[5]!.sending.resolve(true);
    all[5]!.settling.resolve(false);
    await end;
  });

  it('permits as many more results being recorded as it prefetches', async () => {
    const all = items(4);
    const end = sendConcurrently(of(all), { ...control(1), prefetchCount: () => 1 });
    all.forEach(({ sending }) => sending.resolve(true));
    await turn();
    expect(states(all)).toBe('settling settling ready waiting');
    all.forEach(({ settling }) => settling.resolve(false));
    await end;
  });

  it('waits until a failure is recorded, and stops when the result requests it', async () => {
    const all = items(3);
    const end = sendConcurrently(of(all), control(1));
    all[0]!.sending.resolve(false);
    await turn();
    expect(states(all)).toBe('settling waiting waiting');
    all[0]!.settling.resolve(true);
    expect(await end).toBe(true);
    expect(states(all)).toBe('settled waiting waiting');
  });

  it('stops on request, and ends when the requests in flight have ended', async () => {
    const all = items(3);
    let shouldContinue = true;
    const end = sendConcurrently(
      of(all),
      control(1, () => shouldContinue),
    );
    await turn();
    shouldContinue = false;
    all[0]!.sending.resolve(true);
    all[0]!.settling.resolve(false);
    expect(await end).toBe(false);
    expect(states(all)).toBe('settled waiting waiting');
  });

  it('sends nothing more when it is stopped while the next one waits for the rate limit', async () => {
    const all = items(2);
    const times = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    const end = sendConcurrently(of(all), { ...control(2), throttle: () => times[begun++]!.promise });
    times[0]!.resolve();
    all[0]!.sending.resolve(false);
    all[0]!.settling.resolve(true);
    await turn();
    times[1]!.resolve();
    expect(await end).toBe(true);
    expect(states(all)).toBe('settled waiting');
  });

  it('fetches more while the last known ones are in flight, and sends them without a pause', async () => {
    const all = items(5);
    const pages = [all.slice(2, 4), all.slice(4), []];
    const asked: string[] = [];
    const fetchMore = async () => {
      asked.push(states(all));
      return pages.shift()!;
    };
    const end = sendConcurrently(of(all.slice(0, 2), fetchMore), control(2));
    await turn();
    expect(asked).toEqual(['ready ready waiting waiting waiting']);
    all[0]!.sending.resolve(true);
    await turn();
    expect(states(all)).toBe('settling sending sending waiting waiting');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    expect(await end).toBe(false);
    expect(states(all)).toBe('settled settled settled settled settled');
    expect(pages).toEqual([]);
  });

  it('lets every sender wait for more', async () => {
    const all = items(3);
    const coming = Promise.withResolvers<readonly Item[]>();
    const pages = [coming.promise, Promise.resolve([])];
    const end = sendConcurrently(
      of(all.slice(0, 1), () => pages.shift()!),
      control(3),
    );
    await turn();
    expect(states(all)).toBe('sending waiting waiting');
    coming.resolve(all.slice(1));
    await turn();
    expect(states(all)).toBe('sending sending sending');
    for (const item of all) {
      item.sending.resolve(true);
      item.settling.resolve(false);
    }
    await end;
  });

  it('does not send fetched ones when it was stopped meanwhile', async () => {
    const all = items(2);
    const coming = Promise.withResolvers<readonly Item[]>();
    const end = sendConcurrently(
      of(all.slice(0, 1), () => coming.promise),
      control(2),
    );
    all[0]!.sending.resolve(false);
    all[0]!.settling.resolve(true);
    await turn();
    coming.resolve(all.slice(1));
    expect(await end).toBe(true);
    expect(states(all)).toMatch(/^settled (waiting|ready)$/);
  });

  it('throws the error of fetching more after the requests in flight have ended', async () => {
    const [first] = items(1);
    const end = sendConcurrently(
      of([first!], () => Promise.reject(new Error('broken'))),
      control(2),
    );
    end.catch(() => undefined);
    await turn();
    expect(first!.state).toBe('sending');
    first!.sending.resolve(true);
    first!.settling.resolve(false);
    await expect(end).rejects.toThrow('broken');
    expect(first!.state).toBe('settled');
  });

  it.each(['sending', 'settling'] as const)(
    'throws an error in %s after the other requests have ended',
    async (step) => {
      const all = items(3);
      let ended = false;
      const end = sendConcurrently(of(all), control(2)).finally(() => (ended = true));
      end.catch(() => undefined);
      if (step === 'settling') all[0]!.sending.resolve(false);
      await turn();
      all[0]![step].reject(new Error('broken'));
      await turn();
      expect(ended).toBe(false);
      all[1]!.sending.resolve(true);
      all[1]!.settling.resolve(false);
      await expect(end).rejects.toThrow('broken');
      expect(states(all.slice(1))).toBe('settled waiting');
    },
  );
});
