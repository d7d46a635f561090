import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { RecentConnectionCounts } from '../../../../src/connections/state/recent-connection-counts';
import { WorkerHeartbeat } from '../../../../src/platform/observability/worker-heartbeat';
import { startApp } from '../../../harness/app/start-app';
import { createTestClient } from '../../../harness/app/test-client';
import { useTestContext } from '../../../harness/app/test-context';
import { eventually } from '../../../harness/eventually';
import { openConsole, type TestConsole } from '../../../harness/http/console-session';
import { expectError } from '../../../harness/http/expect-error';

interface Entry {
  readonly entry_uuid: string;
  readonly actor: string;
  readonly action: string;
  readonly environment_uuid: string | null;
  readonly subject_uuid: string | null;
}

describe('The console', () => {
  const context = useTestContext({ role: 'all' });
  let developer: TestConsole;
  let support: TestConsole;

  beforeAll(async () => {
    developer = await openConsole(context.app, context.client.environmentUuid);
    support = await openConsole(context.app, context.client.environmentUuid, 'SUPPORT');
  });

  describe('shows the audit log', () => {
    const page = async (query: object = {}, by = developer) =>
      (await by.request('get', '/v1/console/audit').query(query).expect(200)).body as {
        data: Entry[];
        meta: { next_cursor: string | null; has_more: boolean };
      };
    const list = async (query: object = {}, by = developer) => (await page(query, by)).data;

    it('of the environment, newest first, page by page', async () => {
      const all = await list();
      expect(all.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['environment.create', 'key.issue', 'identity.create']),
      );
      expect(new Set(all.map(({ environment_uuid }) => environment_uuid))).toEqual(
        new Set([context.client.environmentUuid]),
      );
      expect(all.map(({ entry_uuid }) => entry_uuid)).toEqual(
        all
          .map(({ entry_uuid }) => entry_uuid)
          .toSorted()
          .reverse(),
      );
      const found: Entry[] = [];
      let cursor: string | null = null;
      do {
        const next: Awaited<ReturnType<typeof page>> = await page({ limit: 2, ...(cursor && { cursor }) });
        found.push(...next.data);
        cursor = next.meta.next_cursor;
      } while (cursor);
      expect(found).toEqual(all);
    });

    it('by actor, action, subject and time', async () => {
      const all = await list();
      const identity = all.find(({ action }) => action === 'identity.create')!;
      expect(await list({ actor: identity.actor })).toEqual(all.filter(({ actor }) => actor === identity.actor));
      expect(await list({ subject_uuid: identity.subject_uuid })).toEqual(
        all.filter(({ subject_uuid }) => subject_uuid === identity.subject_uuid),
      );
      expect(await list({ action: 'key.issue' })).toHaveLength(1);
      expect((await list({ action: 'identity' })).map(({ action }) => action)).toEqual([
        'identity.create',
        'identity.create',
      ]);
      expect(await list({ action: 'key_issue' })).toEqual([]);
      const now = context.app.clock.now().getTime();
      const [hourAgo, inAnHour] = [-1, 1].map((hours) => new Date(now + hours * 3_600_000).toISOString());
      expect(await list({ from: hourAgo, to: inAnHour })).toEqual(all);
      expect(await list({ from: inAnHour })).toEqual([]);
      expect(await list({ to: hourAgo })).toEqual([]);
    });

    it('of all environments to the support team only', async () => {
      const all = await list({ all_environments: 'true', limit: 500 }, support);
      expect(all.map(({ environment_uuid }) => environment_uuid)).toEqual(
        expect.arrayContaining([context.client.environmentUuid, context.otherClient.environmentUuid]),
      );
      const other = support.request('get', '/v1/console/audit', context.otherClient.environmentUuid);
      const { body } = await other.expect(200);
      expect(body.data).toEqual(
        all.filter(({ environment_uuid }) => environment_uuid === context.otherClient.environmentUuid),
      );
      for (const lang of ['en', 'de'] as const) {
        const refused = await developer.request('get', '/v1/console/audit?all_environments=true').set('Lang', lang);
        expectError(refused, 403, 'SUPPORT_ONLY', {}, lang);
      }
    });

    it('only for valid filters', async () => {
      const query = { action: 'Key%', subject_uuid: 'x', from: 'yesterday', all_environments: '1', limit: 501 };
      expectError(await developer.request('get', '/v1/console/audit').query(query), 422, 'VALIDATION_FAILED', {
        action: 'INVALID_FORMAT',
        subject_uuid: 'INVALID_UUID',
        from: 'INVALID_DATETIME',
        all_environments: 'INVALID_OPTION',
        limit: 'TOO_LARGE',
      });
      const reversed = { from: '2026-02-01', to: '2026-01-01' };
      expectError(await developer.request('get', '/v1/console/audit').query(reversed), 422, 'VALIDATION_FAILED', {
        to: 'NOT_LATER',
      });
    });
  });

  it('shows which integrations are available, what the others lack, and their connections', async () => {
    await context.createActiveConnection();
    await context.createConnection();
    const { body } = await support.request('get', '/v1/console/integrations').expect(200);
    const integration = (id: string) =>
      (body.data as { integration_id: string }[]).find(({ integration_id }) => integration_id === id);
    expect(integration('sandbox')).toMatchObject({
      test_only: true,
      available: true,
      unavailable_because: null,
      has_oauth_client: null,
      connections: { total: 2, active: 1, needs_attention: 1, overdue: 0 },
    });
    expect(integration('gmail')).toMatchObject({
      available: false,
      unavailable_because: 'NO_OAUTH_CLIENT',
      has_oauth_client: false,
      connections: { total: 0 },
    });
    expect(integration('mail_inbox')).toMatchObject({ available: false, unavailable_because: 'NO_INBOX_DOMAIN' });
    expect(integration('sandbox_oauth')).toMatchObject({ available: true, has_oauth_client: null });
    const offered = (await context.client.request('get', '/v1/integrations').expect(200)).body.data as object[];
    expect(body.data).toHaveLength(offered.length);
  });

  it('shows integrations and service while very many connections are counted', async () => {
    const integrations = async () =>
      (await support.request('get', '/v1/console/integrations').expect(200)).body.data as { connections?: object }[];
    await context.query('begin');
    await context.query('lock table connection in access exclusive mode');
    let counting: { connections?: object }[];
    try {
      counting = await integrations();
    } finally {
      await context.query('rollback');
    }
    expect(counting.filter(({ connections }) => connections)).toEqual([]);
    await eventually(
      async () => (await integrations()).every(({ connections }) => connections),
      'the connections are counted',
    );

    jest.spyOn(context.app.app.get(RecentConnectionCounts, { strict: false }), 'read').mockResolvedValueOnce(null);
    const { body } = await support.request('get', '/v1/console/service').expect(200);
    expect(body.data).not.toHaveProperty('overdue_connections');
  });

  it('shows the state of the service', async () => {
    const status = async () =>
      (await support.request('get', '/v1/console/service').expect(200)).body.data as {
        workers: object;
        backlogs: { kind: string; count: number; oldest_since: string | null }[];
        queues: { name: string; counted_at: string | null }[];
      };
    const backlog = async (kind: string) => (await status()).backlogs.find((one) => one.kind === kind)!;
    expect(await status()).toMatchObject({
      versions: {
        service: expect.stringMatching(/^\d+\.\d+/),
        node: process.versions.node,
        database: expect.stringMatching(/^\d+/),
        schema: expect.stringMatching(/^\d{14}_[a-z-]+$/),
      },
      open_circuits: 0,
      overdue_connections: expect.any(Number),
    });
    expect((await status()).queues.map(({ name }) => name)).toEqual(
      ['drain-endpoint', 'drain-slow-endpoint', 'drain-webhook', 'redeliver', 'maintenance'].sort(),
    );
    // A document that is due, of an environment whose endpoint never answers.
    const client = await createTestClient(context.app, {
      provisioning: { strategy: 'PUSH', url: 'http://localhost:9/', auth: 'NONE', secret: null },
    });
    await context.query(
      `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 5, now() + interval '1 day')`,
      [client.environmentUuid],
    );
    expect(await status()).toMatchObject({ open_circuits: 1 });
    expect(await backlog('DELIVERIES')).toEqual({ kind: 'DELIVERIES', count: 0, oldest_since: null });
    await eventually(async () => (await backlog('RUNNING_FETCHES')).count === 0, 'all fetches end');
    expect((await status()).workers).toMatchObject({ running: true, abandoned_fetches: 0 });
  });

  it('shows the workers of the installation, and for an hour those that have ended without a shutdown', async () => {
    const workers = async () =>
      (await support.request('get', '/v1/console/service').expect(200)).body.data.workers as {
        running: boolean;
        last_seen_at: string | null;
        processes: { worker_uuid: string }[];
      };
    const heartbeat = context.app.app.get(WorkerHeartbeat, { strict: false });
    const killed = randomUUID();
    const seenAt = context.app.clock.in(-60);
    const add = (uuid: string, seen: Date) =>
      context.query('insert into worker_heartbeat values ($1, $2, $3, $4, $5, $5)', [
        uuid,
        'w2',
        'worker',
        '0.9.0',
        seen,
      ]);
    await add(killed, seenAt);
    await add(randomUUID(), context.app.clock.in(-3_700));
    await heartbeat.beat();
    const { running, last_seen_at, processes } = await workers();
    expect({ running, processes }).toEqual({
      running: true,
      processes: [
        {
          worker_uuid: expect.any(String),
          host: hostname(),
          role: 'ALL',
          version: expect.stringMatching(/^\d+\.\d+/),
          started_at: expect.any(String),
          last_seen_at,
          running: true,
        },
        {
          ...{ worker_uuid: killed, host: 'w2', role: 'WORKER', version: '0.9.0', running: false },
          ...{ started_at: seenAt.toISOString(), last_seen_at: seenAt.toISOString() },
        },
      ],
    });

    const api = await startApp({ databaseUrl: context.app.databaseUrl, clock: context.app.clock });
    await api.stop();
    const other = await startApp({ databaseUrl: context.app.databaseUrl, clock: context.app.clock, role: 'worker' });
    await eventually(async () => (await workers()).processes.length === 3, 'the other worker has started');
    await other.stop();
    expect((await workers()).processes).toHaveLength(2);
  });

  it.each(['/v1/console/service', '/v1/console/integrations'])('shows %s to the support team only', async (path) => {
    for (const lang of ['en', 'de'] as const) {
      expectError(await developer.request('get', path).set('Lang', lang), 403, 'SUPPORT_ONLY', {}, lang);
    }
    expectError(await context.client.request('get', path), 401, 'MISSING_CREDENTIALS');
    expect((await support.request('get', path, randomUUID())).status).toBeGreaterThanOrEqual(403);
  });
});
