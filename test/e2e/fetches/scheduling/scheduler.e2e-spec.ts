import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

const MINUTE = 60;
const INTERVAL = 120 * MINUTE;

describe('The schedule (spec 1)', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app, { environment: { fetchIntervalMinutes: 120 } });
  });
  afterAll(() => engine.stop());

  const dueIn = async (uuid: string): Promise<number> =>
    (Date.parse((await getConnection(client, uuid)).next_fetch_at!) - engine.app.clock.now().getTime()) / 1000;

  it('fetches a connection again after its interval, and not before', async () => {
    const uuid = await connectSandbox(client);
    await engine.waitForFetches(uuid, 1);
    for (let fetches = 1; fetches <= 4; fetches++) {
      const due = await dueIn(uuid);
      // From its first fixed time on, the connection keeps that time (next-fetch-time.spec.ts).
      expect(due).toBeGreaterThan(fetches === 4 ? INTERVAL - 3 * MINUTE : INTERVAL / 2 - 2 * MINUTE);
      expect(due).toBeLessThanOrEqual(INTERVAL);
      await engine.advanceClock(due - MINUTE);
      expect(await engine.fetches(uuid)).toHaveLength(fetches);
      await engine.advanceClock(MINUTE + 1);
      const last = await engine.waitForLastFetch(uuid, fetches + 1);
      expect(last).toMatchObject({ trigger: 'SCHEDULED', status: 'SUCCEEDED', new: 1 });
    }
  });

  it('runs a fetch that is overdue by ten intervals once', async () => {
    const uuid = await connectSandbox(client);
    await engine.waitForFetches(uuid, 1);
    await engine.advanceClock(10 * INTERVAL + 60);
    await engine.waitForFetches(uuid, 2);
    await engine.runPolls();
    await engine.runPolls();
    expect(await engine.waitForFetches(uuid, 2)).toHaveLength(2);
    expect(await dueIn(uuid)).toBeGreaterThan(INTERVAL / 2 - 2 * MINUTE);
    expect(await dueIn(uuid)).toBeLessThanOrEqual(INTERVAL);
  });

  it('does not fetch a due connection that is deleted or whose credentials are rejected', async () => {
    const [deleted, refused] = [
      await connectSandbox(client),
      await connectSandbox(client, { scenario: 'password_changed' }),
    ];
    await engine.waitForFetches(deleted, 1);
    await engine.waitForFetches(refused, 1);
    await engine.advanceClock(61);
    await engine.waitForFetches(refused, 2);
    expect(await getConnection(client, refused)).toMatchObject({ status: 'INVALID_CREDENTIALS', next_fetch_at: null });
    engine.app.clock.advance(3 * INTERVAL);
    await client.request('delete', `/v1/connections/${deleted}`).expect(204);
    await engine.runPolls();
    expect(await engine.fetches(refused)).toHaveLength(2);
    expect(await engine.fetches(deleted)).toHaveLength(0);
  });

  it('does not fetch disabled connections, and catches up when they are enabled', async () => {
    const uuid = await connectSandbox(client);
    await engine.waitForFetches(uuid, 1);
    await client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'DISABLED', next_fetch_at: null });
    await engine.advanceClock(5 * INTERVAL);
    expect(await engine.fetches(uuid)).toHaveLength(1);
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(422);
    await client.request('put', `/v1/connections/${uuid}/enable`).expect(204);
    await engine.runPolls();
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ trigger: 'RECOVERY', status: 'SUCCEEDED', new: 1 });
  });

  it('cancels queued fetches when a connection is disabled', async () => {
    const slow = await connectSandbox(client, { scenario: 'slow', delay_ms: 400, documents: 3 });
    await client.request('post', `/v1/connections/${slow}/fetch-now`).expect(202);
    await client.request('put', `/v1/connections/${slow}/disable`).expect(204);
    await engine.runPolls();
    const all = await engine.waitForFetches(slow, 1);
    expect(all.at(-1)).toMatchObject({ status: 'CANCELLED', error_code: 'CONNECTION_NOT_ACTIVE', new: 0 });
    expect((await getConnection(client, slow)).last_fetch).toMatchObject({ status: 'CANCELLED' });
  });

  it('runs one fetch of a connection at a time, each fetch-now under its own uuid', async () => {
    const uuid = await connectSandbox(client, { scenario: 'slow', delay_ms: 150, documents: 2, new_per_fetch: 1 });
    const asked = await Promise.all(
      [1, 2, 3].map(() => client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202)),
    );
    const wanted = asked.map(({ body }) => (body as { uuid: string }).uuid);
    expect(new Set(wanted).size).toBe(3);
    const all = await engine.waitForFetches(uuid, 4);
    expect(all.map((fetch) => fetch.uuid)).toEqual(expect.arrayContaining(wanted));
    const spans = await engine.rows<{ started_at: Date; finished_at: Date }>(
      'select started_at, finished_at from "fetch" where connection_uuid = $1 order by started_at',
      uuid,
    );
    for (const [index, { started_at }] of spans.entries()) {
      if (index > 0) expect(started_at.getTime()).toBeGreaterThanOrEqual(spans[index - 1]!.finished_at.getTime());
    }
    expect(await engine.transactions(uuid)).toHaveLength(2 + 3);
  });

  it('queues one fetch for a connection that is due for several reasons', async () => {
    const uuids = await Promise.all(Array.from({ length: 10 }, () => connectSandbox(client, { documents: 1 })));
    for (const uuid of uuids) await engine.waitForFetches(uuid, 1);
    engine.app.clock.advance(INTERVAL + 60);
    await Promise.all(Array.from({ length: 6 }, () => engine.runPolls()));
    for (const uuid of uuids) expect(await engine.waitForFetches(uuid, 2)).toHaveLength(2);
  });
});

describe('A due connection with a queued fetch', () => {
  let waiting: TestEngine;
  let working: TestEngine | undefined;

  beforeAll(async () => (waiting = await TestEngine.start({ role: 'api' })));
  afterAll(async () => {
    await working?.stop();
    await waiting.stop();
  });

  it('is fetched once: the queued fetch also serves the scheduled one', async () => {
    const { app } = waiting;
    const client = await createTestClient(app);
    const uuid = await connectSandbox(client);
    await waiting.rows(
      'update connection set immediate_fetch_at = null, immediate_fetch_trigger = null where uuid = $1',
      uuid,
    );
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await waiting.fetches(uuid)).toMatchObject([{ trigger: 'MANUAL', status: 'QUEUED' }]);
    await waiting.rows('update connection set next_fetch_at = $2 where uuid = $1', uuid, app.clock.in(-1));
    working = await TestEngine.start({ databaseUrl: app.databaseUrl, clock: app.clock });
    await working.waitForFetches(uuid, 1);
    await working.waitForIdleWorker();
    expect(await working.fetches(uuid)).toMatchObject([{ trigger: 'MANUAL', status: 'SUCCEEDED' }]);
    expect(Date.parse((await getConnection(client, uuid)).next_fetch_at!)).toBeGreaterThan(app.clock.now().getTime());
  });
});
