import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { TestBrowser, type BrowserLocation } from '../../../harness/http/test-browser';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { useGoogle } from './google-authorization';

const endOf = ({ url }: BrowserLocation) => [url.pathname, url.searchParams.get('code')];
const INVALID = ['/ui', 'AUTHORIZATION_INVALID'];
const EXPIRED = ['/ui', 'AUTHORIZATION_EXPIRED'];

describe('An authorization belongs to the session that started it (decisions 3)', () => {
  const context = useGoogle();
  let other: TestApp;
  beforeAll(async () => {
    const { databaseUrl, clock, settings } = context.app;
    other = await startApp({ databaseUrl, clock, settings: { providers: settings.providers } });
  });
  afterAll(() => other?.stop());

  describe('the cookie of the hosted UI', () => {
    const cookiesOf = async (query: string, cookie = '') => {
      const answer = await fetch(`${context.app.url}/ui${query}`, { headers: { cookie } });
      await answer.body?.cancel();
      return answer.headers.getSetCookie();
    };

    it('is set with a valid token only, HttpOnly and for the origin of the service', async () => {
      const cookies = await cookiesOf(`?token=${context.token}`);
      expect(cookies).toEqual([
        expect.stringMatching(
          /^__Host-docfetch-ui=[\w-]{43}; Max-Age=7200; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]);
      for (const query of ['', '?token=x', `?token=${context.token}x`, '?result=success', '?resume=nothing'])
        expect(await cookiesOf(query)).toEqual([]);
    });

    it('stays the same in a browser, and differs between browsers', async () => {
      const pair = (await cookiesOf(`?token=${context.token}`))[0]!.split(';')[0]!;
      expect((await cookiesOf(`?token=${context.otherIdentityToken}`, pair))[0]).toContain(`${pair};`);
      expect((await cookiesOf(`?token=${context.token}`))[0]).not.toContain(`${pair};`);
      const [replaced] = await cookiesOf(`?token=${context.token}`, '__Host-docfetch-ui=planted');
      expect(replaced).not.toContain('planted');
    });
  });

  describe('a link created in the hosted UI', () => {
    it('works only in the browser of that session', async () => {
      const browser = await context.uiBrowser();
      const { uuid, authorization_url } = await context.create({ browser });
      // A browser without a session, one with the session of another user, and one with the same token.
      for (const otherClient of [
        context.browser(),
        await context.uiBrowser(context.otherIdentityToken),
        await context.uiBrowser(),
      ]) {
        for (const address of [authorization_url, `${authorization_url}&apart=true`])
          expect(endOf(await otherClient.follow(address))).toEqual(INVALID);
      }
      expect(await context.get(uuid)).toMatchObject({ account: null });
      const back = await browser.follow(authorization_url);
      expect((await context.resume(back, browser)).body).toMatchObject({ data: { code: 'AUTHORIZED' } });
    });

    it('can be opened again there after a step back', async () => {
      const browser = await context.uiBrowser();
      const { authorization_url } = await context.create({ browser });
      await browser.open(authorization_url);
      expect((await browser.follow(authorization_url)).url.searchParams.has('resume')).toBe(true);
    });
  });

  describe('ends immediately in every process with', () => {
    /** Flows in each stage, started with a token that this key issued. */
    const underWay = async (key: string) => {
      const body = { identity_uuid: await context.client.createIdentity(), return_url: 'https://app.example.com/back' };
      const answer = await requestWithoutCredentials(context.app, 'post', '/token')
        .set('X-API-KEY', key)
        .send(body)
        .expect(201);
      const { token } = (answer.body as { data: { token: string } }).data;
      const browser = await context.uiBrowser(token);
      const create = async () => {
        const asked = { integration_id: 'google_drive', name: 'Drive', fields: {} };
        const made = await requestWithoutCredentials(context.app, 'post', '/v1/connections')
          .set({ 'X-TOKEN': token, Cookie: browser.cookieHeader })
          .send(asked)
          .expect(201);
        return (made.body as { data: { uuid: string; authorization_url: string } }).data;
      };
      const made = await create();
      const atProvider = await create();
      const { location: consent } = await browser.open(atProvider.authorization_url);
      const { location: callback } = await browser.open(consent!);
      const back = await create();
      const stop = await browser.follow(back.authorization_url);
      const elsewhere = new TestBrowser(other);
      for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
      return {
        identity: body.identity_uuid,
        made,
        atProvider,
        callback: callback!,
        stop,
        browsers: [elsewhere, browser],
      };
    };
    const expectEnded = async ({
      made,
      atProvider,
      callback,
      stop,
      browsers,
    }: Awaited<ReturnType<typeof underWay>>) => {
      for (const browser of browsers) {
        expect(endOf(await browser.follow(made.authorization_url))).toEqual(EXPIRED);
        expect(endOf(await browser.follow(callback))).toEqual(EXPIRED);
      }
      for (const { uuid } of [made, atProvider]) expect(await context.get(uuid)).toMatchObject({ account: null });
      expectError(await context.resume(stop, browsers[1]!), 401, 'INVALID_TOKEN');
    };
    const keys = () => context.app.app.get(ManageKeys, { strict: false });

    it('the key that issued the token', async () => {
      const { key, record } = await keys().issue('test', context.client.environmentUuid, null);
      const flows = await underWay(key);
      await keys().revoke('test', record.uuid);
      await expectEnded(flows);
    });

    it('the sessions of the identity', async () => {
      const flows = await underWay(context.client.apiKey);
      await context.client.request('delete', `/v1/identities/${flows.identity}/sessions`).expect(204);
      await expectEnded(flows);
    });

    it('a revocation during the request to the provider', async () => {
      const { identity, atProvider, callback, browsers } = await underWay(context.client.apiKey);
      context.google.authorization.onExchange = () =>
        context.client.request('delete', `/v1/identities/${identity}/sessions`).expect(204);
      expect(endOf(await browsers[1]!.follow(callback))).toEqual(EXPIRED);
      context.google.authorization.onExchange = () => undefined;
      expect(await context.get(atProvider.uuid)).toMatchObject({ account: null });
    });
  });

  it('ends in every process with the key that created the link', async () => {
    const keys = context.app.app.get(ManageKeys, { strict: false });
    const { key, record } = await keys.issue('test', context.client.environmentUuid, null);
    const body = { integration_id: 'google_drive', name: 'Drive', identity_uuid: context.identity, fields: {} };
    const made = await requestWithoutCredentials(context.app, 'post', '/v1/connections')
      .set('X-API-KEY', key)
      .send(body)
      .expect(201);
    await keys.revoke('test', record.uuid);
    const { authorization_url } = (made.body as { data: { authorization_url: string } }).data;
    for (const app of [other, context.app])
      expect(endOf(await new TestBrowser(app).follow(authorization_url))).toEqual(EXPIRED);
  });
});
