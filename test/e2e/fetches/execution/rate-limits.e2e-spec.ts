import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { LoadFetches } from '../../../../src/fetches/execution/reading/load-fetches';
import type { ClaimedFetch } from '../../../../src/fetches/scheduling/claimed-fetch';
import { FinishFetch } from '../../../../src/fetches/execution/finish-fetch';
import { ProviderRateLimits } from '../../../../src/integrations/core/provider-rate-limits';
import { RateLimited } from '../../../../src/integrations/core/source-errors';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { useTestContext } from '../../../harness/app/test-context';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { connect, getConnection, TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

const SLOW = { id: 'slow', rateLimits: { concurrency: 1, requestsPerSecond: 10, requestsPerSecondPerHost: 20 } };

describe('Rate limits of requests to providers', () => {
  const context = useTestContext();
  let other: TestApp;
  let server: Server;
  let url: string;
  let requests = 0;

  beforeAll(async () => {
    other = await startApp({ databaseUrl: context.app.databaseUrl });
    server = createServer((_, response) => response.end(String(++requests))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server?.close();
    await other?.stop();
  });

  const sourceNetwork = (
    n: number,
    account: string | null,
    signal = new AbortController().signal,
    source: Parameters<ProviderRateLimits['network']>[0] = SLOW,
  ) =>
    [context.app, other]
      [n % 2]!.app.get(ProviderRateLimits, { strict: false })
      .network(source, account, 'background', signal);
  const get = async (n: number, account: string | null, source = SLOW) => {
    const { dispatcher } = sourceNetwork(n, account, undefined, source);
    const { statusCode, body } = await request(url, { dispatcher });
    await body.text();
    return statusCode;
  };
  const took = async (work: Promise<unknown>[]) => {
    const begin = performance.now();
    await Promise.all(work);
    return performance.now() - begin;
  };

  it('are enforced per account over all instances', async () => {
    const before = requests;
    expect(await took(Array.from({ length: 16 }, (_, n) => get(n, 'anna')))).toBeGreaterThanOrEqual(15 * 100 - 5);
    expect(requests - before).toBe(16);
  });

  it('are shared by a protocol and the brands on it', async () => {
    const brand = { ...SLOW, id: 'brand', presetOf: SLOW.id };
    const requests = Array.from({ length: 8 }, (_, n) => get(n, 'dora', n % 4 < 2 ? SLOW : brand));
    expect(await took(requests)).toBeGreaterThanOrEqual(7 * 100 - 5);
  });

  it('are enforced per host over all accounts', async () => {
    const many = Array.from({ length: 31 }, (_, n) => get(n, n % 3 === 0 ? null : `account ${n}`));
    expect(await took(many)).toBeGreaterThanOrEqual(30 * 50 - 5);
  });

  it('count connections and requests', async () => {
    const { hostname, port } = new URL(url);
    const opened = Array.from({ length: 6 }, async (_, n) => {
      const network = sourceNetwork(n, 'bert');
      if (n % 2 === 0) expect(await network.resolve(hostname)).toMatchObject({ address: '127.0.0.1' });
      else (await network.connect(hostname, Number(port))).destroy();
    });
    expect(await took(opened)).toBeGreaterThanOrEqual(5 * 100 - 5);
  });

  it('end with the session, and reject waiting requests with its reason', async () => {
    const controller = new AbortController();
    const network = sourceNetwork(0, 'carl', controller.signal);
    controller.abort(new Error('The session has ended.'));
    await expect(request(url, { dispatcher: network.dispatcher })).rejects.toThrow('The session has ended.');
    await expect(network.resolve('127.0.0.1')).rejects.toThrow('The session has ended.');
  });
});

describe('Rate limits: a provider that sends Retry-After', () => {
  let engine: TestEngine;
  let idle: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    idle = await startApp({ databaseUrl: engine.app.databaseUrl, clock: engine.app.clock });
    client = await createTestClient(engine.app);
  });
  afterAll(async () => {
    await idle?.stop();
    await engine.stop();
  });

  const until = async (uuid: string) =>
    (Date.parse((await getConnection(client, uuid)).next_fetch_at!) - engine.app.clock.now().getTime()) / 1000;
  /** Ends a fetch of the connection with the given result of a connector, on the instance without workers. */
  const endWith = async (connection: string, error: Error) => {
    const leaseToken = randomUUID();
    const [fetch] = await engine.rows<{ uuid: string; environment_uuid: string }>(
      `with leased as (
         update connection set lease_token = $2, leased_until = now() + interval '1 hour' where uuid = $1 returning *)
       insert into "fetch" (uuid, connection_uuid, environment_uuid, trigger, status, seen, new, duplicate, filtered, failed, created_at, started_at)
       select uuidv7(), uuid, environment_uuid, 'SCHEDULED', 'RUNNING', 0, 0, 0, 0, 0, now(), now() from leased
       returning uuid, environment_uuid`,
      connection,
      leaseToken,
    );
    const claim: ClaimedFetch = {
      ...{ uuid: fetch!.uuid, connectionUuid: connection, environmentUuid: fetch!.environment_uuid, leaseToken },
      ...{
        trigger: 'SCHEDULED',
        startedAt: new Date(),
        dueAt: new Date(),
        resumed: false,
        traceparent: null,
        interruptions: 0,
      },
    };
    const [loaded] = await idle.app.get(LoadFetches, { strict: false }).load([claim]);
    await idle.app.get(FinishFetch, { strict: false }).failed(loaded!, error);
  };

  it('for one connection does not pause the others', async () => {
    const [asked, other] = [await connectSandbox(client), await connectSandbox(client)];
    for (const uuid of [asked, other]) await engine.waitForFetches(uuid, 1);
    await endWith(asked, new RateLimited('429', 300));
    expect(await getConnection(client, asked)).toMatchObject({ health: 'DEGRADED', reason: { code: 'RATE_LIMITED' } });
    expect(await until(asked)).toBeGreaterThan(200);
    expect(await until(asked)).toBeLessThanOrEqual(300);
    await client.request('post', `/v1/connections/${other}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(other, 2)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('of the whole provider applies to all its connections in all instances, and to no other provider', async () => {
    const server = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] });
    try {
      const [asked, other] = [await connectSandbox(client), await connectSandbox(client)];
      const fields = {
        host: 'localhost',
        port: server.port,
        security: 'NONE',
        user: 'anna',
        password: 'right',
      };
      const mailbox = await connect(client, 'imap', fields);
      for (const uuid of [asked, other, mailbox]) await engine.waitForFetches(uuid, 1);
      await endWith(asked, new RateLimited('The quota of the app is used up.', 300, { scope: 'provider' }));
      expect(await until(asked)).toBeLessThanOrEqual(300);
      engine.app.clock.advance(5);

      for (const uuid of [other, mailbox])
        await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      expect(await engine.waitForLastFetch(other, 2)).toMatchObject({
        status: 'FAILED',
        error_code: 'RATE_LIMITED',
        seen: 0,
      });
      expect(await getConnection(client, other)).toMatchObject({
        health: 'DEGRADED',
        reason: { code: 'RATE_LIMITED' },
      });
      expect(await engine.waitForLastFetch(mailbox, 2)).toMatchObject({ status: 'SUCCEEDED' });
      // It resumes after the pause, with jitter.
      expect(await until(other)).toBeGreaterThan(280 - 60);
      expect(await until(other)).toBeLessThanOrEqual(300 + 60);
      await engine.advanceClock(370);
      expect(await engine.waitForLastFetch(other, 3)).toMatchObject({ trigger: 'RECOVERY', status: 'SUCCEEDED' });
    } finally {
      await server.stop();
    }
  });
});
