import { EntityManager } from '@mikro-orm/postgresql';
import { ConnectionCountMetrics } from '../../../../src/connections/state/connection-count-metrics';
import { StalenessMonitor } from '../../../../src/connections/state/staleness-monitor';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, updateFields, connectSandbox } from '../../../harness/engine/test-engine';
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
  const count = () => {
    const em = engine.app.app.get(EntityManager, { strict: false }).fork();
    return engine.app.app.get(ConnectionCountMetrics, { strict: false }).count(em);
  };
  const overdueMetric = async () => {
    await count();
    const { text } = await requestWithoutCredentials(engine.app, 'get', '/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200);
    return metricValue(parseMetrics(text), 'docfetch_connections_overdue', { integration: 'sandbox' });
  };
  /** No worker claims a fetch, as if all workers were stuck. */
  const nobodyWorks = () =>
    jest.spyOn(engine.app.app.get(ClaimFetches, { strict: false }), 'claim').mockResolvedValue([]);
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
    const events = () =>
      engine.rows(`select 1 from outbox where type in ('connection.overdue', 'connection.recovered')`);
    expect((await events()).length).toBeGreaterThan(0);
    await eventually(
      async () =>
        (await engine.count(
          `select count(*) from outbox where type in ('connection.overdue', 'connection.recovered') and dispatched_at is null`,
        )) === 0,
      'the events are dispatched',
    );
    expect(
      await engine.rows(`select 1 from webhook_delivery where type in ('connection.overdue', 'connection.recovered')`),
    ).toEqual([]);
  });
});
