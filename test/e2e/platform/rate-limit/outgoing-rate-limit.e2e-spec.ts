import { randomUUID } from 'node:crypto';
import { RateLimiter, type Priority } from '../../../../src/platform/network/rate-limiter';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { useTestContext } from '../../../harness/app/test-context';

describe('The outgoing rate limit across instances', () => {
  const context = useTestContext();
  let other: TestApp;
  let paces: RateLimiter[];

  beforeAll(async () => {
    other = await startApp({ databaseUrl: context.app.databaseUrl });
    paces = [context.app, other].map(({ app }) => app.get(RateLimiter, { strict: false }));
  });
  afterAll(() => other?.stop());

  /** Milliseconds until all requests have started, at alternating instances. */
  const start = async (key: string, perSecond: number, count: number, urgency: Priority = 'background') => {
    const begin = performance.now();
    await Promise.all(Array.from({ length: count }, (_, n) => paces[n % 2]!.wait(key, perSecond, urgency)));
    return performance.now() - begin;
  };
  /** Seconds until the next request of the key may start. */
  const bookedAhead = async (key: string): Promise<number> => {
    const [row] = await context.query<{ ahead: number }>(
      'select extract(epoch from free_at - clock_timestamp())::float8 as ahead from rate_limit_slot where key = $1',
      [key],
    );
    return row!.ahead;
  };

  it('starts no more per second than the limit, across two instances', async () => {
    expect(await start(randomUUID(), 20, 41)).toBeGreaterThanOrEqual(40 * 50 - 5);
    expect(await start(randomUUID(), 1000, 301)).toBeGreaterThanOrEqual(300 - 5);
    expect(await start(randomUUID(), 2, 4)).toBeGreaterThanOrEqual(3 * 500 - 5);
  });

  it('respects the limit when live and background requests compete', async () => {
    const key = randomUUID();
    const [, live] = await Promise.all([start(key, 20, 20), start(key, 20, 21, 'live')]);
    expect(live).toBeGreaterThanOrEqual(20 * 50 - 5);
    // Each of the 41 requests has used one slot.
    const begin = performance.now();
    await Promise.all([start(key, 20, 10), start(key, 20, 10, 'live')]);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(19 * 50 - 5);
  });

  it('does not let background requests delay a live request', async () => {
    const key = randomUUID();
    let before = 0;
    const background = Array.from({ length: 60 }, (_, n) =>
      paces[n % 2]!.wait(key, 10, 'background').then(() => before++),
    );
    await background[0];
    const already = before;
    await paces[0]!.wait(key, 10, 'live');
    expect(before - already).toBeLessThan(30);
    await Promise.all(background);
  });

  it('reserves no distant slots for background requests, so that a dead process blocks nothing', async () => {
    const key = randomUUID();
    const controller = new AbortController();
    const waiting = Array.from({ length: 500 }, () => paces[0]!.wait(key, 10, 'background', controller.signal));
    const ended = Promise.allSettled(waiting);
    await waiting[2];
    expect(await bookedAhead(key)).toBeLessThanOrEqual(0.25 + 0.1);
    controller.abort(new Error('stop'));
    expect((await ended).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(400);
  });

  it('starts immediately after an idle period, and accumulates no burst', async () => {
    const key = randomUUID();
    await start(key, 10, 1);
    await context.query(`update rate_limit_slot set free_at = clock_timestamp() - interval '1 hour' where key = $1`, [
      key,
    ]);
    expect(await start(key, 10, 11)).toBeGreaterThanOrEqual(1000 - 5);
  });

  it('needs one query for many sequential requests when the limit is high', async () => {
    const key = randomUUID();
    const begin = performance.now();
    for (let n = 0; n < 200; n++) await paces[0]!.wait(key, 1000, 'background');
    expect(performance.now() - begin).toBeGreaterThanOrEqual(199 - 20 - 5);
    const [row] = await context.query<{ granted: number }>('select granted from rate_limit_slot where key = $1', [key]);
    expect(row!.granted).toBe(21);
    // With a low limit, no slots are reserved in advance.
    const slow = randomUUID();
    await paces[0]!.wait(slow, 20, 'background');
    expect(await bookedAhead(slow)).toBeLessThanOrEqual(1 / 20);
  });

  it('stops waiting when its signal is aborted, with the reason', async () => {
    const key = randomUUID();
    const controller = new AbortController();
    await paces[0]!.wait(key, 0.01, 'background');
    const waiting = paces[0]!.wait(key, 0.01, 'background', controller.signal);
    const live = paces[0]!.wait(key, 0.01, 'live', controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(live).rejects.toThrow('stop');
    await expect(paces[0]!.wait(key, 10, 'live', controller.signal)).rejects.toThrow('stop');
  });

  it('evicts unused keys', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await start(old, 10, 1);
    await start(young, 10, 1);
    await context.query(`update rate_limit_slot set free_at = clock_timestamp() - interval '1 hour' where key = $1`, [
      old,
    ]);
    expect(await paces[0]!.sweep()).toBeGreaterThan(0);
    const left = await context.query<{ key: string }>('select key from rate_limit_slot where key = any($1)', [
      [old, young],
    ]);
    expect(left.map(({ key }) => key)).toEqual([young]);
  });
});
