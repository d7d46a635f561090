import { countTextOccurrences } from '../../../harness/app/find-occurrences';
import type { TestBrowser } from '../../../harness/http/test-browser';
import { useGoogle } from './google-authorization';

const SECRETS = '/v1/ui/popup-secrets';
const REDEEM = `${SECRETS}/redeem`;
const UI = 'https://docfetch.test/ui';

describe('The popup of a hosted UI in a frame (decisions 3)', () => {
  const context = useGoogle();
  const dataOf = async <Data>(answer: Response) => ((await answer.json()) as { data: Data }).data;
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

  /** An authorization that the page in a frame has started, whose requests contain no cookie. */
  const started = async (token = context.token) => context.create({ token });
  const ask = (url: string, token = context.token) =>
    context.client.requestWithToken(token, 'post', SECRETS).send({ authorization_url: url });
  const secretFor = async (url: string) => {
    const { body } = await ask(url).expect(200);
    return (body as { data: { secret: string; expires_at: string } }).data;
  };
  const redeem = (browser: TestBrowser, secret: string, headers?: Record<string, string>) =>
    browser.post(REDEEM, { secret }, headers);
  const redeemed = async (browser: TestBrowser, secret: string) => {
    const answer = await redeem(browser, secret);
    expect(answer.status).toBe(200);
    return (await dataOf<{ url: string }>(answer)).url;
  };
  const INVALID = [422, 'POPUP_SECRET_INVALID'];

  it('continues to the provider and back without the confirmation page', async () => {
    const { uuid, authorization_url } = await started();
    const { secret } = await secretFor(authorization_url);
    const browser = context.browser();
    const answer = await redeem(browser, secret);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-docfetch-oauth-[\w-]{36}=[\w-]{43}; Max-Age=1800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const { url } = await dataOf<{ url: string }>(answer);
    expect(url).toContain(`${context.google.url}/o/oauth2/v2/auth`);
    // The popup shows only the result: the session stays in the frame.
    expect((await browser.follow(url)).url.href).toBe(`${UI}?result=success&code=AUTHORIZED`);
    expect(await context.get(uuid)).toMatchObject({ account: { display: 'anna@example.com' } });
  });

  it('accepts the redirect of the provider only in the browser of the popup', async () => {
    const { uuid, authorization_url } = await started();
    const browser = context.browser();
    const url = await redeemed(browser, (await secretFor(authorization_url)).secret);
    const { location: callback } = await browser.open(url);
    expect((await context.browser().follow(callback!)).url.href).toBe(`${UI}?result=error&code=AUTHORIZATION_INVALID`);
    expect(await context.get(uuid)).toMatchObject({ account: null });
    expect((await browser.follow(callback!)).url.href).toBe(`${UI}?result=success&code=AUTHORIZED`);
  });

  describe('rejects a secret', () => {
    it('that was used before, also concurrently', async () => {
      const { authorization_url } = await started();
      const { secret } = await secretFor(authorization_url);
      const browsers = Array.from({ length: 4 }, () => context.browser());
      const answers = await Promise.all(browsers.map((browser) => redeem(browser, secret)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
      expect(await codeOf(await redeem(context.browser(), secret))).toEqual(INVALID);
    });

    it('after one minute', async () => {
      const { secret } = await secretFor((await started()).authorization_url);
      context.app.clock.advance(60);
      const answer = await redeem(context.browser(), secret);
      context.app.clock.advance(-60);
      expect(await codeOf(answer)).toEqual(INVALID);
    });

    it('that was replaced by a newer one, as after closing the popup', async () => {
      const { authorization_url } = await started();
      const first = await secretFor(authorization_url);
      const second = await secretFor(authorization_url);
      expect(await codeOf(await redeem(context.browser(), first.secret))).toEqual(INVALID);
      expect(await redeemed(context.browser(), second.secret)).toContain(context.google.url);
    });

    it('that is forged', async () => {
      const { secret } = await secretFor((await started()).authorization_url);
      for (const forged of ['x', `B${secret.slice(1)}`, `${secret}A`])
        expect(await codeOf(await redeem(context.browser(), forged))).toEqual(INVALID);
    });

    it('from a page of another origin, which could give the browser an authorization of somebody else', async () => {
      const { secret } = await secretFor((await started()).authorization_url);
      const browser = context.browser();
      for (const site of ['cross-site', 'same-site', 'none'])
        expect(await codeOf(await redeem(browser, secret, { 'sec-fetch-site': site }))).toEqual(INVALID);
      // A form of another site in a browser without this header.
      const form = await browser.post(REDEEM, { secret }, { 'content-type': 'text/plain', 'sec-fetch-site': '' });
      expect(form.status).toBe(422);
      expect(browser.cookies.size).toBe(0);
      expect(await redeemed(browser, secret)).toContain(context.google.url);
    });
  });

  describe('issues no secret', () => {
    const NOT_ITS_OWN = { code: 'AUTHORIZATION_URL_INVALID' };

    it('for an authorization of another session', async () => {
      const { authorization_url } = await started();
      const sameIdentity = await context.client.createToken(context.identity);
      for (const token of [context.otherIdentityToken, sameIdentity])
        expect((await ask(authorization_url, token).expect(422)).body).toMatchObject(NOT_ITS_OWN);
    });

    it('for a link that was created with an API key, which needs the confirmation page', async () => {
      const { authorization_url } = await context.create({ by: 'key' });
      expect((await ask(authorization_url).expect(422)).body).toMatchObject(NOT_ITS_OWN);
    });

    it('to an API key', async () => {
      const { authorization_url } = await started();
      await context.client.request('post', SECRETS).send({ authorization_url }).expect(401);
    });

    it('for something else, or for an authorization that is over', async () => {
      const { authorization_url } = await started();
      const browser = context.browser();
      await browser.follow(await redeemed(browser, (await secretFor(authorization_url)).secret));
      for (const url of ['x', 'https://docfetch.test/oauth/start?link=guessed', authorization_url])
        expect((await ask(url).expect(422)).body).toMatchObject(NOT_ITS_OWN);
    });
  });

  it('ends when the sessions of the identity are ended', async () => {
    const identity = await context.client.createIdentity();
    const token = await context.client.createToken(identity);
    const body = { integration_id: 'google_drive', name: 'Drive', fields: {} };
    const made = await context.client.requestWithToken(token, 'post', '/v1/connections').send(body).expect(201);
    const { authorization_url } = (made.body as { data: { authorization_url: string } }).data;
    const { secret } = ((await ask(authorization_url, token).expect(200)).body as { data: { secret: string } }).data;
    await context.client.request('delete', `/v1/identities/${identity}/sessions`).expect(204);
    expect(await redeemed(context.browser(), secret)).toBe(`${UI}?result=error&code=AUTHORIZATION_EXPIRED`);
  });

  it('leaves the secret in no table', async () => {
    const { secret } = await secretFor((await started()).authorization_url);
    expect(await countTextOccurrences(context, secret)).toEqual({});
  });
});
