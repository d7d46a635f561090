import type { Response } from 'supertest';
import request from 'supertest';
import { Browser, type Stop } from '../../../harness/http/test-browser';
import type { Stage } from '../../../harness/app/test-context';
import { useStage } from '../../../harness/app/test-context';
import type { TestAppOptions } from '../../../harness/app/start-app';
import { FakeGoogleDrive } from '../../../fakes/google-drive/fake-google-drive';

type Data = Record<string, unknown> & { uuid: string; authorization_url: string };

/** A stage with Google Drive on it, and a user with a browser. */
export interface GoogleStage extends Stage {
  readonly google: FakeGoogleDrive;
  /** A new connection as the hosted UI makes it (with a token), or as a client's backend does (with the key). */
  create(more?: { by?: 'token' | 'key'; token?: string; fields?: object; browser?: Browser }): Promise<Data>;
  /** A connection that the user has authorised; its second step is still to come. */
  authorized(more?: { by?: 'token' | 'key' }): Promise<string>;
  get(uuid: string): Promise<Record<string, unknown>>;
  browser(): Browser;
  /** A browser in which the hosted UI has been opened with a token. */
  uiBrowser(token?: string): Promise<Browser>;
  /** What the hosted UI does when the browser has come back. */
  resume(stop: Stop, browser: Browser, lang?: string): Promise<Response>;
}

/** Sets the stage, with the fake before the app: the app is told where it is. */
export function useGoogle(options: TestAppOptions = {}): GoogleStage {
  let google: FakeGoogleDrive;
  const mutable = { ...options } as { -readonly [K in keyof TestAppOptions]: TestAppOptions[K] };
  beforeAll(async () => {
    google = await FakeGoogleDrive.start();
    mutable.settings = { ...options.settings, providers: google.settings };
  });
  const stage = useStage(mutable) as GoogleStage & { google: FakeGoogleDrive };
  afterAll(async () => {
    await google.stop();
    expect(google.violations).toEqual([]);
  });
  beforeEach(() => {
    (stage as { google: FakeGoogleDrive }).google = google;
    Object.assign(google.authorization, {
      account: 'anna@example.com',
      consent: 'agree',
      clientSecret: 'client-secret',
    });
  });

  stage.create = async ({ by = 'token', token = stage.token, fields = {}, browser } = {}) => {
    const body = { integration_id: 'google_drive', name: 'Drive', identity_uuid: stage.identity, fields };
    const asked =
      by === 'token'
        ? stage.client.callWithToken(token, 'post', '/v1/connections')
        : stage.client.call('post', '/v1/connections');
    if (browser) void asked.set('Cookie', browser.cookieHeader);
    return ((await asked.send(body).expect(201)).body as { data: Data }).data;
  };
  stage.authorized = async (more) => {
    const { uuid, authorization_url } = await stage.create(more);
    await stage.browser().follow(authorization_url);
    expect(await stage.get(uuid)).toMatchObject({ account: { display: google.authorization.account } });
    return uuid;
  };
  stage.get = async (uuid) => {
    const answer = await stage.client.call('get', `/v1/connections/${uuid}`).expect(200);
    return (answer.body as { data: Record<string, unknown> }).data;
  };
  stage.browser = () => new Browser(stage.app);
  stage.uiBrowser = async (token = stage.token) => {
    const browser = stage.browser();
    await browser.open(`${stage.app.settings.publicUrl}/ui?token=${token}`);
    return browser;
  };
  stage.resume = async ({ url }, browser, lang = 'en') =>
    request(stage.app.url)
      .post('/v1/ui/session/resume')
      .set('Cookie', browser.cookieHeader)
      .set('Lang', lang)
      .send({ code: url.searchParams.get('resume') });
  return stage;
}
