import { RescheduleConnections } from '../../../../src/fetches/scheduling/reschedule-connections';
import { UpdateEnvironment } from '../../../../src/identities/environments/update-environment';
import { eventually } from '../../../harness/eventually';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

describe('Changing the interval of an environment (environment update --fetch-interval)', () => {
  let engine: TestEngine;
  beforeAll(async () => (engine = await TestEngine.start()));
  afterAll(() => engine.stop());

  const change = (client: TestClient, fetchIntervalMinutes: number) =>
    engine.app.app
      .get(UpdateEnvironment, { strict: false })
      .update('test', client.environmentUuid, { fetchIntervalMinutes });
  const forward = () => engine.app.app.get(RescheduleConnections, { strict: false }).reschedule();
  const dueIn = async (client: TestClient, uuid: string): Promise<number> =>
    (Date.parse((await getConnection(client, uuid)).next_fetch_at!) - engine.app.clock.now().getTime()) / 1000;
  /** The number of connections that are due in more than an hour. */
  const longDue = (client: TestClient) =>
    engine.count(
      'select count(*) from connection where environment_uuid = $1 and next_fetch_at > $2',
      client.environmentUuid,
      engine.app.clock.in(3600),
    );
  const marked = (client: TestClient) =>
    engine.count(
      'select count(*) from environment where uuid = $1 and interval_shortened_at is not null',
      client.environmentUuid,
    );

  it('to a shorter one applies immediately, spread over time, to that environment only', async () => {
    const [client, other] = [await createTestClient(engine.app), await createTestClient(engine.app)];
    const [uuid, others] = [await connectSandbox(client), await connectSandbox(other)];
    await engine.waitForFetches(uuid, 1);
    await engine.waitForFetches(others, 1);
    await engine.rows(
      `insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, setup_completed_at, consecutive_failures, next_fetch_at, created_at, updated_at)
       select gen_random_uuid(), environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, setup_completed_at, 0, $2::timestamptz, created_at, updated_at
       from connection, generate_series(1, 2500) where uuid = $1`,
      uuid,
      engine.app.clock.in(80_000),
    );
    await change(client, 60);
    await eventually(async () => {
      await forward(); // leaves the rows to the service's own tick that it has locked
      return (await longDue(client)) === 0;
    }, 'all are rescheduled');
    expect(await dueIn(client, uuid)).toBeLessThanOrEqual(3600);
    expect(await dueIn(client, uuid)).toBeGreaterThan(1700);
    expect(await dueIn(other, others)).toBeGreaterThan(43_000);
    const minutes = await engine.rows<{ n: string }>(
      `select count(*) as n from connection where environment_uuid = $1 group by date_trunc('minute', next_fetch_at)`,
      client.environmentUuid,
    );
    expect(minutes.length).toBeGreaterThan(25);
    expect(Math.max(...minutes.map(({ n }) => Number(n)))).toBeLessThan(500);
    // The search ends when no fetch can use the former interval any more.
    expect(await marked(client)).toBe(1);
    engine.app.clock.advance(120);
    await forward();
    expect(await marked(client)).toBe(0);
    await engine.rows('delete from connection where uuid <> all($1)', [uuid, others]);
  });

  it('keeps earlier dates', async () => {
    const client = await createTestClient(engine.app);
    const uuid = await connectSandbox(client, { scenario: 'provider_down' });
    await engine.waitForFetches(uuid, 1);
    const before = (await getConnection(client, uuid)).next_fetch_at;
    await change(client, 60);
    await forward();
    expect((await getConnection(client, uuid)).next_fetch_at).toBe(before);
  });

  it('to a longer one keeps the announced date and applies after it', async () => {
    const client = await createTestClient(engine.app, { environment: { fetchIntervalMinutes: 60 } });
    const uuid = await connectSandbox(client);
    await engine.waitForFetches(uuid, 1);
    const before = (await getConnection(client, uuid)).next_fetch_at;
    await change(client, 1440);
    await forward();
    expect((await getConnection(client, uuid)).next_fetch_at).toBe(before);
    expect(await marked(client)).toBe(0);
    await engine.advanceClock(3601);
    await engine.waitForFetches(uuid, 2);
    expect(await dueIn(client, uuid)).toBeGreaterThan(43_000);
  });
});
