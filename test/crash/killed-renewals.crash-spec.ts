import type { PoolClient } from 'pg';
import request from 'supertest';
import { connectWithOAuth, getConnection, TestEngine } from '../harness/engine/test-engine';
import { ServiceProcess } from '../e2e/start/service-process';
import { FakeGoogleDrive } from '../fakes/google-drive/fake-google-drive';
import { TestBrowser } from '../harness/http/test-browser';
import { createTestClient, type TestClient } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { pdfBytes } from '../interop/imap/invoice-mails';
import { freePort } from '../harness/free-port';
import { WORKER_KEYS } from './campaigns/worker-keys';

const FILES = 5;

/** Real processes, and a provider that has issued a new refresh token that was not committed (ADR 15). */
describe('An access token', () => {
  let engine: TestEngine;
  let client: TestClient;
  let google: FakeGoogleDrive;
  const processes: ServiceProcess[] = [];
  let accounts = 0;

  beforeAll(async () => {
    google = await FakeGoogleDrive.start();
    engine = await TestEngine.start({ role: 'api', settings: { providers: google.settings } });
    client = await createTestClient(engine.app);
  });
  beforeEach(() => {
    const { authorization } = google;
    Object.assign(authorization, {
      account: `user${++accounts}@example.com`,
      refreshes: 0,
      onRefresh: () => undefined,
    });
    for (let n = 0; n < FILES; n++) google.drive().put(`${n}.pdf`, pdfBytes(`${accounts} ${n}`));
  });
  afterEach(async () => {
    for (const process of processes.splice(0)) await process.kill('SIGKILL');
  });
  afterAll(async () => {
    await engine?.stop();
    await google?.stop();
    expect(google.violations).toEqual([]);
  });

  async function started(role: 'worker' | 'api'): Promise<{ process: ServiceProcess; url: string }> {
    const { clientId, clientSecret } = google.authorization;
    const port = await freePort();
    const process = await ServiceProcess.start('main', {
      ...WORKER_KEYS,
      DATABASE_URL: engine.app.databaseUrl,
      ROLE: role,
      PORT: String(port),
      PUBLIC_URL: 'https://docfetch.test',
      DATA_DIR: '/dev/null/docfetch',
      DATABASE_POOL: '10',
      NETWORK_ALLOW: '127.0.0.0/8',
      OAUTH_GOOGLE_DRIVE_CLIENT_ID: clientId,
      OAUTH_GOOGLE_DRIVE_CLIENT_SECRET: clientSecret,
      OAUTH_GOOGLE_DRIVE_BASE_URL: google.url,
      API_GOOGLE_DRIVE_BASE_URL: google.url,
    });
    processes.push(process);
    await process.ready();
    return { process, url: `http://127.0.0.1:${port}` };
  }

  const grant = async (uuid: string) =>
    (
      await engine.rows<{ generation: number }>('select generation from oauth_grant where connection_uuid = $1', uuid)
    )[0]!;

  async function ended(uuid: string): Promise<void> {
    google.authorization.expireAccessTokens();
    await engine.rows(
      `update oauth_grant set refresh_due_at = now() - interval '10 min', expires_at = now() - interval '5 min'
       where connection_uuid = $1`,
      uuid,
    );
  }

  /** The database processes that wait to commit a refresh. */
  const waiting = () =>
    engine.rows<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'update oauth_grant set tokens%'`,
    );

  /**
   * Creates a connection whose worker is killed after the provider has answered a refresh and before it was committed.
   */
  async function killedInBetween(): Promise<string> {
    const uuid = await connectWithOAuth(engine, client, 'google_drive');
    const { process } = await started('worker');
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: FILES });
    await ended(uuid);
    google.drive().put('neu.pdf', pdfBytes(`${accounts} neu`));
    let lock: PoolClient | undefined;
    google.authorization.onRefresh = async () => {
      lock = await engine.pool.connect();
      await lock.query('begin');
      await lock.query('select 1 from oauth_grant where connection_uuid = $1 for update', [uuid]);
      google.authorization.onRefresh = () => undefined;
      return undefined;
    };
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    await eventually(async () => (await waiting()).length > 0, 'the worker has its answer', 30_000);
    await process.kill('SIGKILL');
    // Prevents the last statement of the dead worker from being executed.
    for (const { pid } of await waiting()) await engine.rows('select pg_terminate_backend($1)', pid);
    await eventually(async () => (await waiting()).length === 0, 'its statement is gone');
    await lock!.query('rollback');
    lock!.release();
    expect([google.authorization.refreshes, (await grant(uuid)).generation]).toEqual([1, 1]);
    await silenceIsNoticed(uuid);
    return uuid;
  }

  /** Lets all leases expire. */
  async function silenceIsNoticed(uuid: string): Promise<void> {
    await engine.rows('update connection set leased_until = now() where lease_token is not null');
    await engine.rows('update oauth_grant set leased_until = now() where connection_uuid = $1', uuid);
  }

  /** Expects that every document was recorded exactly once. */
  async function expectAll(uuid: string): Promise<void> {
    const names = (await engine.transactions(uuid)).map(({ filename }) => filename).sort();
    expect(names).toEqual(['neu.pdf', ...Array.from({ length: FILES }, (_, n) => `${n}.pdf`)].sort());
  }

  it.each([
    ['keeps refresh tokens, as Google does', false],
    ['replaces them and accepts a repeated request', 'grace'],
  ] as const)(
    'whose refresh is lost with its process (kill -9) is refreshed by the next one if the provider %s',
    async (_, rotates) => {
      google.authorization.rotates = rotates;
      const uuid = await killedInBetween();
      await started('worker');
      expect((await engine.waitForFetches(uuid, 2, 60_000)).at(-1)).toMatchObject({
        status: 'SUCCEEDED',
        new: 1,
        failed: 0,
      });
      expect([google.authorization.refreshes, (await grant(uuid)).generation]).toEqual([2, 2]);
      expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
      await expectAll(uuid);
    },
  );

  it('whose refresh is lost with its process costs the consent, but no document, if refresh tokens are single-use', async () => {
    google.authorization.rotates = true;
    const uuid = await killedInBetween();
    await started('worker');
    expect((await engine.waitForFetches(uuid, 2, 60_000)).at(-1)).toMatchObject({
      status: 'FAILED',
      error_code: 'CONSENT_REVOKED',
    });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', reason: { code: 'CONSENT_REVOKED' } });
    // A minute later the provider is asked again.
    await engine.rows(`update oauth_grant set refresh_rejected_at = refresh_rejected_at - interval '2 min'`);
    await engine.rows(
      `update connection set credentials_suspect_at = credentials_suspect_at - interval '2 min', next_fetch_at = now()
       where uuid = $1`,
      uuid,
    );
    await engine.waitForFetches(uuid, 3, 60_000);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      reason: { code: 'CONSENT_REVOKED', action: 'AUTHORIZE' },
    });
    expect(await engine.transactions(uuid)).toHaveLength(FILES);

    const [{ identity_uuid }] = (await engine.rows<{ identity_uuid: string }>(
      'select identity_uuid from connection where uuid = $1',
      uuid,
    )) as [{ identity_uuid: string }];
    const token = await client.createToken(identity_uuid);
    const answer = await client
      .requestWithToken(token, 'put', `/v1/connections/${uuid}`)
      .send({ fields: {} })
      .expect(200);
    const { authorization_url } = (answer.body as { data: { authorization_url: string } }).data;
    await new TestBrowser(engine.app).follow(authorization_url);
    expect((await engine.waitForFetches(uuid, 4, 60_000)).at(-1)).toMatchObject({
      trigger: 'RECOVERY',
      status: 'SUCCEEDED',
      new: 1,
      duplicate: 0,
    });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    await expectAll(uuid);
  });

  it('is refreshed by one request to the provider when two processes need it at the same moment', async () => {
    google.authorization.rotates = true;
    const [first, second] = await Promise.all([started('api'), started('api')]);
    for (let round = 1; round <= 3; round++) {
      const uuid = await connectWithOAuth(engine, client, 'google_drive');
      const [row] = await engine.rows<{ identity_uuid: string }>(
        'select identity_uuid from connection where uuid = $1',
        uuid,
      );
      const token = await client.createToken(row!.identity_uuid);
      await ended(uuid);
      google.authorization.refreshes = 0;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          request((n % 2 ? first : second).url)
            .get(`/v1/connections/${uuid}/step2`)
            .set('X-TOKEN', token),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect([google.authorization.refreshes, (await grant(uuid)).generation]).toEqual([1, 2]);
    }
  });
});
