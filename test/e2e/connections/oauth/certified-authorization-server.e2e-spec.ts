import request from 'supertest';
import { FakeGoogleDrive, SCOPE } from '../../../fakes/google-drive/fake-google-drive';
import { CertifiedServer } from '../../../fakes/oidc/certified-server';
import { TestBrowser } from '../../../harness/http/test-browser';
import { useTestContext } from '../../../harness/app/test-context';
import { startApp, type TestApp, type TestAppOptions } from '../../../harness/app/start-app';

describe('A certified authorization server that rotates refresh tokens', () => {
  let server: CertifiedServer;
  let google: FakeGoogleDrive;
  let second: TestApp;
  const options: { settings?: TestAppOptions['settings'] } = {};
  beforeAll(async () => {
    [server, google] = [
      await CertifiedServer.start('https://docfetch.test/oauth/callback'),
      await FakeGoogleDrive.start(),
    ];
    google.authorization.accepts = () => ({ account: 'anna@example.com', scopes: [SCOPE], isRevoked: false });
    const { client, apiBaseUrl } = google.settings.google_drive;
    options.settings = { providers: { google_drive: { client, apiBaseUrl, oauthBaseUrl: server.url } } };
  });
  const context = useTestContext(options);
  beforeAll(async () => {
    const { databaseUrl, settings, clock } = context.app;
    second = await startApp({ databaseUrl, clock, settings: { providers: settings.providers } });
  });
  afterAll(() => Promise.all([second.stop(), server.stop(), google.stop()]));

  it('contacts the provider once for ten concurrent requests in two instances', async () => {
    const body = { integration_id: 'google_drive', name: 'Drive', fields: {} };
    const made = await context.client.requestWithToken(context.token, 'post', '/v1/connections').send(body).expect(201);
    const { uuid, authorization_url } = (made.body as { data: { uuid: string; authorization_url: string } }).data;
    const { url } = await new TestBrowser(context.app).follow(authorization_url);
    expect(url.href).toMatch(/^https:\/\/docfetch\.test\/ui\?resume=/);
    const { body: shown } = await context.client.request('get', `/v1/connections/${uuid}`);
    expect(shown).toMatchObject({ data: { account: { display: 'anna@example.com' } } });

    for (let round = 0; round < 3; round++) {
      const before = server.granted;
      await context.query(
        `update oauth_grant set expires_at = now() - interval '1 min', refresh_due_at = now() - interval '2 min'`,
      );
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          request((n % 2 ? second : context.app).url)
            .get(`/v1/connections/${uuid}/step2`)
            .set('X-TOKEN', context.token),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect([server.granted - before, server.refused]).toEqual([1, 0]);
    }
  });
});
