import { EntityManager } from '@mikro-orm/postgresql';
import { Connection } from '../../../../src/connections/state/connection.entity';
import { ConnectionCountMetrics } from '../../../../src/connections/state/connection-count-metrics';
import { StalenessMonitor } from '../../../../src/connections/state/staleness-monitor';
import { FetchLeases } from '../../../../src/fetches/execution/fetch-leases';
import { MetricsCollector } from '../../../../src/platform/jobs/monitoring/metrics-collector';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, updateFields, connectSandbox } from '../../fetches/engine';
import { eventually } from '../../../harness/eventually';
import { parseMetrics, metricValue } from '../../../harness/app/metrics-text';

const MINUTES = 60;
const INTERVAL = 60 * MINUTES;
const TOKEN = 'metrics-'.repeat(5);

interface Entry {
  readonly type: string;
  readonly cause: string | null;
  readonly message: string;
}

describe('The staleness monitor (no success for three intervals)', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start({ settings: { metricsToken: TOKEN } });
    client = await createTestClient(engine.app, { environment: { fetchIntervalMinutes: INTERVAL / MINUTES } });
  });
  afterAll(() => engine.stop());
  afterEach(() => jest.restoreAllMocks());

  const watch = () => engine.app.app.get(StalenessMonitor, { strict: false }).markOverdue();
  const timeline = async (uuid: string, lang = 'en') => {
    const { body } = await client.request('get', `/v1/connections/${uuid}/timeline`).set('Lang', lang).expect(200);
    return (body as { data: Entry[] }).data
      .filter(({ type }) => type === 'CONNECTION_OVERDUE' || type === 'CONNECTION_RECOVERED')
      .map(({ type, cause, message }) => [type, cause, message]);
  };
  /** Marked by this call, or by a concurrent one of the service's own timer. */
  const becomesOverdue = (uuid: string) =>
    eventually(async () => (await watch(), (await timeline(uuid)).length === 1), 'the connection is overdue');
  const overdueMetric = async () => {
    await engine.app.app.get(MetricsCollector, { strict: false }).look();
    const { text } = await requestWithoutCredentials(engine.app, 'get', '/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200);
    return metricValue(parseMetrics(text), 'docfetch_connections_overdue', { integration: 'sandbox' });
  };
  /** No worker claims a fetch, as if all workers were stuck. */
  const nobodyWorks = () =>
    jest.spyOn(engine.app.app.get(FetchLeases, { strict: false }), 'claim').mockResolvedValue(null);
  /** Advances the clock by three intervals and runs everything that becomes due. */
  const threeIntervals = () => engine.advanceClock(3 * INTERVAL + 1);

  it('reports staleness once at the start and once at the end: in health, timeline and metrics, in both languages', async () => {
    const uuid = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(uuid, 1);
    const stuck = nobodyWorks();
    await engine.advanceClock(3 * INTERVAL - 5 * MINUTES);
    await watch();
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
    expect(await timeline(uuid)).toEqual([]);
    expect(await overdueMetric()).toBe(0);

    await engine.advanceClock(6 * MINUTES);
    await Promise.all([watch(), watch(), watch()]);
    await becomesOverdue(uuid);
    await watch();
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'DEGRADED',
      reason: { code: 'PROVIDER_DOWN', action: 'WAIT' },
    });
    const begun = (message: string) => ['CONNECTION_OVERDUE', 'PROVIDER_DOWN', message];
    expect(await timeline(uuid)).toEqual([
      begun(
        'No fetch has succeeded for three fetch intervals. The provider cannot be reached at the moment. We retry automatically.',
      ),
    ]);
    expect(await overdueMetric()).toBe(1);

    stuck.mockRestore();
    await engine.runPolls();
    await engine.waitForFetches(uuid, 2);
    await watch();
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
    expect(await timeline(uuid, 'de')).toEqual([
      ['CONNECTION_RECOVERED', null, 'Der Abruf funktioniert wieder.'],
      begun(
        'Seit drei Abrufintervallen ist kein Abruf gelungen. Der Anbieter ist im Moment nicht erreichbar. Wir versuchen es automatisch erneut.',
      ),
    ]);
    expect((await timeline(uuid))[0]).toEqual(['CONNECTION_RECOVERED', null, 'Fetching works again.']);
    expect(await overdueMetric()).toBe(0);
  });

  it('keeps the reason found by fetches, and whether the user must act', async () => {
    const uuid = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(uuid, 1);
    await engine.rows(
      `update connection set settings = settings || '{"scenario":"folder_gone"}' where uuid = $1`,
      uuid,
    );
    await engine.advanceClock(INTERVAL + 1);
    await engine.waitForFetches(uuid, 2);
    await engine.advanceClock(2 * INTERVAL + 60);
    await engine.waitForFetches(uuid, 3);
    await becomesOverdue(uuid);
    expect(await getConnection(client, uuid)).toMatchObject({
      health: 'ACTION_REQUIRED',
      reason: { code: 'FOLDER_NOT_FOUND' },
    });
    expect(await timeline(uuid)).toEqual([
      [
        'CONNECTION_OVERDUE',
        'FOLDER_NOT_FOUND',
        'No fetch has succeeded for three fetch intervals. A selected folder no longer exists. Please update your selection.',
      ],
    ]);
    await updateFields(client, uuid, { scenario: 'normal', password: 'right' });
    await engine.runPolls();
    await engine.waitForFetches(uuid, 4);
    expect((await timeline(uuid)).map(([type]) => type)).toEqual(['CONNECTION_RECOVERED', 'CONNECTION_OVERDUE']);
  });

  it('monitors a connection whose first fetch never starts', async () => {
    nobodyWorks();
    const uuid = await connectSandbox(client, { documents: 1 });
    await threeIntervals();
    await becomesOverdue(uuid);
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'DEGRADED', last_success_at: null });
    expect((await timeline(uuid)).map(([type]) => type)).toEqual(['CONNECTION_OVERDUE']);
  });

  it('does not monitor inactive connections, and starts again when they become active', async () => {
    const uuid = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(uuid, 1);
    nobodyWorks();
    await threeIntervals();
    await becomesOverdue(uuid);
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'DEGRADED' });
    await client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'DISABLED', health: 'OK' });
    await threeIntervals();
    await watch();
    await client.request('put', `/v1/connections/${uuid}/enable`).expect(204);
    await watch();
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
    // Disabling has cleared the mark, as its own entry shows; without a fetch there is no recovery.
    expect((await timeline(uuid)).map(([type]) => type)).toEqual(['CONNECTION_OVERDUE']);
  });

  it('sends no webhook event: decisions 6 lists all events', async () => {
    const told = () => engine.rows(`select 1 from outbox where type in ('connection.overdue', 'connection.recovered')`);
    expect((await told()).length).toBeGreaterThan(0);
    await eventually(
      async () =>
        (await engine.count(
          `select count(*) from outbox where type in ('connection.overdue', 'connection.recovered') and dispatched_at is null`,
        )) === 0,
      'the facts are dispatched',
    );
    expect(
      await engine.rows(`select 1 from webhook_delivery where type in ('connection.overdue', 'connection.recovered')`),
    ).toEqual([]);
  });

  it('counts connections by integration, status and health after every change, without scanning them', async () => {
    // In one statement, because fetches of previous tests may still be ending.
    const differences = () =>
      engine.rows(
        `with tally as (select integration_id, status, health, overdue, sum(n) as n from connection_tally
                        group by 1, 2, 3, 4 having sum(n) <> 0),
           truth as (select c.integration_id, s.status, s.health, c.overdue_since is not null as overdue, count(*)::numeric as n
                     from connection c join connection_status s using (uuid) group by 1, 2, 3, 4)
         (select * from tally except select * from truth) union all (select * from truth except select * from tally)`,
      );
    const identity = await client.createIdentity();
    await engine.rows(
      `insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, disabled_at, consecutive_failures, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'imap', 'x', '{}', '{}', '[]', '{}', case when i % 2 = 0 then now() end, 0, now(), now()
       from generate_series(1, 1000) i`,
      client.environmentUuid,
      identity,
    );
    expect(await differences()).toEqual([]);
    await engine.rows(`update connection set setup_completed_at = now(), failing_since = now(), failure_reason = 'RATE_LIMITED'
      where integration_id = 'imap'`);
    expect(await differences()).toEqual([]);
    const fold = () => engine.app.app.get(ConnectionCountMetrics, { strict: false }).compact();
    await Promise.all([
      fold(),
      fold(),
      engine.rows(`update connection set credentials_rejected_at = now() where integration_id = 'imap'`),
    ]);
    await fold();
    expect(await differences()).toEqual([]);
    expect(await engine.count('select count(*) from connection_tally')).toBeLessThan(500);
    await client.request('delete', `/v1/identities/${identity}`).expect(204);
    expect(await differences()).toEqual([]);
    expect(await engine.count('select sum(n) as count from connection_tally')).toBeGreaterThan(0);
  });

  it('derives the same health of a connection in SQL as the service does', async () => {
    const identity = await client.createIdentity();
    const { body } = await client
      .request('post', '/v1/connections')
      .send({ integration_id: 'sandbox', name: 'x', identity_uuid: identity, fields: { user: 'u', password: 'p' } })
      .expect(201);
    const { uuid } = (body as { data: { uuid: string } }).data;
    const em = engine.app.app.get(EntityManager, { strict: false }).fork();
    const connection = await em.findOneOrFail(Connection, uuid);
    const now = engine.app.clock.now();
    const seen = new Set<string>();
    for (let facts = 0; facts < 32; facts += 1) {
      const is = (bit: number) => ((facts >> bit) & 1 ? now : null);
      for (const reason of [
        null,
        'PROVIDER_DOWN',
        'RATE_LIMITED',
        'PROVIDER_CHANGED',
        'LOGIN_REJECTED',
        'CONSENT_EXPIRED',
      ] as const) {
        connection.credentialsRejectedAt = is(0);
        connection.setupCompletedAt = is(1);
        connection.failingSince = is(2);
        connection.overdueSince = is(3);
        connection.lastSuccessAt = is(4);
        connection.failureReason = reason;
        await em.flush();
        const [row] = await engine.rows<{ health: string }>(
          'select health from connection_status where uuid = $1',
          uuid,
        );
        expect([facts, reason, row!.health]).toEqual([facts, reason, connection.health]);
        seen.add(row!.health);
      }
    }
    expect([...seen].sort()).toEqual(['ACTION_REQUIRED', 'DEGRADED', 'OK', 'UNKNOWN']);
  });
});
