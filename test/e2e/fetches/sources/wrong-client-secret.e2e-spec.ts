import { Writable } from 'node:stream';
import { Metrics } from '../../../../src/platform/metrics/metrics';
import { FakeBox } from '../../../fakes/box/fake-box';
import { FakeDropbox } from '../../../fakes/dropbox/fake-dropbox';
import { FakeGmail } from '../../../fakes/gmail/fake-gmail';
import { FakeGoogleDrive } from '../../../fakes/google-drive/fake-google-drive';
import { FakeMicrosoftGraph } from '../../../fakes/microsoft-graph/fake-microsoft-graph';
import { TestBrowser } from '../../../harness/http/test-browser';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { connectWithOAuth, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const SECRET = 'client-secret';

/** The part of a provider's authorization server that these tests use. */
interface Authorization {
  clientSecret: string;
  account: string;
  expireAccessTokens(): void;
}

describe('An OAuth client whose secret is wrong', () => {
  let engine: TestEngine;
  let client: TestClient;
  let log = '';
  let servers: {
    box: FakeBox;
    dropbox: FakeDropbox;
    gmail: FakeGmail;
    drive: FakeGoogleDrive;
    graph: FakeMicrosoftGraph;
  };

  beforeAll(async () => {
    servers = {
      box: await FakeBox.start(),
      dropbox: await FakeDropbox.start(),
      gmail: await FakeGmail.start(),
      drive: await FakeGoogleDrive.start(),
      graph: await FakeMicrosoftGraph.start(),
    };
    const settings = Object.values(servers).map((server) => server.settings);
    engine = await TestEngine.start({
      settings: { logLevel: 'error', providers: Object.assign({}, ...settings) as (typeof settings)[number] },
      log: new Writable({ write: (line: Buffer, _, done) => (void (log += line.toString()), done()) }),
    });
    client = await createTestClient(engine.app);
  });
  afterAll(async () => {
    await engine.stop();
    for (const server of Object.values(servers)) {
      await server.stop();
      expect(server.violations).toEqual([]);
    }
  });

  const refusals = async (integration: string): Promise<number> => {
    const { registry } = engine.app.app.get(Metrics, { strict: false });
    const { values } = await registry.getSingleMetric('docfetch_oauth_client_refusals_total')!.get();
    return values.find(({ labels }) => labels.integration === integration)?.value ?? 0;
  };
  /** Removes the delay between two attempts to refresh a token. */
  const tryAgain = () => engine.rows('update oauth_grant set leased_until = null where lease_token is null');
  /** The text that is shown to a user who starts the authorization. */
  const authorizing = async (integration: string) => {
    const body = {
      integration_id: integration,
      name: 'Documents',
      identity_uuid: await client.createIdentity(),
      fields: {},
    };
    const created = await client.request('post', '/v1/connections').send(body).expect(201);
    const { uuid, authorization_url } = (created.body as { data: { uuid: string; authorization_url: string } }).data;
    const { url } = await new TestBrowser(engine.app).follow(authorization_url);
    return { uuid, code: url.searchParams.get('code') };
  };

  it.each<[string, () => Authorization, () => void]>([
    ['box', () => servers.box.authorization, () => void servers.box.files().put('a.pdf', '%PDF-1.7 a')],
    ['dropbox', () => servers.dropbox.authorization, () => void servers.dropbox.files().put('a.pdf', '%PDF-1.7 a')],
    ['gmail', () => servers.gmail.authorization, () => undefined],
    ['google_drive', () => servers.drive.authorization, () => void servers.drive.drive().put('a.pdf', '%PDF-1.7 a')],
    ['microsoft_drive', () => servers.graph.entra, () => void servers.graph.files().own.put('a.pdf', '%PDF-1.7 a')],
    ['outlook', () => servers.graph.entra, () => void servers.graph.mailbox().deliver(['a.pdf'])],
  ])('at %s is reported to the operator, and never shown as the user’s fault', async (integration, at, fill) => {
    at().account = `${integration}@example.com`;
    fill();
    const uuid = await connectWithOAuth(engine, client, integration);
    await engine.waitForFetches(uuid, 1);
    log = '';

    at().clientSecret = 'another one';
    at().expireAccessTokens();
    const begun = await authorizing(integration);
    expect(begun.code).toBe('INTEGRATION_NOT_AVAILABLE');
    expect(await getConnection(client, begun.uuid)).toMatchObject({
      status: 'PENDING',
      reason: { code: 'AUTHORIZATION_PENDING' },
    });
    const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
    const identity = (body as { data: { identity_uuid: string } }).data.identity_uuid;
    const changing = async () =>
      client
        .requestWithToken(await client.createToken(identity), 'put', `/v1/connections/${uuid}`)
        .send({ fields: { time_zone: 'UTC' } });
    expectError(await changing(), 422, 'INTEGRATION_NOT_AVAILABLE');

    await tryAgain();
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'PROVIDER_CHANGED' });
    await tryAgain();
    await engine.advanceClock(300); // however often
    await engine.waitForFetches(uuid, 3);
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'DEGRADED',
      reason: { code: 'PROVIDER_CHANGED', action: 'WAIT' },
    });

    expect(await refusals(integration)).toBeGreaterThanOrEqual(4);
    const fields = { integration, error: 'Our OAuth client is refused (invalid_client).' };
    const lines = log.split('\n').filter((line) => line.includes(fields.error) && line.includes('"OAuthClient"'));
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 50, context: 'OAuthClient', ...fields });
    expect(log).not.toContain(SECRET);

    at().clientSecret = SECRET;
    await tryAgain();
    await engine.advanceClock(3_600);
    expect((await engine.waitForFetches(uuid, 4)).at(-1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    expect((await changing()).status).toBe(200);
  });
});
