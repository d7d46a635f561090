import { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { ConnectionCountMetrics } from '../../../../src/connections/state/connection-count-metrics';
import { ClaimFetches } from '../../../../src/fetches/scheduling/claim-fetches';
import { BacklogMonitor } from '../../../../src/platform/jobs/monitoring/backlog-monitor';
import { Metrics } from '../../../../src/platform/metrics/metrics';
import { MetricsCollector } from '../../../../src/platform/jobs/monitoring/metrics-collector';
import { answer, Receiver } from '../../../fakes/receiver';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { metricValue } from '../../../harness/app/metrics-text';
import { METRICS_TOKEN, scrape } from '../../../harness/app/scrape-metrics';
import {
  dashboardQueries,
  readRules,
  recordedSeriesOf,
  selectorsOf,
} from '../../../harness/monitoring/monitoring-files';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { waitForAllDelivered, createPushClient } from '../../provisioning/push/push-setup';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

describe('GET /metrics: content (decisions 5)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([
      TestEngine.start({ settings: { metricsToken: METRICS_TOKEN } }),
      Receiver.start(),
    ]);
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  const observe = async () => {
    await engine.app.app.get(MetricsCollector, { strict: false }).collect();
    const em = engine.app.app.get(EntityManager, { strict: false }).fork();
    await engine.app.app.get(ConnectionCountMetrics, { strict: false }).count(em); // the collector counts once a minute
  };

  it('counts the errors of PostgreSQL that its operator has to repair, and no others', async () => {
    const errorsOf = async (reason: string) =>
      metricValue(await scrape(engine.app.url), 'docfetch_database_errors_total', { reason });
    const em = engine.app.app.get(EntityManager, { strict: false }).fork();
    const fail = (sqlState: string) =>
      expect(em.execute(`do $$ begin raise 'made up' using errcode = '${sqlState}'; end $$`)).rejects.toThrow(
        'made up',
      );
    expect(await errorsOf('disk_full')).toBe(0);
    for (const sqlState of ['53100', '53100', '53200', '58030', '25006', '23505', 'P0001']) await fail(sqlState);
    const counts = ['disk_full', 'out_of_memory', 'io_error', 'read_only'].map(errorsOf);
    expect(await Promise.all(counts)).toEqual([2, 1, 1, 1]);
    expect(await scrape(engine.app.url)).not.toContain('23505');
  });

  it('shows how far the clock of the process is ahead of that of the database', async () => {
    const difference = async () => {
      await engine.app.app.get(MetricsCollector, { strict: false }).collect();
      return metricValue(await scrape(engine.app.url), 'docfetch_clock_difference_seconds');
    };
    const before = await difference();
    engine.app.clock.advance(120);
    expect((await difference()) - before).toBeCloseTo(120, -1);
  });

  it('counts requests by route template', async () => {
    const client = await createPushClient(engine, receiver.url());
    const before = await scrape(engine.app.url);
    await client.request('get', `/v1/connections/${randomUUID()}`).expect(404);
    await client.request('get', `/v1/connections/${randomUUID()}?x=1`).expect(404);
    await requestWithoutCredentials(engine.app, 'get', '/v1/connections/no-uuid').expect(401);
    for (const path of ['/nothing/here', `/${randomUUID()}`, '/wp-login.php']) {
      await requestWithoutCredentials(engine.app, 'get', path).expect(404);
    }
    await requestWithoutCredentials(engine.app, 'post', '/nothing').expect(404);
    const route = '/v1/connections/:uuid';
    await eventually(
      async () =>
        metricValue(await scrape(engine.app.url), 'docfetch_http_requests_total', { route: 'unmatched' }) >= 4,
      'the requests are counted',
    );
    const after = await scrape(engine.app.url);
    const grown = (name: string, labels: Record<string, string>) =>
      metricValue(after, name, labels) - metricValue(before, name, labels);
    expect(grown('docfetch_http_requests_total', { method: 'GET', route, status: '4xx' })).toBe(3);
    expect(grown('docfetch_http_request_duration_seconds_count', { method: 'GET', route })).toBe(3);
    expect(grown('docfetch_http_requests_total', { method: 'any', route: 'unmatched', status: '4xx' })).toBe(4);
    const routes = after.get('docfetch_http_requests_total')!.samples.map(({ labels }) => labels.route!);
    expect(routes.filter((path) => path !== 'unmatched' && !path.startsWith('/'))).toEqual([]);
  });

  it('counts fetches, documents, deliveries, jobs and connections, without their names', async () => {
    const client = await createPushClient(engine, receiver.url());
    const good = await connectSandbox(client, { documents: 3, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(good, 1);
    await waitForAllDelivered(engine, client);
    await observe();
    const found = await scrape(engine.app.url);
    const sandboxes = { integration: 'sandbox' };
    expect(
      metricValue(found, 'docfetch_fetches_total', {
        ...sandboxes,
        trigger: 'INITIAL',
        outcome: 'SUCCEEDED',
        reason: '',
      }),
    ).toBe(1);
    expect(metricValue(found, 'docfetch_fetch_duration_seconds_count', sandboxes)).toBe(1);
    expect(metricValue(found, 'docfetch_fetched_documents_total', { ...sandboxes, outcome: 'new' })).toBe(3);
    expect(metricValue(found, 'docfetch_deliveries_total', { strategy: 'PUSH', outcome: 'DELIVERED' })).toBe(3);
    expect(metricValue(found, 'docfetch_delivery_duration_seconds_count')).toBe(3);
    expect(
      metricValue(found, 'docfetch_fetch_since_due_seconds_count', { trigger: 'INITIAL', outcome: 'SUCCEEDED' }),
    ).toBe(1);
    const delivered = { attempt: 'first', endpoint: 'healthy' };
    expect(metricValue(found, 'docfetch_delivery_since_due_seconds_count', delivered)).toBe(3);
    await eventually(
      async () => metricValue(await scrape(engine.app.url), 'docfetch_jobs_ended_total', { outcome: 'completed' }) > 0,
      'the job of the endpoint is counted',
    );
    expect(metricValue(found, 'docfetch_connections', { ...sandboxes, status: 'ACTIVE', health: 'OK' })).toBe(1);
    expect(metricValue(found, 'docfetch_connections_overdue')).toBe(0);
    expect(metricValue(found, 'docfetch_database_pool_connections')).toBeGreaterThan(0);
    expect(metricValue(found, 'docfetch_observed_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
    expect(metricValue(found, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(metricValue(found, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    const { labels } = found.get('docfetch_build_info')!.samples[0]!;
    expect(labels).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), node: process.version, role: 'all' });
  });

  it('contains no uuid, key, client name or secret', async () => {
    const client = await createPushClient(engine, receiver.url());
    const user = `portal-${randomUUID()}`;
    const uuid = await connectSandbox(client, { user, documents: 1, document_size_kb: 4 });
    await engine.waitForFetches(uuid, 1);
    await waitForAllDelivered(engine, client);
    await observe();
    const { text } = await requestWithoutCredentials(engine.app, 'get', '/metrics')
      .set('Authorization', `Bearer ${METRICS_TOKEN}`)
      .expect(200);
    expect(text).not.toMatch(UUID);
    for (const secret of [
      client.apiKey,
      client.signingSecret,
      user,
      METRICS_TOKEN,
      'Acme',
      new URL(engine.app.databaseUrl).password,
    ]) {
      if (secret) expect(text).not.toContain(secret);
    }
  });

  it('follows the naming conventions, and marks metrics of the whole system', async () => {
    await observe();
    const own = [...(await scrape(engine.app.url)).values()].filter(({ name }) => name.startsWith('docfetch_'));
    expect(own.length).toBeGreaterThan(25);
    for (const { name, type, help, samples } of own) {
      if (type === 'counter') expect(name).toMatch(/_total$/);
      else expect(name).not.toMatch(/_total$/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      expect(help).toMatch(/^[A-Z].*\.$/);
      expect(samples.length).toBeLessThan(1_000);
    }
    const wholeSystem = own.filter(({ help }) => help.includes('For the whole system')).map(({ name }) => name);
    expect(wholeSystem.sort()).toEqual([
      'docfetch_connections',
      'docfetch_connections_overdue',
      'docfetch_data_keys_overdue',
      'docfetch_data_keys_overdue_oldest_age_seconds',
      'docfetch_deliveries_due',
      'docfetch_deliveries_due_oldest_age_seconds',
      'docfetch_endpoints_held_back',
      'docfetch_fetches_due',
      'docfetch_fetches_due_oldest_age_seconds',
      'docfetch_fetches_running',
      'docfetch_fetches_running_oldest_age_seconds',
      'docfetch_fetches_without_worker',
      'docfetch_jobs',
      'docfetch_jobs_counted_timestamp_seconds',
      'docfetch_outbox_waiting',
      'docfetch_outbox_waiting_oldest_age_seconds',
      'docfetch_webhooks_waiting',
      'docfetch_webhooks_waiting_oldest_age_seconds',
    ]);
  });

  it('has every metric and label of the rules and of the dashboard', () => {
    const { registry } = engine.app.app.get(Metrics, { strict: false });
    const queries = [...readRules().map(({ expr }) => expr), ...dashboardQueries()];
    const selectors = queries.flatMap(selectorsOf);
    expect(selectors.length).toBeGreaterThan(60);
    for (const { metric, labels } of selectors) {
      const found = registry.getSingleMetric(metric) as { labelNames: string[] } | undefined;
      expect([metric, found !== undefined]).toEqual([metric, true]);
      expect([...found!.labelNames, 'le', 'job']).toEqual(expect.arrayContaining([...labels]));
    }
    const recorded = readRules().flatMap(({ record = [] }) => record);
    expect(recorded).toEqual(expect.arrayContaining(queries.flatMap(recordedSeriesOf)));
  });

  it('measures fetches and deliveries from when they became due', async () => {
    const initial = { trigger: 'INITIAL', outcome: 'SUCCEEDED' };
    const later = { attempt: 'later', endpoint: 'recovering' };
    const sum = async (name: string, labels: Record<string, string>) =>
      metricValue(await scrape(engine.app.url), `docfetch_${name}_since_due_seconds_sum`, labels);
    const before = [await sum('fetch', initial), await sum('delivery', later)];
    receiver.next(answer(500));
    const client = await createPushClient(engine, receiver.url());
    const claims = jest.spyOn(engine.app.app.get(ClaimFetches, { strict: false }), 'claim').mockResolvedValue([]);
    const uuid = await connectSandbox(client, { documents: 1, document_size_kb: 4 });
    await engine.advanceClock(100);
    claims.mockRestore();
    await engine.waitForFetches(uuid, 1);
    expect((await sum('fetch', initial)) - before[0]!).toBeGreaterThanOrEqual(100);
    const [transaction] = await engine.transactions(uuid);
    await engine.waitForTransaction(
      transaction!.uuid,
      'the first attempt is refused',
      ({ attempts }) => attempts === 1,
    );
    await engine.advanceClock(200);
    await waitForAllDelivered(engine, client);
    expect((await sum('delivery', later)) - before[1]!).toBeGreaterThanOrEqual(200);
  });

  it('logs when due work waits for more than a minute, and when the backlog is gone', async () => {
    const warnings: { seconds?: number; text: string }[] = [];
    const note = (fields: object, text: string) => void warnings.push({ ...fields, text });
    const late = engine.app.app.get(BacklogMonitor, { strict: false });
    await eventually(
      async () => (await late.check(), late['warnedAt'].size === 0),
      'it has reported the end of the backlog of an earlier test',
    );
    const spies = [
      jest.spyOn(late['logger'], 'warn').mockImplementation(note),
      jest.spyOn(late['logger'], 'log').mockImplementation(note),
      jest.spyOn(engine.app.app.get(ClaimFetches, { strict: false }), 'claim').mockResolvedValue([]),
    ];
    const client = await createPushClient(engine, receiver.url());
    const uuid = await connectSandbox(client, { documents: 1, document_size_kb: 4 });
    const age = async () => {
      await observe();
      return metricValue(await scrape(engine.app.url), 'docfetch_fetches_due_oldest_age_seconds', {
        waiting_in: 'schedule',
      });
    };
    // Tests before this one may have left a backlog behind, and its end is said too.
    await eventually(async () => {
      warnings.length = 0;
      await engine.runPolls();
      await late.check();
      return warnings.length === 0;
    }, 'nothing is late');
    await engine.advanceClock(90);
    await eventually(async () => (await late.check(), warnings.length > 0), 'it is said');
    await late.check();
    expect(warnings).toEqual([{ kind: 'fetches', seconds: expect.any(Number), text: 'Due work is waiting' }]);
    expect(warnings[0]!.seconds).toBeGreaterThanOrEqual(90);
    expect(warnings[0]!.seconds).toBeLessThan(200);
    expect(await age()).toBeGreaterThanOrEqual(90);
    for (const spy of spies.slice(2)) spy.mockRestore();
    await engine.runPolls();
    await engine.waitForFetches(uuid, 1);
    await eventually(async () => (await late.check(), warnings.length > 1), 'it is said to be over');
    expect(warnings.slice(1)).toEqual([{ kind: 'fetches', text: 'Due work starts in time again' }]);
    expect(await age()).toBe(0);
    for (const spy of spies) spy.mockRestore();
  });
});
