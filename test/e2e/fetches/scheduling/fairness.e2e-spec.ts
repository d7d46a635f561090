import { EntityManager } from '@mikro-orm/postgresql';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import type { ClaimedFetch } from '../../../../src/fetches/scheduling/claimed-fetch';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { useTestContext } from '../../../harness/app/test-context';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

const BACKLOG = 20_000;
/** The free places of a worker. */
const PLACES = 10;

const COPY = `
  insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields, display_values,
    setup_completed_at, consecutive_failures, next_fetch_at, created_at, updated_at)
  select gen_random_uuid(), environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields, display_values,
    setup_completed_at, 0, $2::timestamptz + make_interval(secs => n), created_at, updated_at
  from connection, generate_series(1, $3::int) n where uuid = $1`;

describe('Fair scheduling (a client with a hundred thousand due connections does not delay another one)', () => {
  const context = useTestContext();

  /** Connections like this one, due one second after the other. Returns the time before that of the first. */
  const addDue = async (like: string, count: number, since: number) => {
    const begin = context.app.clock.in(since);
    await context.query(COPY, [like, begin, count]);
    return begin;
  };
  const due = (uuid: string, seconds: number) =>
    context.query('update connection set next_fetch_at = $2, immediate_fetch_at = null where uuid = $1', [
      uuid,
      context.app.clock.in(seconds),
    ]);
  /** An active connection of this client that is not due. */
  const quiet = async (client: TestClient) => {
    const uuid = await context.createConnection({ by: client, identity: await client.createIdentity() });
    await context.query('update connection set setup_completed_at = now() where uuid = $1', [uuid]);
    return uuid;
  };
  const worker = () => new ClaimFetches(context.app.app.get(EntityManager, { strict: false }), context.app.clock);
  const connectionsOf = (claims: readonly ClaimedFetch[]) => claims.map(({ connectionUuid }) => connectionUuid);

  beforeEach(() => context.query('delete from connection'));

  it('claims no more than there are free places, the oldest first, and spreads the next dates', async () => {
    const like = await quiet(context.client);
    const begin = await addDue(like, BACKLOG, -2 * BACKLOG);
    const one = worker();
    for (let times = 0; times < 50; times++) expect(await one.claim(PLACES)).toHaveLength(PLACES);
    const [left] = await context.query<{ n: string; oldest: Date }>(
      'select count(*) as n, min(next_fetch_at) as oldest from connection where next_fetch_at <= $1',
      [context.app.clock.now()],
    );
    expect(Number(left!.n)).toBe(BACKLOG - 50 * PLACES);
    expect(left!.oldest.getTime()).toBe(begin.getTime() + (50 * PLACES + 1) * 1000);
    const taken = await context.query<{ next_fetch_at: Date }>(
      'select next_fetch_at from connection where lease_token is not null',
    );
    const wave = taken.filter(({ next_fetch_at }) => next_fetch_at < context.app.clock.in(13 * 3600)).length;
    expect(wave).toBeLessThan(taken.length / 3);
  });

  it('claims another client’s single fetch at once, whether it arrives with the large client’s or later', async () => {
    const [like, single] = [await quiet(context.client), await quiet(context.otherClient)];
    await addDue(like, BACKLOG, -2 * BACKLOG);
    await due(single, -1); // the last of all to be due
    const one = worker();
    expect(connectionsOf(await one.claim(PLACES))).toContain(single);

    await context.query('update connection set lease_token = null, leased_until = null');
    for (let times = 0; times < 5; times++) expect(await one.claim(PLACES)).toHaveLength(PLACES);
    await due(single, -1);
    // A busy worker knows the clients with due connections of the last second; one that starts now, all of them.
    expect(connectionsOf(await worker().claim(PLACES))).toContain(single);
    await context.query('update connection set lease_token = null, leased_until = null where uuid = $1', [single]);
    await due(single, -1);
    await eventually(async () => connectionsOf(await one.claim(PLACES)).includes(single), 'its turn comes');
  });

  it('serves more clients than it has places in turn, with one place each', async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => createTestClient(context.app)));
    for (const [at, client] of clients.entries()) await addDue(await quiet(client), 20, -3_000 * (at + 1));
    const one = worker();
    const served: string[] = [];
    for (let times = 0; times < 12; times++) {
      served.push(...(await one.claim(5)).map(({ environmentUuid }) => environmentUuid));
    }
    expect(served).toHaveLength(60);
    const counts = clients.map(({ environmentUuid }) => served.filter((uuid) => uuid === environmentUuid).length);
    expect(counts).toEqual(clients.map(() => 5));
  });

  it('gives every client its share when the places cannot be divided by the clients', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => createTestClient(context.app)));
    for (const [at, client] of clients.entries()) await addDue(await quiet(client), 20, -3_000 * (at + 1));
    const one = worker();
    const served: string[] = [];
    for (let times = 0; times < 4; times++) {
      const claims = (await one.claim(4)).map(({ environmentUuid }) => environmentUuid);
      expect(new Set(claims).size).toBe(3);
      served.push(...claims);
    }
    const counts = clients.map(({ environmentUuid }) => served.filter((uuid) => uuid === environmentUuid).length);
    expect(counts.sort()).toEqual([5, 5, 6]);
  });

  it('begins with different clients in different workers', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => createTestClient(context.app)));
    for (const client of clients) await addDue(await quiet(client), 100, -3_000);
    const first = new Set<string>();
    // With three clients, forty workers begin with the same one once in 10^18 runs.
    for (let workers = 0; workers < 40; workers++) first.add((await worker().claim(1))[0]!.environmentUuid);
    expect(first.size).toBeGreaterThan(1);
  });

  it('claims from other clients at once when another worker has emptied those that it knows', async () => {
    await addDue(await quiet(context.client), 20, -3_000);
    const later = await quiet(context.otherClient);
    const one = worker();
    expect(await one.claim(2)).toHaveLength(2);
    expect(await worker().claim(20)).toHaveLength(18);
    await due(later, -1);
    expect(connectionsOf(await one.claim(2))).toEqual([later]);
  });

  it('claims an immediate fetch beside the schedule of its client, and a manual one before everything', async () => {
    const like = await quiet(context.client);
    await addDue(like, 1500, -3000);
    const fresh = await context.createActiveConnection(); // its first fetch is immediate
    const claims = await worker().claim(2);
    expect(connectionsOf(claims)).toContain(fresh);
    expect(claims.map(({ trigger }) => trigger).sort()).toEqual(['INITIAL', 'SCHEDULED']);
    const [last] = await context.query<{ uuid: string }>(
      'select uuid from connection where lease_token is null and next_fetch_at <= $1 order by next_fetch_at desc limit 1',
      [context.app.clock.now()],
    );
    await context.client.request('post', `/v1/connections/${last!.uuid}/fetch-now`).expect(202);
    expect(await worker().claim(1)).toMatchObject([{ connectionUuid: last!.uuid, trigger: 'MANUAL' }]);
  });

  it('claims every connection once, however many workers claim at the same time', async () => {
    await addDue(await quiet(context.client), 500, -600);
    const workers = Array.from({ length: 4 }, worker);
    const claimed: string[] = [];
    await Promise.all(
      workers.map(async (one) => {
        for (let idle = 0; idle < 3;) {
          const claims = connectionsOf(await one.claim(PLACES));
          claimed.push(...claims);
          idle = claims.length === 0 ? idle + 1 : 0;
        }
      }),
    );
    expect(claimed).toHaveLength(500);
    expect(new Set(claimed).size).toBe(500);
    const [running] = await context.query<{ n: string }>(`select count(*) as n from "fetch" where status = 'RUNNING'`);
    expect(Number(running!.n)).toBe(500);
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
      await engine.rows(COPY, like, engine.app.clock.in(-2 * BACKLOG), BACKLOG);
      await eventually(async () => (await begun()) > 50, 'the backlog is being worked on');
      const dueAt = engine.app.clock.now();
      await engine.rows('update connection set next_fetch_at = $2 where uuid = $1', single, engine.app.clock.in(-1));
      await engine.waitForFetches(single, 2);
      const [fetch] = (await engine.fetches(single)).slice(-1);
      const before = await engine.count(
        'select count(*) from "fetch" where environment_uuid = $1 and started_at between $2 and $3',
        large.environmentUuid,
        dueAt,
        fetch!.started_at,
      );
      expect(before).toBeLessThan(200);
      expect(await begun()).toBeLessThan(BACKLOG / 2);
    } finally {
      await engine.stop();
    }
  });
});
