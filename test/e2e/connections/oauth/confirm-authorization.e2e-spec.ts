import { UpdateEnvironment } from '../../../../src/identities/environments/update-environment';
import { type TestBrowser, type BrowserLocation } from '../../../harness/http/test-browser';
import { openConsole } from '../../../harness/http/console-session';
import { expectError } from '../../../harness/http/expect-error';
import { decodeJwt } from '../../../harness/http/jwt';
import { useGoogle } from './google-authorization';

const INVALID = 'https://docfetch.test/ui?result=error&code=AUTHORIZATION_INVALID';

describe('The confirmation page of an authorization_url (decisions 3)', () => {
  const context = useGoogle();
  const tokenOf = async (stop: BrowserLocation, browser: TestBrowser) => {
    const answer = await context.resume(stop, browser);
    expect(answer.status).toBe(200);
    return (answer.body as { data: { token: string } }).data.token;
  };
  const made = async () => context.create({ by: 'key' });
  const pathOf = (url: string) => url.replace('https://docfetch.test', '');

  it('shows in both languages what is connected, for whom and with which client, before anything else happens', async () => {
    await context.app.app.get(UpdateEnvironment, { strict: false }).update('test', context.client.environmentUuid, {
      theme: { name: 'Muster <Buchhaltung>', logo_url: 'https://cdn.example.com/logo.svg', primary_color: '#e8a33d' },
    });
    const { authorization_url } = await made();
    const show = async (lang: string) => {
      const answer = await fetch(context.app.url + pathOf(authorization_url), { headers: { 'accept-language': lang } });
      return { html: await answer.text(), headers: answer.headers, status: answer.status };
    };
    const { html, headers, status } = await show('en');
    expect(status).toBe(200);
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('You are about to connect Google Drive for identity at Muster &lt;Buchhaltung&gt;.');
    expect(html).toContain('<img class="brand-logo" src="https://cdn.example.com/logo.svg"');
    expect(html).not.toContain('<script');
    // The color of the theme, dark enough for a light page.
    expect(html).toMatch(/--accent: #b47e2f;.*--on-accent: #000000;/);
    expect(html).toMatch(/prefers-color-scheme: dark\) \{ :root \{ --accent: #e8a33d;/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src https:\/\/cdn\.example\.com; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    const german = (await show('de')).html;
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('Sie sind dabei, Google Drive für identity bei Muster &lt;Buchhaltung&gt; zu verbinden.');
  });

  it('names the account if one is already connected', async () => {
    const uuid = await context.authorized({ by: 'key' });
    await context.query('update connection set credentials_rejected_at = now() where uuid = $1', [uuid]);
    const answer = await context.client
      .requestWithToken(context.token, 'put', `/v1/connections/${uuid}`)
      .send({ fields: {} });
    const { authorization_url } = (answer.body as { data: { authorization_url: string } }).data;
    expect((await context.browser().open(authorization_url)).body).toContain('Google Drive (anna@example.com)');
  });

  it('is consumed by Continue, not by opening the page', async () => {
    const { uuid, authorization_url } = await made();
    for (let times = 0; times < 3; times++) expect((await context.browser().open(authorization_url)).status).toBe(200);
    const second = context.browser();
    const page = (await second.open(authorization_url)).body;
    const browser = context.browser();
    const stop = await browser.follow(authorization_url);
    expect(stop.url.searchParams.has('resume')).toBe(true);
    expect(await context.get(uuid)).toMatchObject({ account: { display: 'anna@example.com' } });
    expect(await second.confirm(page)).toBe(INVALID);
    expect((await context.browser().open(authorization_url)).location).toBe(INVALID);
  });

  it('redirects only one of several browsers that continue concurrently', async () => {
    const { authorization_url } = await made();
    const ways = await Promise.all(
      Array.from({ length: 4 }, () => context.browser().startAuthorization(authorization_url)),
    );
    expect(ways.filter((way) => way === INVALID)).toHaveLength(3);
  });

  it('starts a session for that connection only, without a return URL', async () => {
    const { uuid: another } = await made();
    const { uuid, authorization_url } = await made();
    const browser = context.browser();
    await browser.startAuthorization(authorization_url);
    const began = Math.floor(context.app.clock.now().getTime() / 1000);
    const token = await tokenOf(await browser.follow(authorization_url), browser);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ sub: context.identity, connection_uuid: uuid, return_url: '' });
    expect(Math.abs((claims.session_started_at as number) - began)).toBeLessThanOrEqual(2);
    expect(claims.exp).toBe((claims.session_started_at as number) + 1800);
    const ask = (path: string) => context.client.requestWithToken(token, 'get', path);
    await ask(`/v1/connections/${uuid}/step2`).expect(200);
    expectError(await ask(`/v1/connections/${another}`), 403, 'NOT_ALLOWED_BY_TOKEN');
    expect((await ask('/v1/ui/session').expect(200)).body).toMatchObject({
      data: { has_return_url: false, client_origin: null },
    });
    const body = { result: 'success', action: 'updated' };
    const back = await context.client.requestWithToken(token, 'post', '/v1/ui/return').send(body);
    expectError(back, 422, 'NO_RETURN_URL');
  });

  it('remembers the session of the console that created the link, whose rules for documents apply (decisions 3)', async () => {
    const session = await openConsole(context.app, context.client.environmentUuid);
    const body = { integration_id: 'google_drive', name: 'Drive', identity_uuid: context.identity, fields: {} };
    const created = await session.request('post', '/v1/connections').send(body).expect(201);
    const { authorization_url } = (created.body as { data: { authorization_url: string } }).data;
    const browser = context.browser();
    const token = await tokenOf(await browser.follow(authorization_url), browser);
    expect(decodeJwt(token)).toMatchObject({ console_session: session.sessionUuid });
    const byKey = context.browser();
    const ofKey = await tokenOf(await byKey.follow((await made()).authorization_url), byKey);
    expect(decodeJwt(ofKey)).not.toHaveProperty('console_session');
  });

  it('starts no session when the user denies consent', async () => {
    context.google.authorization.consent = 'deny';
    const { authorization_url } = await made();
    const { url } = await context.browser().follow(authorization_url);
    expect(url.search).toBe('?result=cancelled&code=AUTHORIZATION_DENIED');
  });

  it('shows after Cancel that nothing was connected, and leaves the link unchanged', async () => {
    const { uuid, authorization_url } = await made();
    const browser = context.browser();
    const { body } = await browser.open(authorization_url);
    expect(await browser.confirm(body, 'cancel')).toBe(
      'https://docfetch.test/ui?result=cancelled&code=AUTHORIZATION_DENIED',
    );
    expect(await context.get(uuid)).toMatchObject({ account: null });
    expect((await context.browser().follow(authorization_url)).url.searchParams.has('resume')).toBe(true);
  });

  it('accepts the form only from the browser that was shown the page, and from our own origin', async () => {
    const { uuid, authorization_url } = await made();
    const browser = context.browser();
    const { body } = await browser.open(authorization_url);
    expect(await context.browser().confirm(body)).toBe(INVALID);
    const another = context.browser();
    await another.open(authorization_url);
    expect(await another.confirm(body)).toBe(INVALID);
    expect(await browser.confirm(body.replace(/name="proof" value="[^"]*"/, 'name="proof" value="x"'))).toBe(INVALID);
    expect(await browser.confirm(body, 'continue', { 'sec-fetch-site': 'cross-site' })).toBe(INVALID);
    const rows = await context.query('select confirmed_at from oauth_flow where connection_uuid = $1', [uuid]);
    expect(rows).toEqual([{ confirmed_at: null }]);
  });

  it('is valid for one hour', async () => {
    const { authorization_url } = await made();
    const browser = context.browser();
    const { body } = await browser.open(authorization_url);
    context.app.clock.advance(3601);
    const expired = 'https://docfetch.test/ui?result=error&code=AUTHORIZATION_EXPIRED';
    expect((await context.browser().open(authorization_url)).location).toBe(expired);
    expect(await browser.confirm(body)).toBe(expired);
    context.app.clock.advance(-3601);
  });

  it('keeps the start and the address of the session, for a page of another origin that created the link', async () => {
    const token = await context.client.createToken(context.identity);
    const { uuid, authorization_url } = await context.create({ token });
    const browser = context.browser();
    expect((await browser.open(authorization_url)).status).toBe(200);
    context.app.clock.advance(1700);
    const claims = decodeJwt(await tokenOf(await browser.follow(authorization_url), browser));
    const { iat } = decodeJwt(token);
    expect(claims).toMatchObject({ connection_uuid: uuid, session_started_at: iat, return_url: expect.any(String) });
    expect(claims.exp).toBeGreaterThanOrEqual(iat + 2300);
    context.app.clock.advance(-1700);
  });
});
