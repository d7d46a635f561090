import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { sql } from '../../../src/platform/database/sql';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { eventually } from '../../harness/eventually';
import { useTestContext } from '../../harness/app/test-context';

const QUEUE = 'maintenance';

describe('jobs', () => {
  const context = useTestContext();
  /** The handler's action for a key; none by default. */
  const doing = new Map<string, (signal: AbortSignal) => Promise<void>>();
  const done: string[] = [];
  let jobs: Jobs;

  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const enqueue = (key: string) => em().transactional((context) => jobs.enqueue(context, QUEUE, [{ key }]));
  const rows = (key: string) =>
    context.query<{ state: string }>('select state from pgboss.job where name = $1 and singleton_key = $2', [
      QUEUE,
      key,
    ]);
  const runs = (key: string) => done.filter((other) => other === key).length;

  beforeAll(() => {
    jobs = context.app.app.get(Jobs, { strict: false });
    jobs.work(QUEUE, 3, async (key, signal) => {
      await doing.get(key)?.(signal);
      done.push(key);
    });
  });

  it('have tables that are vacuumed frequently', async () => {
    const tables = await context.query<{ options: string[] | null }>(
      `select reloptions as options from pg_inherits join pg_class on oid = inhrelid where inhparent = 'pgboss.job'::regclass`,
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { options } of tables) expect(options).toContain('autovacuum_vacuum_scale_factor=0.01');
  });

  it('run after their transaction was committed', async () => {
    const key = randomUUID();
    await enqueue(key);
    await jobs.idle(QUEUE);
    expect(runs(key)).toBe(1);
    expect(await rows(key)).toEqual([{ state: 'completed' }]);
  });

  it('are found when another process has created them', async () => {
    const key = randomUUID();
    await enqueue(key);
    await eventually(() => Promise.resolve(runs(key) === 1), 'the job runs');
  });

  it('do not exist when their transaction was rolled back', async () => {
    const key = randomUUID();
    const rolledBack = em().transactional(async (context) => {
      await jobs.enqueue(context, QUEUE, [{ key }]);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await jobs.idle(QUEUE);
    expect(runs(key)).toBe(0);
    expect(await rows(key)).toEqual([]);
  });

  it('wait once for each key, regardless of how often they are enqueued', async () => {
    const key = randomUUID();
    await em().transactional((context) => jobs.enqueue(context, QUEUE, [{ key }, { key }]));
    await Promise.all([enqueue(key), enqueue(key)]);
    await jobs.idle(QUEUE);
    expect(runs(key)).toBeGreaterThanOrEqual(1);
    expect((await rows(key)).every(({ state }) => state === 'completed')).toBe(true);
  });

  it('run once at a time for each key, concurrently with other keys', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    doing.set(key, () => {
      started.resolve();
      return gate.promise;
    });
    await enqueue(key);
    jobs.wake(QUEUE);
    await started.promise;

    await enqueue(key); // running: ignored
    await enqueue(other);
    jobs.wake(QUEUE);
    await eventually(() => Promise.resolve(runs(other) === 1), 'the other key runs');
    expect(await rows(key)).toEqual([{ state: 'active' }]);
    expect(runs(key)).toBe(0);

    doing.delete(key);
    gate.resolve();
    await jobs.idle(QUEUE);
    expect(runs(key)).toBe(1);
    await enqueue(key); // enqueued again
    await jobs.idle(QUEUE);
    expect(runs(key)).toBe(2);
  });

  it('do not exceed the concurrency limit', async () => {
    const gate = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const keys = Array.from({ length: 7 }, () => randomUUID());
    for (const key of keys) {
      doing.set(key, async () => {
        most = Math.max(most, ++running);
        await gate.promise;
        running--;
      });
      await enqueue(key);
    }
    jobs.wake(QUEUE);
    await eventually(() => Promise.resolve(running === 3), 'three run');
    gate.resolve();
    await jobs.idle(QUEUE);
    expect(keys.every((key) => runs(key) === 1)).toBe(true);
    expect(most).toBe(3);
  });

  it('respect the concurrency limit of their group, concurrently with other groups', async () => {
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    jobs.work('redeliver', 10, (key) => (begun.push(key), gate.promise), { perGroup: 2 });
    const slow = Array.from({ length: 8 }, () => ({ key: `slow ${randomUUID()}`, group: 'slow' }));
    await em().transactional((context) => jobs.enqueue(context, 'redeliver', slow));
    await eventually(async () => begun.length === 2, 'two of the line run');
    await em().transactional((context) => jobs.enqueue(context, 'redeliver', [{ key: 'other', group: 'other' }]));
    await eventually(async () => begun.includes('other'), 'the other line has its turn');
    expect(begun).toHaveLength(3);
    gate.resolve();
    await eventually(async () => begun.length === 9, 'all of them run');
  });

  it('are retried after a failure', async () => {
    const key = randomUUID();
    let tries = 0;
    doing.set(key, () => (++tries === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve()));
    await enqueue(key);
    jobs.wake(QUEUE);
    await eventually(() => Promise.resolve(runs(key) === 1), 'the second try');
    expect(tries).toBe(2);
    await eventually(async () => (await rows(key))[0]?.state === 'completed', 'it is marked as done');
  });

  it('are taken over from a dead worker', async () => {
    const key = randomUUID();
    await em().transactional(async (context) => {
      await jobs.enqueue(context, QUEUE, [{ key }]);
      // A worker has taken the job and died.
      await sql(
        context,
        `update pgboss.job set state = 'active', started_on = now() - interval '5 minutes',
           heartbeat_on = now() - interval '5 minutes' where name = $1 and singleton_key = $2`,
        [QUEUE, key],
      );
    });
    await jobs.idle(QUEUE);
    expect(runs(key)).toBe(0); // this process assumes that another one runs it
    await supervise();
    await eventually(() => Promise.resolve(runs(key) === 1), 'the job runs again');
  });

  it('are not ended by a worker from which another one has taken them over', async () => {
    const key = randomUUID();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begun = 0;
    doing.set(key, () => gates[begun++]!.promise);
    await enqueue(key);
    jobs.wake(QUEUE);
    await eventually(() => Promise.resolve(begun === 1), 'the job runs');
    // Its worker sends heartbeats, and the supervision does nothing when it has run a short time ago.
    await eventually(async () => {
      await context.query(
        `update pgboss.job set heartbeat_on = now() - interval '5 minutes'
         where name = $1 and singleton_key = $2 and retry_count = 0`,
        [QUEUE, key],
      );
      await supervise();
      return begun === 2;
    }, 'the job is taken over');
    const complete = jest.spyOn(boss(), 'complete');
    gates[0]!.resolve();
    await eventually(() => Promise.resolve(complete.mock.results.length === 1), 'the first worker ends');
    expect(await complete.mock.results[0]!.value).toMatchObject({ affected: 0 });
    complete.mockRestore();
    expect(await rows(key)).toEqual([{ state: 'active' }]);
    gates[1]!.resolve();
    await eventually(async () => (await rows(key))[0]!.state === 'completed', 'the second worker ends');
  });

  function boss(): PgBoss {
    return (jobs as unknown as { boss: PgBoss }).boss;
  }

  /** Runs the supervision that every process with workers runs every few seconds; this process has none. */
  async function supervise(): Promise<void> {
    await boss().supervise(QUEUE);
  }

  it('are asked to stop when the process shuts down, which waits for them', async () => {
    const key = randomUUID();
    const started = Promise.withResolvers<void>();
    doing.set(key, (signal) => {
      started.resolve();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await enqueue(key);
    jobs.wake(QUEUE);
    await started.promise;
    await context.app.stop();
    expect(runs(key)).toBe(1);
  });
});
