import type { Response } from 'supertest';
import request from 'supertest';
import { TestBrowser, type BrowserLocation } from '../../../harness/http/test-browser';
import type { TestContext } from '../../../harness/app/test-context';
import { useTestContext } from '../../../harness/app/test-context';
import type { TestAppOptions } from '../../../harness/app/start-app';
import { FakeGoogleDrive } from '../../../fakes/google-drive/fake-google-drive';

type Data = Record<string, unknown> & { uuid: string; authorization_url: string };

/** A test context with a fake Google Drive, and a user with a browser. */
export interface GoogleTestContext extends TestContext {
  readonly google: FakeGoogleDrive;
  /** Creates a connection as the hosted UI does (with a token), or as a client's backend does (with the key). */
  create(more?: { by?: 'token' | 'key'; token?: string; fields?: object; browser?: TestBrowser }): Promise<Data>;
  /** A connection that the user has authorized; its second step is still to come. */
  authorized(more?: { by?: 'token' | 'key' }): Promise<string>;
  get(uuid: string): Promise<Record<string, unknown>>;
  browser(): TestBrowser;
  /** A browser in which the hosted UI has been opened with a token. */
  uiBrowser(token?: string): Promise<TestBrowser>;
  /** Resumes the session as the hosted UI does after the redirect. */
  resume(stop: BrowserLocation, browser: TestBrowser, lang?: string): Promise<Response>;
}

/** Starts the fake before the app, whose settings contain its address. */
export function useGoogle(options: TestAppOptions = {}): GoogleTestContext {
  let google: FakeGoogleDrive;
  const mutable = { ...options };
  beforeAll(async () => {
    google = await FakeGoogleDrive.start();
    mutable.settings = { ...options.settings, providers: google.settings };
  });
  const context = useTestContext(mutable) as GoogleTestContext & { google: FakeGoogleDrive };
  afterAll(async () => {
    await google.stop();
    expect(google.violations).toEqual([]);
  });
  beforeEach(() => {
    (context as { google: FakeGoogleDrive }).google = google;
    Object.assign(google.authorization, {
      account: 'anna@example.com',
      consent: 'agree',
      clientSecret: 'client-secret',
    });
  });

  context.create = async ({ by = 'token', token = context.token, fields = {}, browser } = {}) => {
    const body = { integration_id: 'google_drive', name: 'Drive', identity_uuid: context.identity, fields };
    const asked =
      by === 'token'
        ? context.client.requestWithToken(token, 'post', '/v1/connections')
        : context.client.request('post', '/v1/connections');
    if (browser) void asked.set('Cookie', browser.cookieHeader);
    return ((await asked.send(body).expect(201)).body as { data: Data }).data;
  };
  context.authorized = async (more) => {
    const { uuid, authorization_url } = await context.create(more);
    await context.browser().follow(authorization_url);
    expect(await context.get(uuid)).toMatchObject({ account: { display: google.authorization.account } });
    return uuid;
  };
  context.get = async (uuid) => {
    const answer = await context.client.request('get', `/v1/connections/${uuid}`).expect(200);
    return (answer.body as { data: Record<string, unknown> }).data;
  };
  context.browser = () => new TestBrowser(context.app);
  context.uiBrowser = async (token = context.token) => {
    const browser = context.browser();
    await browser.open(`${context.app.settings.publicUrl}/ui?token=${token}`);
    return browser;
  };
  context.resume = async ({ url }, browser, lang = 'en') =>
    request(context.app.url)
      .post('/v1/ui/session/resume')
      .set('Cookie', browser.cookieHeader)
      .set('Lang', lang)
      .send({ code: url.searchParams.get('resume') });
  return context;
}
