import request from 'supertest';
import { UpdateEnvironment } from '../../../../src/identities/environments/update-environment';
import { expectError } from '../../../harness/http/expect-error';
import { countTextOccurrences } from '../../../harness/app/find-occurrences';
import { useGoogle } from './google-authorization';

const UI = 'https://docfetch.test/ui';
const RESUMED = /^https:\/\/docfetch\.test\/ui\?resume=[\w-]{43}$/;

describe('GET /oauth/start and GET /oauth/callback', () => {
  const context = useGoogle();
  const shown = (url: URL) => Object.fromEntries(url.searchParams);

  it('redirect a user of the hosted UI to the provider and back, and to the second step', async () => {
    const browser = await context.uiBrowser();
    const created = await context.create({ browser });
    expect(created).toMatchObject({
      status: 'PENDING',
      health: 'ACTION_REQUIRED',
      reason: { code: 'AUTHORIZATION_PENDING', action: 'AUTHORIZE' },
      setup_complete: false,
      account: null,
      step2_fields: null,
      next_fetch_at: null,
    });
    expect(created.authorization_url).toMatch(/^https:\/\/docfetch\.test\/oauth\/start\?link=[\w-]{43}$/);

    const { status, location, cacheControl } = await browser.open(created.authorization_url);
    expect([status, cacheControl]).toEqual([302, 'no-store']);
    const consent = new URL(location!);
    expect(consent.origin + consent.pathname).toBe(`${context.google.url}/o/oauth2/v2/auth`);
    expect(shown(consent)).toEqual({
      response_type: 'code',
      client_id: 'client-id',
      redirect_uri: 'https://docfetch.test/oauth/callback',
      scope: 'https://www.googleapis.com/auth/drive.readonly',
      state: expect.stringMatching(/^[\w-]{107}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    });

    const back = await browser.follow(location!);
    expect(back.url.href).toMatch(/^https:\/\/docfetch\.test\/ui\?resume=[\w-]{43}$/);
    const resumed = await context.resume(back, browser);
    expect([resumed.status, resumed.body]).toEqual([
      200,
      {
        data: {
          token: expect.any(String),
          expires_at: expect.any(String),
          connection_uuid: created.uuid,
          result: 'success',
          code: 'AUTHORIZED',
          message: 'The account is connected.',
        },
      },
    ]);
    const { token } = (resumed.body as { data: { token: string } }).data;
    expect(await context.get(created.uuid)).toMatchObject({
      status: 'PENDING',
      reason: { code: 'SETUP_INCOMPLETE' },
      account: { display: 'anna@example.com' },
    });

    const path = `/v1/connections/${created.uuid}/step2`;
    const step2 = await context.client.requestWithToken(token, 'get', path).expect(200);
    expect((step2.body as { data: { fields: { id: string }[] } }).data.fields.map(({ id }) => id)).toEqual([
      'folders',
      'file_types',
      'include',
      'exclude',
    ]);
    await context.client.requestWithToken(token, 'put', path).send({ fields: {} }).expect(204);
    expect(await context.get(created.uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
    const timeline = await context.client.request('get', `/v1/connections/${created.uuid}/timeline`).expect(200);
    const entries = (timeline.body as { data: { type: string; cause: string }[] }).data;
    expect(entries).toContainEqual(expect.objectContaining({ type: 'AUTHORIZED', cause: 'UI_TOKEN' }));
  });

  it('store their results encrypted', async () => {
    const given: string[] = [];
    context.google.authorization.onRefresh = (token) => void given.push(token);
    const uuid = await context.authorized();
    await context.query(
      `update oauth_grant set refresh_due_at = now() - interval '1 hour' where connection_uuid = $1`,
      [uuid],
    );
    await context.client.requestWithToken(context.token, 'get', `/v1/connections/${uuid}/step2`).expect(200);
    context.google.authorization.onRefresh = () => undefined;
    expect(given).toHaveLength(1);
    expect(await countTextOccurrences(context, given[0]!)).toEqual({});
    expect(await countTextOccurrences(context, 'ya29.')).toEqual({});
  });

  describe('reports failures and changes nothing', () => {
    const outcome = async (consents: () => void, lang = 'en') => {
      const browser = await context.uiBrowser();
      const { uuid, authorization_url } = await context.create({ browser });
      consents();
      const answer = await context.resume(await browser.follow(authorization_url), browser, lang);
      expect(answer.status).toBe(200);
      expect(await context.get(uuid)).toMatchObject({ status: 'PENDING', reason: { code: 'AUTHORIZATION_PENDING' } });
      return (answer.body as { data: Record<string, unknown> }).data;
    };

    it('the user denies consent', async () => {
      const { google } = context;
      expect(await outcome(() => (google.authorization.consent = 'deny'))).toMatchObject({
        result: 'cancelled',
        code: 'AUTHORIZATION_DENIED',
        message: 'You did not allow access at the provider. Nothing has been changed.',
      });
    });

    it('the user does not grant every scope', async () => {
      const scopes = ['https://www.googleapis.com/auth/drive.metadata.readonly'];
      expect(await outcome(() => (context.google.authorization.consent = scopes), 'de')).toMatchObject({
        result: 'error',
        code: 'SCOPE_MISSING',
        message: expect.stringContaining('alle Häkchen'),
      });
    });

    it('our client secret is wrong, which is not the user’s fault', async () => {
      expect(await outcome(() => (context.google.authorization.clientSecret = 'changed'))).toMatchObject({
        result: 'error',
        code: 'INTEGRATION_NOT_AVAILABLE',
        message: expect.stringContaining('not available at the moment'),
      });
    });

    it('the provider fails during the authorization', async () => {
      const { google } = context;
      google.fault = () => ({ answer: { status: 503, json: {} } });
      expect(await outcome(() => undefined)).toMatchObject({ result: 'error', code: 'PROVIDER_UNREACHABLE' });
      google.fault = () => undefined;
    });

    it('the user closes the window and starts again', async () => {
      const { uuid } = await context.create();
      const answer = await context.client
        .requestWithToken(context.token, 'put', `/v1/connections/${uuid}`)
        .send({ fields: {} })
        .expect(200);
      const { data } = answer.body as { data: { authorization_url: string; step2_fields: unknown } };
      expect(data.step2_fields).toBeNull();
      await context.browser().follow(data.authorization_url);
      expect(await context.get(uuid)).toMatchObject({ account: { display: 'anna@example.com' } });
    });
  });

  describe('accept a callback once, in time, from the browser that started it', () => {
    const refusedWith = (code: string) => `${UI}?result=error&code=${code}`;
    /** The address of the provider's redirect. */
    const answered = async (browser = context.browser()) => {
      const created = await context.create({ by: 'key' });
      const { location: callback } = await browser.open(await browser.startAuthorization(created.authorization_url));
      return { ...created, browser, callback: callback! };
    };

    it('not twice', async () => {
      const { browser, callback } = await answered();
      expect((await browser.follow(callback)).url.href).toMatch(RESUMED);
      expect((await browser.follow(callback)).url.href).toBe(refusedWith('AUTHORIZATION_USED'));
    });

    it('not twice concurrently', async () => {
      const { browser, callback } = await answered();
      const stops = await Promise.all(Array.from({ length: 5 }, () => browser.follow(callback)));
      const codes = stops.map(({ url }) => url.searchParams.get('code') ?? 'resumed').sort();
      expect(codes).toEqual([...Array.from({ length: 4 }, () => 'AUTHORIZATION_USED'), 'resumed']);
    });

    it('not from another browser', async () => {
      const { uuid, callback, browser } = await answered();
      expect((await context.browser().follow(callback)).url.href).toBe(refusedWith('AUTHORIZATION_INVALID'));
      const other = (await answered()).browser;
      expect((await other.follow(callback)).url.href).toBe(refusedWith('AUTHORIZATION_INVALID'));
      expect(await context.get(uuid)).toMatchObject({ account: null });
      // It was not consumed for the right browser.
      expect((await browser.follow(callback)).url.href).toMatch(RESUMED);
    });

    it('only with a state that the service issued', async () => {
      const { callback, browser } = await answered();
      for (const state of ['', 'x', `B${new URL(callback).searchParams.get('state')!.slice(1)}`]) {
        const url = new URL(callback);
        url.searchParams.set('state', state);
        expect((await browser.follow(url.href)).url.href).toBe(refusedWith('AUTHORIZATION_INVALID'));
      }
    });

    it('only of the latest redirect', async () => {
      const { authorization_url, browser, callback } = await answered();
      const { location } = await browser.open(authorization_url); // one step back and forward again
      expect((await browser.follow(callback)).url.href).toBe(refusedWith('AUTHORIZATION_EXPIRED'));
      expect((await browser.follow(location!)).url.href).toMatch(RESUMED);
    });

    it('not from a second browser', async () => {
      const { authorization_url } = await answered();
      expect((await context.browser().follow(authorization_url)).url.href).toBe(refusedWith('AUTHORIZATION_INVALID'));
      const unknown = 'https://docfetch.test/oauth/start';
      for (const link of [`${unknown}?link=guessed`, unknown, `${unknown}?link=a&link=b`]) {
        expect((await context.browser().follow(link)).url.href).toBe(refusedWith('AUTHORIZATION_INVALID'));
      }
    });

    it('not after half an hour, and not with a link that is an hour old', async () => {
      const { browser, callback } = await answered();
      const { authorization_url } = await context.create({ by: 'key' });
      context.app.clock.advance(1801);
      expect((await browser.follow(callback)).url.href).toBe(refusedWith('AUTHORIZATION_EXPIRED'));
      context.app.clock.advance(1800);
      expect((await context.browser().follow(authorization_url)).url.href).toBe(refusedWith('AUTHORIZATION_EXPIRED'));
      context.app.clock.advance(-3601);
    });
  });

  describe('POST /v1/ui/session/resume', () => {
    const cameBack = async (token = context.token) => {
      const { uuid, authorization_url } = await context.create({ token });
      const browser = context.browser();
      return { uuid, browser, stop: await browser.follow(authorization_url) };
    };

    it('is valid once, and only in the browser that returned from the provider', async () => {
      const { browser, stop } = await cameBack();
      expectError(await context.resume(stop, context.browser()), 422, 'RESUME_CODE_INVALID');
      expectError(await context.resume(stop, (await cameBack()).browser), 422, 'RESUME_CODE_INVALID');
      expect((await context.resume(stop, browser)).status).toBe(200);
      expectError(await context.resume(stop, browser, 'de'), 422, 'RESUME_CODE_INVALID', {}, 'de');
    });

    it('is valid for five minutes', async () => {
      const { browser, stop } = await cameBack();
      context.app.clock.advance(301);
      expectError(await context.resume(stop, browser), 422, 'RESUME_CODE_INVALID');
      context.app.clock.advance(-301);
    });

    it('is not offered to a popup, which only shows the outcome', async () => {
      const { uuid, authorization_url } = await context.create();
      const { url } = await context.browser().follow(`${authorization_url}&apart=true`);
      expect(url.href).toBe('https://docfetch.test/ui?result=success&code=AUTHORIZED');
      expect(await context.get(uuid)).toMatchObject({ account: { display: 'anna@example.com' } });
    });

    it('lets the page show the logo, and forbids framing, before the session is resumed', async () => {
      const update = context.app.app.get(UpdateEnvironment, { strict: false });
      await update.update('test', context.client.environmentUuid, {
        theme: { logo_url: 'https://cdn.example.com/logo.svg' },
        embeddingOrigins: ['https://app.example.com'],
      });
      const { browser, stop } = await cameBack();
      const policyFor = async (cookie: string) => {
        const { headers } = await request(context.app.url)
          .get(`/ui${stop.url.search}`)
          .set('Cookie', cookie)
          .expect(200);
        return headers['content-security-policy'];
      };
      const policy = await policyFor(browser.cookieHeader);
      expect(policy).toContain("img-src 'self' https://cdn.example.com;");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(await policyFor('')).not.toContain('cdn.example.com');
      expect((await context.resume(stop, browser)).status).toBe(200);
    });

    it('requires a code', async () => {
      const stop = { url: new URL(UI), status: 200 };
      expectError(await context.resume(stop, context.browser()), 422, 'MISSING_REQUIRED_FIELDS', { code: 'REQUIRED' });
    });
  });
});
