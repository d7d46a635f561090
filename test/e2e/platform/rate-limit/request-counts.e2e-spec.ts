import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { PostgresThrottlerStorage } from '../../../../src/platform/rate-limit/postgres-throttler-storage';
import { eventually } from '../../../harness/eventually';
import { StoppedClock } from '../../../harness/app/stopped-clock';
import { useTestContext } from '../../../harness/app/test-context';

const MINUTE = 60_000;

describe('request counts (ADR 8)', () => {
  const context = useTestContext();
  let clock: StoppedClock;
  let key: string;

  const instance = () => new PostgresThrottlerStorage(context.app.app.get(EntityManager, { strict: false }), clock);
  const hit = (counts: PostgresThrottlerStorage, limit: number) => counts.increment(key, MINUTE, limit, MINUTE, 'key');
  const counted = async () =>
    (
      await context.query<{ n: string | null }>('select sum(n) as n from throttle, unnest(counts) n where key = $1', [
        `key:${key}`,
      ])
    )[0]!.n;
  const passing = async (hits: Promise<{ isBlocked: boolean }>[]) =>
    (await Promise.all(hits)).filter(({ isBlocked }) => !isBlocked).length;

  beforeEach(() => {
    clock = new StoppedClock();
    key = randomUUID();
  });

  it('are exact below a limit of a hundred, with any concurrency and on any instance', async () => {
    const instances = [instance(), instance(), instance()];
    const hits = Array.from({ length: 300 }, (_, i) => hit(instances[i % 3]!, 99));
    expect(await passing(hits)).toBe(99);
    expect(await counted()).toBe('99');
  });

  it('admit exactly the limit at one instance', async () => {
    const counts = instance();
    let passed = 0;
    for (let i = 0; i < 700; i++) if (!(await hit(counts, 600)).isBlocked) passed++;
    expect(passed).toBe(600);
  });

  it.each([2, 4])('admit at most 1 %% over the limit per instance with %i instances', async (size) => {
    const instances = Array.from({ length: size }, instance);
    let passed = await passing(Array.from({ length: 2000 }, (_, i) => hit(instances[i % size]!, 600)));
    expect(passed).toBeGreaterThanOrEqual(600);
    instances.push(instance()); // a new instance without any local state
    for (const each of instances) {
      passed += await passing(Array.from({ length: 20 }, () => hit(each, 600)));
      expect((await hit(each, 600)).isBlocked).toBe(true);
    }
    expect(passed).toBeLessThanOrEqual(600 + (size + 1) * 6);
  });

  it('respect the limit in every window, wherever it starts', async () => {
    const instances = [instance(), instance()];
    const passed: number[] = [];
    for (let step = 0; step < 200; step++) {
      for (let i = 0; i < 10; i++) {
        if (!(await hit(instances[i % 2]!, 200)).isBlocked) passed.push(clock.now().getTime());
      }
      clock.moveMs(1234);
    }
    for (const from of new Set(passed)) {
      expect(passed.filter((at) => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(200 + 2 * 2);
    }
    // Nearly the whole limit can be used.
    expect(passed.length).toBeGreaterThan(((200 * 1234) / MINUTE) * 200 * 0.9);
  });

  it('send a correct Retry-After', async () => {
    const counts = instance();
    for (let i = 0; i < 3; i++) {
      await hit(counts, 3);
      clock.moveMs(10_000);
    }
    const { timeToBlockExpire } = await hit(counts, 3);
    expect(timeToBlockExpire).toBe(30);
    clock.moveMs(timeToBlockExpire * 1000 - 1);
    expect(await hit(counts, 3)).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    clock.moveMs(1);
    expect((await hit(counts, 3)).isBlocked).toBe(false);
    expect(await hit(counts, 3)).toMatchObject({ isBlocked: true, timeToBlockExpire: 10 });
  });

  it('persist admitted requests without delaying them', async () => {
    const counts = instance();
    await hit(counts, 10_000);
    await eventually(async () => (await counted()) === '1', 'it is counted');
  });

  it('count many requests with few statements', async () => {
    const counts = instance();
    const fork = jest.spyOn(context.app.app.get(EntityManager, { strict: false }), 'fork');
    for (let i = 0; i < 400; i++) await hit(counts, 100_000);
    await counts.beforeApplicationShutdown();
    expect(await counted()).toBe('400');
    expect(fork.mock.calls.length).toBeLessThan(40);
    fork.mockRestore();
  });

  it('write pending counts on shutdown', async () => {
    const counts = instance();
    for (let i = 0; i < 5; i++) await hit(counts, 10_000);
    await counts.beforeApplicationShutdown();
    expect(await counted()).toBe('5');
  });

  it('survive a short database failure: waiting requests fail, and counting resumes soon', async () => {
    const counts = instance();
    await context.query('alter table throttle rename to throttle_moved');
    try {
      await expect(hit(counts, 3)).rejects.toThrow();
      for (let i = 0; i < 6; i++) expect((await hit(counts, 600)).isBlocked).toBe(false);
      await expect(hit(counts, 600)).rejects.toThrow();
    } finally {
      await context.query('alter table throttle_moved rename to throttle');
    }
    expect((await hit(counts, 600)).isBlocked).toBe(false);
    expect(await counted()).toBe('7');
  });

  it('are removed when they no longer affect any window', async () => {
    const counts = instance();
    await hit(counts, 3);
    clock.moveMs(MINUTE);
    await counts.sweep();
    expect(await counted()).toBe('1');
    clock.moveMs(1000);
    await counts.sweep();
    expect(await counted()).toBeNull();
    expect((await hit(counts, 3)).isBlocked).toBe(false);
  });
});
