import { FetchScheduler } from '../../../../src/fetches/scheduling/fetch-scheduler';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { useTestContext } from '../../../harness/app/test-context';
import { TestEngine, connectSandbox } from '../engine';

const CROWD = 20_000;
/** The maximum number of queued jobs (`fetch-scheduler.ts`), plus one batch. */
const WAITING = 2000 + 200;

const COPY = `
  insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields, display_values,
    setup_completed_at, consecutive_failures, next_fetch_at, created_at, updated_at)
  select gen_random_uuid(), environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields, display_values,
    setup_completed_at, 0, $2::timestamptz + make_interval(secs => n), created_at, updated_at
  from connection, generate_series(1, $3::int) n where uuid = $1`;

describe('Fair scheduling (a client with a hundred thousand due connections does not delay another one)', () => {
  const context = useTestContext();

  /** Connections like this one, due one second after the other. */
  const crowd = (like: string, count: number, since: number) =>
    context.query(COPY, [like, context.app.clock.in(since), count]);
  const look = () => context.app.app.get(FetchScheduler, { strict: false }).poll();
  const waiting = async () =>
    (await context.query<{ n: string }>(`select count(*) as n from pgboss.job where state < 'active'`)).map(({ n }) =>
      Number(n),
    )[0]!;
  /** The keys in the order in which workers take them. */
  const order = async () =>
    (
      await context.query<{ key: string }>(
        `select singleton_key as key from pgboss.job where name = 'run-fetches' and state < 'active' and not blocked
         order by priority desc, created_on`,
      )
    ).map(({ key }) => key);
  const due = (uuid: string, seconds: number) =>
    context.query('update connection set next_fetch_at = $2, immediate_fetch_at = null where uuid = $1', [
      uuid,
      context.app.clock.in(seconds),
    ]);
  const of = async (client: TestClient) => {
    const identity = await client.createIdentity();
    return context.createConnection({ by: client, identity });
  };

  beforeEach(async () => {
    await context.query('delete from pgboss.job');
    await context.query('delete from connection');
  });

  it('keeps the number of queued jobs small, the oldest first', async () => {
    const like = await context.createActiveConnection();
    await due(like, 3600);
    const begin = context.app.clock.in(-2 * CROWD).getTime();
    await crowd(like, CROWD, -2 * CROWD);
    for (let i = 0; i < 3; i++) await look();
    expect(await waiting()).toBeGreaterThanOrEqual(2000);
    expect(await waiting()).toBeLessThanOrEqual(WAITING);
    const [left] = await context.query<{ n: string; oldest: Date }>(
      'select count(*) as n, min(next_fetch_at) as oldest from connection where next_fetch_at <= $1',
      [context.app.clock.now()],
    );
    expect(Number(left!.n)).toBe(CROWD - (await waiting()));
    // The claimed connections were due before the remaining ones, and their next dates are spread.
    const taken = await context.query<{ next_fetch_at: Date }>(
      `select next_fetch_at from connection where next_fetch_at > $1 and uuid::text in (select singleton_key from pgboss.job)`,
      [context.app.clock.now()],
    );
    const wave = taken.filter(({ next_fetch_at }) => next_fetch_at < context.app.clock.in(13 * 3600)).length;
    expect(wave).toBeLessThan(taken.length / 3);
    expect(left!.oldest.getTime()).toBeGreaterThan(begin + 2000 * 1000);
  });

  it('schedules another client’s single fetch first, whether it arrives with the large client’s or later', async () => {
    const like = await context.createActiveConnection();
    await due(like, 3600);
    const single = await of(context.otherClient);
    await context.query('update connection set setup_completed_at = now() where uuid = $1', [single]);
    await crowd(like, CROWD, -2 * CROWD);
    await due(single, -1); // the last of all to be due
    await look();
    expect((await order()).indexOf(single)).toBeGreaterThanOrEqual(0);
    expect((await order()).indexOf(single)).toBeLessThanOrEqual(200);

    // Workers have taken the first five hundred; it is due again, while the queue has room for a batch.
    const taken = (await order()).slice(0, 500);
    await context.query('delete from pgboss.job where singleton_key = any($1)', [[...taken, single]]);
    await context.query(`update "fetch" set status = 'SUCCEEDED', finished_at = now()`);
    await due(single, -1);
    await look();
    expect((await order()).indexOf(single)).toBeGreaterThanOrEqual(0);
    expect((await order()).indexOf(single)).toBeLessThanOrEqual(2);
  });

  it('runs an immediate fetch before the schedule of its client, and a manual one before everything', async () => {
    const like = await context.createActiveConnection();
    await due(like, 3600);
    await crowd(like, 1500, -3000);
    await look();
    expect(await waiting()).toBe(1500);
    const fresh = await context.createActiveConnection(); // its first fetch is immediate
    await look();
    expect((await order()).indexOf(fresh)).toBeLessThanOrEqual(1);
    const last = (await order()).at(-1)!;
    await context.client.request('post', `/v1/connections/${last}/fetch-now`).expect(202);
    expect((await order())[0]).toBe(last);
    expect(await waiting()).toBe(1501);
  });
});

describe('A client with many due fetches and a client with one, with workers', () => {
  it("starts the single fetch after a few of the large client's", async () => {
    const engine = await TestEngine.start();
    try {
      const [large, small] = [await createTestClient(engine.app), await createTestClient(engine.app)];
      const like = await connectSandbox(large, { documents: 1, new_per_fetch: 0 });
      const single = await connectSandbox(small, { documents: 1, new_per_fetch: 0 });
      for (const uuid of [like, single]) await engine.waitForFetches(uuid, 1);
      const begun = () =>
        engine.count(
          'select count(*) from "fetch" where environment_uuid = $1 and started_at is not null',
          large.environmentUuid,
        );
      await engine.rows(COPY, like, engine.app.clock.in(-2 * CROWD), CROWD);
      await eventually(async () => (await begun()) > 50, 'the crowd is being worked on');
      await engine.rows('update connection set next_fetch_at = $2 where uuid = $1', single, engine.app.clock.in(-1));
      await engine.waitForFetches(single, 2);
      const [fetch] = (await engine.fetches(single)).slice(-1);
      // Queued in the same poll, or started between its queueing and its start.
      const before = await engine.count(
        'select count(*) from "fetch" where environment_uuid = $1 and started_at between $2 and $3',
        large.environmentUuid,
        fetch!.created_at,
        fetch!.started_at,
      );
      expect(before).toBeLessThan(200);
      expect(await begun()).toBeLessThan(CROWD / 2);
    } finally {
      await engine.stop();
    }
  });
});
