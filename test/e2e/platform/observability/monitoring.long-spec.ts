import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { stringify } from 'yaml';
import { answer, Receiver } from '../../../fakes/receiver';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connectSandbox } from '../../../harness/engine/test-engine';
import { eventually } from '../../../harness/eventually';
import { freePort } from '../../../harness/free-port';
import {
  dashboardQueries,
  readRules,
  recordedSeriesOf,
  RULE_FILES,
  RULE_TESTS,
  type Selector,
  selectorsOf,
} from '../../../harness/monitoring/monitoring-files';
import { PrometheusServer } from '../../../harness/monitoring/prometheus-server';
import { ServiceProcess } from '../../start/service-process';

const KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
/** Metrics that have no series while nothing of that kind has happened. */
const WITHOUT_SERIES = [
  'docfetch_fetch_stalls_total', // a source that freezes
  'docfetch_inbox_mails_total', // SMTP_PORT
  'docfetch_oauth_client_refusals_total', // an OAuth client
  'docfetch_replica_reads_total', // DATABASE_REPLICA_URL
  'docfetch_storage_request_seconds', // STORAGE_URL
  'docfetch_webhooks_sent_total', // a webhook
];

const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });

describe('The rules for Prometheus', () => {
  it('are valid, and raise each alert when they should and not otherwise', () => {
    expect(promtool('check', 'rules', ...RULE_FILES)).toContain('SUCCESS');
    expect(promtool('test', 'rules', RULE_TESTS)).toContain('SUCCESS');
  }, 180_000);

  it('have the syntax of the queries of the dashboard', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docfetch-dashboard-'));
    const rules = dashboardQueries().map((expr, index) => ({ record: `dashboard:query:${index}`, expr }));
    writeFileSync(join(folder, 'dashboard.yaml'), stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', join(folder, 'dashboard.yaml'))).toContain(`${rules.length} rules found`);
    rmSync(folder, { recursive: true });
  });
});

describe('A Prometheus that scrapes an API process and a worker', () => {
  let preparing: TestApp;
  let receiver: Receiver;
  let processes: Record<'api' | 'worker', ServiceProcess>;
  let prometheus: PrometheusServer;
  let apiPort: number;

  beforeAll(async () => {
    [preparing, receiver] = await Promise.all([startApp(), Receiver.start()]);
    // Processes count connections when they start, and then once a minute.
    const client = await createTestClient(preparing, {
      provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'NONE', secret: null },
    });
    const uuid = await connectSandbox(client, { documents: 2, document_size_kb: 4 });
    const start = async (role: string, metricsPort: number, port: number) => {
      const service = await ServiceProcess.start('main', {
        PORT: String(port),
        PUBLIC_URL: 'https://docfetch.test',
        DATABASE_URL: preparing.databaseUrl,
        ENCRYPTION_KEYS: KEYS,
        TOKEN_KEYS: KEYS,
        ROLE: role,
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'warn',
      });
      return service.ready();
    };
    const ports = { api: await freePort(), worker: await freePort() };
    apiPort = await freePort();
    processes = {
      api: await start('api', ports.api, apiPort),
      worker: await start('worker', ports.worker, await freePort()),
    };
    prometheus = await PrometheusServer.start({ api: `127.0.0.1:${ports.api}`, worker: `127.0.0.1:${ports.worker}` });
    await fetchAndDeliver(client, uuid);
  }, 180_000);
  afterAll(async () => {
    await prometheus?.stop();
    await Promise.all(Object.values(processes ?? {}).map((service) => service.kill('SIGTERM')));
    await receiver?.stop();
    await preparing?.stop();
  });

  /** Fetches (initial, scheduled, failed), documents that are pushed, one of them refused, and a request. */
  async function fetchAndDeliver(client: TestClient, uuid: string): Promise<void> {
    const delivered = 'docfetch_delivery_since_due_seconds_count{attempt="first", endpoint="healthy"} > 0';
    await eventually(async () => (await prometheus.count(delivered)) > 0, 'a delivery is measured');
    receiver.next(answer(500));
    await connectSandbox(client, { documents: 2, document_size_kb: 4, scenario: 'provider_down' });
    await fetch(`http://127.0.0.1:${apiPort}/health/ready`);
    const database = new Client({ connectionString: preparing.databaseUrl });
    await database.connect();
    await database.query('update connection set next_fetch_at = now() where uuid = $1', [uuid]);
    await database.end();
    const fetched = 'docfetch_fetch_since_due_seconds_count{trigger="SCHEDULED", outcome="SUCCEEDED"} > 0';
    await eventually(async () => (await prometheus.count(fetched)) > 0, 'a scheduled fetch is measured');
    const failed = 'docfetch_fetches_total{reason!=""} and on () docfetch_log_messages_total';
    await eventually(
      async () => (await prometheus.count(failed)) > 0,
      'a failed fetch and a refused document are counted',
    );
    const observed = 'docfetch_observed_timestamp_seconds > 0';
    await eventually(
      async () => (await prometheus.count(observed)) === Object.keys(processes).length,
      'every process has collected the values of the whole system',
    );
  }

  /** Null when the metric has series with these labels; otherwise what is wrong, or that it has no series. */
  async function problemOf({ text, name, metric, labels }: Selector): Promise<string | null> {
    if ((await prometheus.count(text)) > 0) return null;
    if ((await prometheus.count(name)) === 0)
      return (await prometheus.isExposed(metric)) ? metric : `${metric}: unknown`;
    for (const label of labels) {
      if ((await prometheus.count(`${name}{${label}!=""}`)) === 0) return `${metric}: no label ${label}`;
    }
    return null;
  }

  const raised = async () => {
    const rules = await prometheus.rules();
    return rules.filter(({ state }) => state === 'pending' || state === 'firing').map(({ name }) => name);
  };

  it('finds every metric and label of all rules and of the dashboard', async () => {
    const queries = [...readRules().map(({ expr }) => expr), ...dashboardQueries()];
    const problems = new Set<string>();
    for (const query of queries) {
      await prometheus.count(query);
      for (const selector of selectorsOf(query)) {
        const problem = await problemOf(selector);
        if (problem !== null) problems.add(problem);
      }
    }
    expect([...problems].sort()).toEqual(WITHOUT_SERIES);
  });

  it('evaluates all rules, and records every series that the dashboard and the alerts read', async () => {
    const names = readRules().map(({ alert, record }) => alert ?? record);
    await eventually(
      async () => (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
      'all have run',
    );
    const rules = await prometheus.rules();
    expect(rules.map(({ name }) => name).sort()).toEqual(names.toSorted());
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    const read = new Set([...readRules().map(({ expr }) => expr), ...dashboardQueries()].flatMap(recordedSeriesOf));
    expect(read.size).toBeGreaterThan(8);
    for (const series of read) {
      await eventually(async () => (await prometheus.count(series)) > 0, `${series} is recorded`);
    }
    await eventually(
      async () => (await raised()).length === 0,
      'no alert is raised by a service with which nothing is wrong',
    );
  });

  it('notices that no worker answers', async () => {
    await processes.worker.kill('SIGTERM');
    const expected = ['DocfetchProcessDown', 'DocfetchWorkerDown'];
    const names = await eventually(async () => {
      const names = await raised();
      return expected.every((name) => names.includes(name)) && names;
    }, 'the missing worker is noticed');
    // Without a worker nobody counts the jobs: sooner or later that is noticed too.
    expect(names.filter((name) => name !== 'DocfetchNoWorker').sort()).toEqual(expected);
  });
});
