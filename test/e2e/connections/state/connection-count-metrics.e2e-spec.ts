import { EntityManager } from '@mikro-orm/postgresql';
import { ConnectionCountMetrics } from '../../../../src/connections/state/connection-count-metrics';
import { Connection } from '../../../../src/connections/state/connection.entity';
import { MetricsCollector } from '../../../../src/platform/jobs/monitoring/metrics-collector';
import { metricValue, parseMetrics } from '../../../harness/app/metrics-text';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { createTestClient, requestWithoutCredentials } from '../../../harness/app/test-client';

const TOKEN = 'metrics-'.repeat(5);
/** No other test creates such connections here. */
const INTEGRATION = 'imap';
const REASONS = [null, 'PROVIDER_DOWN', 'LOGIN_REJECTED', 'AUTHORIZATION_PENDING', 'CONSENT_EXPIRED'] as const;
/** Every combination of the state: whether each of six times is set, and the reason. */
const COMBINATIONS = 64 * REASONS.length;

describe('The number of connections by integration, status and health', () => {
  let app: TestApp;

  beforeAll(async () => (app = await startApp({ settings: { metricsToken: TOKEN } })));
  afterAll(() => app.stop());

  const em = () => app.app.get(EntityManager, { strict: false }).fork();
  const count = () => app.app.get(ConnectionCountMetrics, { strict: false }).count(em());
  const scrape = async () => {
    const { text } = await requestWithoutCredentials(app, 'get', '/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200);
    return parseMetrics(text);
  };

  async function createConnections(n: number): Promise<{ identity: string; uuids: string[] }> {
    const client = await createTestClient(app);
    const identity = await client.createIdentity();
    const rows = await em()
      .getConnection()
      .execute<{ uuid: string }[]>(
        `insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
           display_values, consecutive_failures, created_at, updated_at)
         select gen_random_uuid(), ?, ?, ?, 'x', '{}', '{}', '[]', '{}', 0, now(), now() from generate_series(1, ?) returning uuid`,
        [client.environmentUuid, identity, INTEGRATION, n],
      );
    return { identity, uuids: rows.map(({ uuid }) => uuid) };
  }

  it('is the one that the service derives for each connection, for every combination of facts', async () => {
    const { uuids } = await createConnections(COMBINATIONS);
    const forked = em();
    const connections = await forked.find(Connection, { uuid: { $in: uuids } });
    const now = app.clock.now();
    connections.forEach((connection, n) => {
      const is = (bit: number) => ((n >> bit) & 1 ? now : null);
      connection.disabledAt = is(0);
      connection.credentialsRejectedAt = is(1);
      connection.setupCompletedAt = is(2);
      connection.failingSince = is(3);
      connection.overdueSince = is(4);
      connection.lastSuccessAt = is(5);
      connection.failureReason = REASONS[n >> 6]!;
    });
    await forked.flush();
    await count();

    const expected: Record<string, number> = {};
    for (const { status, health } of connections) {
      const kind = `${status} ${health}`;
      expected[kind] = (expected[kind] ?? 0) + 1;
    }
    const metrics = await scrape();
    const samples = metrics
      .get('docfetch_connections')!
      .samples.filter(({ labels }) => labels.integration === INTEGRATION);
    expect(
      Object.fromEntries(samples.map(({ labels, value }) => [`${labels.status} ${labels.health}`, value])),
    ).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(10);
    expect(metricValue(metrics, 'docfetch_connections_overdue', { integration: INTEGRATION })).toBe(COMBINATIONS / 2);

    await em().nativeDelete(Connection, { uuid: { $in: uuids } });
    await count();
    expect(metricValue(await scrape(), 'docfetch_connections', { integration: INTEGRATION })).toBe(0);
  });

  it('is counted once a minute at most, because the query reads the whole table', async () => {
    const collector = app.app.get(MetricsCollector, { strict: false });
    await collector.collect();
    const { uuids } = await createConnections(3);
    await collector.collect();
    expect(metricValue(await scrape(), 'docfetch_connections', { integration: INTEGRATION })).toBe(0);
    await count();
    expect(metricValue(await scrape(), 'docfetch_connections', { integration: INTEGRATION })).toBe(3);
    await em().nativeDelete(Connection, { uuid: { $in: uuids } });
  });
});
