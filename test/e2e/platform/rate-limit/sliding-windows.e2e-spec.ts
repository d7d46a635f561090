import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { PostgresThrottlerStorage } from '../../../../src/platform/rate-limit/postgres-throttler-storage';
import { StoppedClock } from '../../../harness/app/stopped-clock';
import { useTestContext } from '../../../harness/app/test-context';

/** Seconds. */
const WINDOW = 3600;
const LIMIT = 3;

describe('sliding windows', () => {
  const context = useTestContext();
  let clock: StoppedClock;
  let windows: PostgresThrottlerStorage;
  let key: string;

  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const window = (limit = LIMIT) => ({ key, windowMs: WINDOW * 1000, limit });
  const hit = (limit = LIMIT) => windows.hit(em(), window(limit));

  beforeEach(() => {
    clock = new StoppedClock();
    windows = new PostgresThrottlerStorage(em(), clock);
    key = randomUUID();
  });

  it('count up to the limit and then reject, without counting rejected hits', async () => {
    for (const totalHits of [1, 2, 3]) {
      expect(await hit()).toMatchObject({ totalHits, isBlocked: false, timeToBlockExpire: 0, timeToExpire: WINDOW });
    }
    for (let i = 0; i < 3; i++) {
      expect(await hit()).toMatchObject({ totalHits: LIMIT + 1, isBlocked: true, timeToBlockExpire: WINDOW });
    }
    const [row] = await context.query<{ n: number }>(
      'select sum(n)::int as n from throttle, unnest(counts) n where key = $1',
      [key],
    );
    expect(row!.n).toBe(LIMIT);
  });

  it('admit the next hit exactly at the announced time', async () => {
    for (let i = 0; i < LIMIT; i++) {
      await hit();
      clock.moveMs(1000);
    }
    const { timeToBlockExpire } = await hit();
    expect(timeToBlockExpire).toBe(WINDOW - LIMIT);
    clock.moveMs(timeToBlockExpire * 1000 - 1);
    expect(await hit()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    clock.moveMs(1);
    expect((await hit()).isBlocked).toBe(false); // in place of the first hit
    expect(await hit()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 }); // until the second hit leaves
    clock.moveMs(1000);
    expect((await hit()).isBlocked).toBe(false);
  });

  it('never admit more than the limit in any window, wherever it starts', async () => {
    const passed: number[] = [];
    for (let step = 0; step < 60; step++) {
      if (!(await hit()).isBlocked) passed.push(clock.now().getTime());
      clock.moveMs((WINDOW * 1000) / 7 + step);
    }
    expect(passed.length).toBeGreaterThan(20);
    for (const from of passed) {
      expect(passed.filter((at) => at >= from && at < from + WINDOW * 1000).length).toBeLessThanOrEqual(LIMIT);
    }
  });

  it('admit exactly the limit of concurrent hits', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => hit()));
    expect(outcomes.filter(({ isBlocked }) => !isBlocked)).toHaveLength(LIMIT);
  });

  it('do not count rolled back requests', async () => {
    const roll = em().transactional(async (context) => {
      await windows.hit(context, window());
      throw new Error('no');
    });
    await expect(roll).rejects.toThrow('no');
    expect(await hit()).toMatchObject({ totalHits: 1 });
  });

  it('are separate for each key and shared by all users of a key', async () => {
    for (let i = 0; i < LIMIT; i++) await hit();
    const other = new PostgresThrottlerStorage(em(), clock);
    expect((await other.hit(em(), window())).isBlocked).toBe(true);
    expect((await other.hit(em(), { ...window(), key: `${key}-2` })).isBlocked).toBe(false);
  });

  it('apply a changed limit', async () => {
    for (let i = 0; i < LIMIT; i++) await hit();
    expect((await hit(LIMIT + 1)).isBlocked).toBe(false);
    expect((await hit(LIMIT)).isBlocked).toBe(true);
  });

  it('are removed when they have ended', async () => {
    await hit();
    const kept = () => context.query('select key from throttle where key = $1', [key]);
    clock.moveMs(WINDOW * 1000);
    await windows.sweep();
    expect(await kept()).toHaveLength(1);
    clock.moveMs(1);
    await windows.sweep();
    expect(await kept()).toHaveLength(0);
  });

  it('return the units of the throttler', async () => {
    const storage = () => windows.increment(key, 60_000, 2, 60_000, 'token');
    expect(await storage()).toMatchObject({ totalHits: 1, timeToExpire: 60, isBlocked: false });
    await storage();
    expect(await storage()).toMatchObject({ totalHits: 3, isBlocked: true, timeToBlockExpire: 60 });
  });
});
