import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { openUseCases } from '../../../../src/cli/use-cases/open-use-cases';
import { migrateDatabase } from '../../../../src/bootstrap/database/open-database';
import { migratedDatabaseUrl } from '../../../setup/database';
import { Receiver } from '../../../fakes/receiver';
import { PostgresServer } from '../../../harness/app/postgres-server';
import { METRICS_TOKEN, scrape } from '../../../harness/app/scrape-metrics';
import { StandbyServer } from '../../../harness/app/standby-server';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { openConsole, type TestConsole } from '../../../harness/http/console-session';

/** Results of `docfetch_replica_reads_total`. */
type Counts = Readonly<Record<string, number>>;

interface Item {
  readonly uuid?: string;
  readonly identity_uuid?: string;
  readonly transaction_uuid?: string;
  readonly finished_at?: string | null;
}
interface Body {
  readonly data: Item[];
  readonly meta: { readonly poll_cursor?: string };
}

/** Two API processes and a worker, with a streaming standby (ADR 33). */
describe('A replica of the database', () => {
  let primary: PostgresServer;
  let standby: StandbyServer;
  let database: Client;
  let apps: TestApp[];
  let first: TestApp;
  let second: TestApp;
  let receiver: Receiver;
  let client: TestClient;
  let other: TestClient;
  let identity: string;
  let connection: string;
  let transaction: string;
  let webhook: string;
  let developer: TestConsole;

  const getFrom = async (app: TestApp, path: string, key = client.apiKey): Promise<Body> => {
    const response = await fetch(`${app.url}${path}`, { headers: { 'X-API-KEY': key } });
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as Body;
  };
  const statusFrom = async (app: TestApp, path: string): Promise<number> => {
    const response = await fetch(`${app.url}${path}`, { headers: { 'X-API-KEY': client.apiKey } });
    await response.arrayBuffer();
    return response.status;
  };
  const counts = async (app: TestApp): Promise<Counts> => {
    const family = (await scrape(app.url)).get('docfetch_replica_reads_total');
    return Object.fromEntries((family?.samples ?? []).map(({ labels, value }) => [labels.result!, value]));
  };
  /** The results of the reads of `work`. */
  const resultsOf = async (app: TestApp, work: () => Promise<unknown>): Promise<Counts> => {
    const before = await counts(app);
    await work();
    const after = await counts(app);
    const changes = Object.entries(after).map(([result, n]) => [result, n - (before[result] ?? 0)] as const);
    return Object.fromEntries(changes.filter(([, n]) => n > 0));
  };
  const served = async (app: TestApp, path = '/v1/identities', key = client.apiKey) =>
    Object.keys(await resultsOf(app, () => getFrom(app, path, key)));
  const query = (text: string, parameters: unknown[] = []) => database.query(text, parameters);
  /** Waits until no read of the client has to wait for the replica. */
  const settle = async () => {
    await standby.catchUp();
    for (const app of apps)
      await eventually(async () => (await served(app)).join() === 'replica', 'the replica serves the client');
  };
  const createIdentity = () => client.createIdentity();
  const uuidsOf = ({ data }: Body) => data.map((item) => item.transaction_uuid ?? item.identity_uuid ?? item.uuid);

  beforeAll(async () => {
    [primary, receiver] = await Promise.all([PostgresServer.start(), Receiver.start()]);
    await migrateDatabase(primary.url);
    standby = await StandbyServer.of(primary);
    database = new Client({ connectionString: primary.url });
    database.on('error', () => undefined);
    await database.connect();
    const settings = {
      databaseReplicaUrl: standby.url,
      databaseReplicaMaxLagSeconds: 300,
      metricsToken: METRICS_TOKEN,
    };
    apps = [];
    for (const role of ['all', 'api'] as const) apps.push(await startApp({ databaseUrl: primary.url, role, settings }));
    [first, second] = apps as [TestApp, TestApp];
    client = await createTestClient(first);
    other = await createTestClient(first);
    await other.createIdentity();
    identity = await createIdentity();
    developer = await openConsole(first, client.environmentUuid);
    const created = await client
      .request('post', '/v1/connections')
      .send({
        integration_id: 'sandbox',
        name: 'Portal',
        identity_uuid: identity,
        fields: { user: 'u', password: 'p', documents: 3 },
      })
      .expect(201);
    connection = (created.body as { data: { uuid: string } }).data.uuid;
    const token = await client.createToken(identity);
    await client.requestWithToken(token, 'put', `/v1/connections/${connection}/step2`).send({ fields: {} }).expect(204);
    const registered = await client
      .request('post', '/v1/webhooks')
      .send({ url: receiver.url(), events: ['document.available', 'fetch.finished'] })
      .expect(201);
    webhook = (registered.body as { data: { uuid: string } }).data.uuid;
    const page = await eventually(async () => {
      const found = await getFrom(first, '/v1/transactions');
      return found.data.length === 3 && found;
    }, 'three documents');
    transaction = page.data[0]!.transaction_uuid!;
  }, 180_000);

  afterAll(async () => {
    await database?.end();
    for (const app of apps ?? []) await app.stop();
    await receiver?.stop();
    await standby?.remove();
    await primary?.stop();
  });

  afterEach(async () => {
    receiver.clear();
    await standby.resume().catch(() => undefined);
    await standby.delay(0).catch(() => undefined);
  });

  describe('that has replayed what the client has written serves', () => {
    beforeAll(settle);

    it.each([
      ['transactions', () => '/v1/transactions'],
      ['transactions of a connection', () => `/v1/connections/${connection}/transactions`],
      ['events', () => '/v1/events'],
      ['identities', () => '/v1/identities'],
      ['connections of an identity', () => `/v1/identities/${identity}/connections`],
      ['fetches', () => `/v1/connections/${connection}/fetches`],
      ['failures', () => `/v1/connections/${connection}/failures`],
      ['the timeline', () => `/v1/connections/${connection}/timeline`],
      ['attempts', () => `/v1/transactions/${transaction}/attempts`],
      ['deliveries of a webhook', () => `/v1/webhooks/${webhook}/deliveries`],
    ])('%s', async (_, path) => {
      await eventually(async () => (await served(second, path())).join() === 'replica', `${path()} by the replica`);
    });

    it.each(['connections', 'transactions', 'events', 'overview', 'audit', 'usage', 'redeliveries'])(
      'the console: %s',
      async (view) => {
        const read = () => developer.request('get', `/v1/console/${view}`).expect(200);
        await eventually(async () => {
          return Object.keys(await resultsOf(first, read)).join() === 'replica';
        }, `${view} by the replica`);
      },
    );

    it('the content of documents, unchanged', async () => {
      const path = `/v1/transactions/${transaction}/document`;
      const download = () =>
        client.request('get', path).set('Accept', 'application/octet-stream').buffer(true).expect(200);
      const results = await resultsOf(first, download);
      expect(results).toEqual({ replica: 1 });
      const { rows } = await query('select sha256 from transaction where uuid = $1', [transaction]);
      expect((await download()).headers.etag).toBe(`"${(rows[0] as { sha256: string }).sha256}"`);
    });
  });

  it('really is the server that answers', async () => {
    await settle();
    await standby.pause();
    await query(`update identity set display_name = 'changed behind its back' where uuid = $1`, [identity]);
    const name = async () =>
      ((await getFrom(second, '/v1/identities')).data as { identity_uuid: string; display_name: string | null }[]).find(
        ({ identity_uuid }) => identity_uuid === identity,
      )!.display_name;
    expect(await name()).toBeNull();
    await standby.resume();
    await standby.catchUp();
    expect(await name()).toBe('changed behind its back');
  });

  describe('that has not replayed a write', () => {
    beforeEach(async () => {
      await settle();
      await standby.pause();
    });

    it('does not answer the key that has written, nor others of its environment, in any process', async () => {
      const created = await createIdentity();
      for (const app of apps) expect(uuidsOf(await getFrom(app, '/v1/identities'))).toContain(created);
      expect(await served(second)).toEqual(['written']);
      const token = await client.createToken(created);
      const response = await fetch(`${second.url}/v1/connections`, { headers: { 'X-TOKEN': token } });
      expect(await response.json()).toMatchObject({ data: [] });
      await standby.resume();
      await standby.catchUp();
      expect(await served(second)).toEqual(['replica']);
    });

    it('shows a user and their client what the user has just done', async () => {
      const token = await client.createToken(identity);
      await client
        .requestWithToken(token, 'put', `/v1/connections/${connection}`)
        .send({ name: 'Renamed' })
        .expect(204);
      const names = async (path: string, headers: Record<string, string>) => {
        const response = await fetch(`${second.url}${path}`, { headers });
        return ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
      };
      expect(await names('/v1/connections', { 'X-TOKEN': token })).toEqual(['Renamed']);
      const path = `/v1/identities/${identity}/connections`;
      expect(await names(path, { 'X-API-KEY': client.apiKey })).toEqual(['Renamed']);
    });

    it('goes on answering other environments', async () => {
      await createIdentity();
      expect(await served(second, '/v1/identities', other.apiKey)).toEqual(['replica']);
    });

    it('shows nothing that has been deleted', async () => {
      const doomed = await createIdentity();
      await standby.resume();
      await settle();
      await standby.pause();
      await client.request('delete', `/v1/identities/${doomed}`).expect(204);
      for (const app of apps) {
        expect(uuidsOf(await getFrom(app, '/v1/identities'))).not.toContain(doomed);
        expect(await statusFrom(app, `/v1/identities/${doomed}`)).toBe(404);
        expect(await statusFrom(app, `/v1/identities/${doomed}/connections`)).toBe(404);
      }
    });

    it('answers no revoked key', async () => {
      const keys = first.app.get(ManageKeys, { strict: false });
      const { key, record } = await keys.issue('test', client.environmentUuid, null);
      const status = async (app: TestApp) =>
        (await fetch(`${app.url}/v1/identities`, { headers: { 'X-API-KEY': key } })).status;
      expect(await status(second)).toBe(200);
      await developer.request('delete', `/v1/console/keys/${record.uuid}`).expect(204);
      for (const app of apps) expect(await status(app)).toBe(401);
    });

    it('leaves out no document of the feed, and repeats none', async () => {
      const { meta } = await getFrom(first, '/v1/transactions');
      await client
        .request('post', `/v1/sandbox/connections/${connection}/documents`)
        .send({ count: 2, format: 'PDF', external_id: true })
        .expect(202);
      await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
      const seen: unknown[] = [];
      let cursor = meta.poll_cursor!;
      await eventually(async () => {
        const app = apps[seen.length % 2]!;
        const page = await getFrom(app, `/v1/transactions?limit=1&cursor=${encodeURIComponent(cursor)}`);
        seen.push(...uuidsOf(page));
        cursor = page.meta.poll_cursor!;
        return seen.length === 2;
      }, 'two documents');
      expect(new Set(seen).size).toBe(2);
      await client
        .request('post', `/v1/transactions/${String(seen[0])}/acknowledge`)
        .send({ result: 'ACCEPTED' })
        .expect(204);
      const after = await getFrom(second, `/v1/transactions?status=ACKNOWLEDGED`);
      expect(uuidsOf(after)).toEqual([seen[0]]);
    });

    it('does not answer after a command of the support team', async () => {
      const line = await openUseCases(first.settings, {});
      await line.useCases.redeliverOne.redeliver('cli:test', transaction).catch(() => undefined);
      await line.close();
      for (const key of [client.apiKey, other.apiKey])
        expect(await served(second, '/v1/identities', key)).toEqual(['written']);
    });

    it('shows a client what an event has told it', async () => {
      const told: boolean[] = [];
      receiver.always(async (exchange) => {
        const body = JSON.parse((await exchange.read()).toString()) as {
          type: string;
          data: { fetch?: { uuid: string } };
        };
        if (body.type === 'fetch.finished') {
          const list = await getFrom(second, `/v1/connections/${connection}/fetches`);
          const found = list.data.find((fetched) => fetched.uuid === body.data.fetch?.uuid);
          told.push(Boolean(found?.finished_at));
        }
        exchange.response.writeHead(200).end();
      });
      // Not by a request, whose write would be noted.
      await query(`update connection set next_fetch_at = now() - interval '1 hour' where uuid = $1`, [connection]);
      await eventually(() => Promise.resolve(told.length > 0), 'the event of the fetch');
      expect(told).toEqual(told.map(() => true));
    });

    it('shows a client what a push has told it', async () => {
      await standby.resume();
      const pushed = await createTestClient(first, {
        provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'NONE', secret: null },
      });
      const session = await openConsole(second, pushed.environmentUuid);
      const owner = await pushed.createIdentity();
      const fields = { user: 'u', password: 'p', documents: 1 };
      const created = await pushed
        .request('post', '/v1/connections/migrate')
        .send({ integration_id: 'sandbox', name: 'Portal', identity_uuid: owner, fields })
        .expect(201);
      const { uuid } = (created.body as { data: { uuid: string } }).data;
      const isFetched = async () => {
        const path = `/v1/connections/${uuid}/fetches`;
        return (await getFrom(first, path, pushed.apiKey)).data.some(({ finished_at }) => finished_at);
      };
      await eventually(isFetched, 'the first fetch has ended');
      await pushed
        .request('post', `/v1/sandbox/connections/${uuid}/documents`)
        .send({ count: 1, format: 'PDF', external_id: true })
        .expect(202);
      await settle();
      await eventually(
        async () => (await served(second, '/v1/identities', pushed.apiKey)).join() === 'replica',
        'the replica serves the client of the push',
      );
      await standby.pause();
      const told: boolean[] = [];
      receiver.always(async (exchange) => {
        const { transaction_uuid } = JSON.parse((await exchange.read()).toString()) as { transaction_uuid: string };
        const found = await session.request('get', '/v1/console/transactions').expect(200);
        told.push(uuidsOf(found.body as Body).includes(transaction_uuid));
        exchange.response.writeHead(200).end();
      });
      // Not by a request, whose write would be noted.
      await query(`update connection set next_fetch_at = now() - interval '1 hour' where uuid = $1`, [uuid]);
      await eventually(() => Promise.resolve(told.length > 0), 'the push');
      expect(told).toEqual([true]);
    });
  });

  it('that is a second late serves the client again a second after its last write', async () => {
    await standby.delay(1_000);
    await settle();
    const created = await createIdentity();
    const wrote = performance.now();
    const results: string[] = [];
    await eventually(async () => {
      const before = await counts(second);
      expect(uuidsOf(await getFrom(second, '/v1/identities'))).toContain(created);
      const after = await counts(second);
      results.push(Object.keys(after).find((result) => after[result] !== (before[result] ?? 0))!);
      return results.at(-1) === 'replica';
    }, 'the replica serves the client');
    const pinned = performance.now() - wrote;
    expect(results[0]).toBe('written');
    expect(pinned).toBeGreaterThan(900);
    expect(pinned).toBeLessThan(4_000);
  });

  describe('is not used', () => {
    it('while it is further behind than the settings tolerate', async () => {
      const impatient = await startApp({
        databaseUrl: primary.url,
        settings: { databaseReplicaUrl: standby.url, databaseReplicaMaxLagSeconds: 1, metricsToken: METRICS_TOKEN },
      });
      try {
        await settle();
        await standby.pause();
        await query(`update identity set display_name = 'late' where uuid = $1`, [identity]);
        await eventually(async () => (await served(impatient)).join() === 'behind', 'the replica is too far behind');
        const { data } = await getFrom(impatient, '/v1/identities');
        expect(data).toContainEqual(expect.objectContaining({ identity_uuid: identity, display_name: 'late' }));
        const download = () =>
          fetch(`${impatient.url}/v1/transactions/${transaction}/document`, {
            headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
          }).then(async (response) => {
            expect(response.status).toBe(200);
            await response.arrayBuffer();
          });
        expect(await resultsOf(impatient, download)).toEqual({ behind: 1 });
      } finally {
        await impatient.stop();
      }
    });

    it('for what the primary has noted before it crashed', async () => {
      await settle();
      await standby.pause();
      const created = await createIdentity();
      await primary.restart('immediate');
      await eventually(async () => (await statusFrom(second, '/v1/identities')) === 200, 'the primary answers');
      expect(uuidsOf(await getFrom(second, '/v1/identities'))).toContain(created);
      expect(await served(second, '/v1/identities', other.apiKey)).toEqual(['written']);
      await database.end().catch(() => undefined);
      database = new Client({ connectionString: primary.url });
      database.on('error', () => undefined);
      await database.connect();
    });

    it('while it is down', async () => {
      await standby.resume();
      await settle();
      await standby.stop();
      const results = await resultsOf(second, async () => {
        for (let n = 0; n < 3; n++) expect(uuidsOf(await getFrom(second, '/v1/identities'))).toContain(identity);
        expect(await statusFrom(second, `/v1/transactions/${transaction}/document`)).toBe(200);
      });
      expect(results).toEqual({ unavailable: expect.any(Number) as number });
      await standby.start();
      await settle();
    });

    it('when it does not answer, or is a standby of another database', async () => {
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const foreign = await migratedDatabaseUrl();
      const addresses = [`postgresql://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/docfetch`, foreign];
      for (const databaseReplicaUrl of addresses) {
        const app = await startApp({
          databaseUrl: primary.url,
          settings: { databaseReplicaUrl, metricsToken: METRICS_TOKEN },
        });
        try {
          const started = performance.now();
          expect(await served(app)).toEqual(['unavailable']);
          expect(performance.now() - started).toBeLessThan(3_000);
          const again = performance.now();
          expect(uuidsOf(await getFrom(app, '/v1/identities'))).toContain(identity);
          expect(performance.now() - again).toBeLessThan(900);
        } finally {
          await app.stop();
        }
      }
      silent.close();
    });

    it('once it has been promoted', async () => {
      await settle();
      await standby.promote();
      await eventually(async () => (await served(second)).join() === 'promoted', 'it is noticed');
      const created = await createIdentity();
      for (const app of apps) expect(uuidsOf(await getFrom(app, '/v1/identities'))).toContain(created);
    });
  });
});
