import { createTestClient } from '../../../harness/app/test-client';
import { TestBrowser } from '../../../harness/http/test-browser';
import { type Choice, giveSandboxConsent, sendConsent } from '../../../harness/http/sandbox-consent';
import { useTestContext } from '../../../harness/app/test-context';

type Body = Record<string, unknown>;
interface Data extends Body {
  readonly uuid: string;
  readonly authorization_url: string;
}

describe('sandbox_oauth (decisions 8)', () => {
  const context = useTestContext();
  const data = (answer: { body: unknown }) => (answer.body as { data: Data }).data;

  async function create(fields: Body = {}): Promise<Data> {
    const body = { integration_id: 'sandbox_oauth', name: 'Portal', fields };
    return data(await context.client.requestWithToken(context.token, 'post', '/v1/connections').send(body).expect(201));
  }
  const get = async (uuid: string) => data(await context.client.request('get', `/v1/connections/${uuid}`).expect(200));
  const consent = (url: string, choice: Choice = {}, browser = new TestBrowser(context.app)) =>
    giveSandboxConsent(context.app, browser, url, choice);
  const put = async (uuid: string, fields: Body = {}) =>
    data(
      await context.client
        .requestWithToken(context.token, 'put', `/v1/connections/${uuid}`)
        .send({ fields })
        .expect(200),
    );
  /** An authorized connection without its second step. */
  async function authorized(): Promise<string> {
    const { uuid, authorization_url } = await create();
    await consent(authorization_url);
    return uuid;
  }
  const step2 = (uuid: string, fields: Body) =>
    context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}/step2`).send({ fields });
  const outcome = async (uuid: string) =>
    (
      await context.query<{ outcome: string }>(
        'select outcome from oauth_flow where connection_uuid = $1 and outcome is not null order by callback_at desc limit 1',
        [uuid],
      )
    )[0]!.outcome;

  it('is available without an OAuth client in the settings, and unknown in live environments', async () => {
    const path = '/v1/integrations/sandbox_oauth';
    expect(data(await context.client.request('get', path).expect(200))).toMatchObject({
      auth_type: 'OAUTH2',
      available: true,
    });
    const live = await createTestClient(context.app, { environment: { kind: 'LIVE' } });
    await live.request('get', path).expect(404);
  });

  it('connects the entered account, which has its own documents', async () => {
    const { uuid, authorization_url, status } = await create();
    expect(status).toBe('PENDING');
    await consent(authorization_url, { account: 'berta@sandbox.example' });
    expect(await outcome(uuid)).toBe('AUTHORIZED');
    await step2(uuid, {}).expect(204);
    expect(await get(uuid)).toMatchObject({ status: 'ACTIVE', account: { display: 'berta@sandbox.example' } });
  });

  it('stays unchanged when the user denies consent', async () => {
    const { uuid, authorization_url } = await create();
    await consent(authorization_url, { decision: 'deny' });
    expect(await outcome(uuid)).toBe('AUTHORIZATION_DENIED');
    expect(await get(uuid)).toMatchObject({ status: 'PENDING', account: null });
  });

  it('reports missing scopes', async () => {
    const { uuid, authorization_url } = await create();
    await consent(authorization_url, { granted: [] });
    expect(await outcome(uuid)).toBe('SCOPE_MISSING');
    expect(await get(uuid)).toMatchObject({ status: 'PENDING', reason: { code: 'AUTHORIZATION_PENDING' } });
  });

  it('rejects another account when it is authorized again', async () => {
    const uuid = await authorized();
    await step2(uuid, {}).expect(204);
    await scenario(uuid, 'revoked_grant');
    await consent((await put(uuid)).authorization_url, { account: 'somebody@sandbox.example' });
    expect(await outcome(uuid)).toBe('ACCOUNT_MISMATCH');
    await consent((await put(uuid)).authorization_url);
    expect(await outcome(uuid)).toBe('AUTHORIZED');
  });

  it('is migrated as INVALID_CREDENTIALS and becomes active by authorization (spec 4.11 rule 3)', async () => {
    const migrated = data(
      await context.client
        .request('post', '/v1/connections/migrate')
        .send({ integration_id: 'sandbox_oauth', name: 'Old', identity_uuid: context.identity, fields: {} })
        .expect(201),
    );
    expect(migrated).toMatchObject({ status: 'INVALID_CREDENTIALS', reason: { action: 'AUTHORIZE' } });
    await consent((await put(migrated.uuid)).authorization_url);
    expect(await get(migrated.uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
  });

  it('requests a scope upgrade when a shared folder is selected (decisions 4: PUT step2 answers 200)', async () => {
    const uuid = await authorized();
    await step2(uuid, { folders: ['inbox'] }).expect(204);
    const answer = await step2(uuid, { folders: ['inbox', 'shared/buero'] }).expect(200);
    expect(await get(uuid)).toMatchObject({ status: 'ACTIVE', reason: { code: 'SCOPE_MISSING', action: 'AUTHORIZE' } });
    await consent(data(answer).authorization_url, { granted: ['documents.read'] });
    expect(await outcome(uuid)).toBe('SCOPE_MISSING');
    await consent(data(await step2(uuid, { folders: ['inbox', 'shared/buero'] }).expect(200)).authorization_url);
    expect(await outcome(uuid)).toBe('AUTHORIZED');
    expect(await get(uuid)).toMatchObject({ status: 'ACTIVE', reason: null });
  });

  it('revokes the consent when the connection is deleted', async () => {
    const uuid = await authorized();
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(await context.query('select 1 as one from sandbox_consent where connection_uuid = $1', [uuid])).toEqual([]);
  });

  async function scenario(uuid: string, name: string): Promise<void> {
    await context.client
      .request('post', `/v1/sandbox/connections/${uuid}/scenario`)
      .send({ scenario: name })
      .expect(204);
  }

  describe('the consent page', () => {
    /** A browser that has opened the page. */
    async function atPage() {
      const browser = new TestBrowser(context.app);
      const { uuid, authorization_url } = await create();
      const { url, status } = await browser.follow(authorization_url);
      expect([url.origin + url.pathname, status]).toEqual([`${context.app.settings.publicUrl}/sandbox/authorize`, 200]);
      return { browser, url, uuid };
    }
    const open = (url: URL, cookie: string, lang = 'en') =>
      fetch(`${context.app.url}${url.pathname}${url.search}`, { headers: { cookie, 'accept-language': lang } });

    it('supports both languages and allows only its own style sheet', async () => {
      const { browser, url } = await atPage();
      url.searchParams.delete('ui_locales');
      const page = await open(url, browser.cookieHeader, 'de');
      const html = await page.text();
      expect(html).toContain('<html lang="de">');
      expect(html).toContain('Erlauben');
      expect(await (await open(url, browser.cookieHeader)).text()).toContain('Allow');
      // The language of the previous page takes precedence over the browser's.
      const german = new URL(url);
      german.searchParams.set('ui_locales', 'de');
      expect(await (await open(german, browser.cookieHeader)).text()).toContain('Erlauben');
      const policy = page.headers.get('content-security-policy')!;
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/,
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      ['another redirect address', { redirect_uri: 'https://evil.example/oauth/callback' }],
      ['another client', { client_id: 'somebody' }],
      ['no PKCE', { code_challenge: '', code_challenge_method: 'plain' }],
      ['unknown scopes', { scope: 'everything' }],
      ['a forged state', { state: 'AZqfbixBfF6dChs' }],
    ])('answers 400 to %s and never redirects', async (_, change) => {
      const { browser, url } = await atPage();
      const forged = new URL(url);
      for (const [name, value] of Object.entries(change)) forged.searchParams.set(name, value);
      expect((await open(forged, browser.cookieHeader)).status).toBe(400);
      expect(await sendConsent(context.app, browser, url, { form: change })).toEqual({
        status: 400,
        location: null,
      });
    });

    it('opens only in the browser that started the flow', async () => {
      const { url } = await atPage();
      expect((await open(url, '')).status).toBe(400);
      expect((await sendConsent(context.app, new TestBrowser(context.app), url)).status).toBe(400);
    });

    it('accepts no form from another site', async () => {
      const { browser, url } = await atPage();
      const answer = await fetch(`${context.app.url}/sandbox/authorize`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: browser.cookieHeader, 'sec-fetch-site': 'cross-site' },
        body: new URLSearchParams({ ...Object.fromEntries(url.searchParams), decision: 'allow' }),
      });
      expect(answer.status).toBe(400);
    });

    it('issues a code that is valid once and only with its verifier', async () => {
      const { browser, url, uuid } = await atPage();
      const { location } = await sendConsent(context.app, browser, url);
      expect(location).toMatch(/^https:\/\/docfetch\.test\/oauth\/callback\?code=[\w-]{43}&state=/);
      await browser.follow(location!);
      expect(await outcome(uuid)).toBe('AUTHORIZED');
      // The flow is consumed, so the page no longer opens.
      expect((await sendConsent(context.app, browser, url)).status).toBe(400);

      // A code of one flow is invalid in another one, which has another verifier.
      const [first, second] = [await atPage(), await atPage()];
      const stolen = new URL((await sendConsent(context.app, first.browser, first.url)).location!);
      stolen.searchParams.set('state', second.url.searchParams.get('state')!);
      await second.browser.follow(stolen.href);
      expect(await outcome(second.uuid)).toBe('AUTHORIZATION_FAILED');
    });

    it('issues no code for a connection with another integration', async () => {
      const { url, uuid, browser } = await atPage();
      await context.query(`update connection set integration_id = 'google_drive' where uuid = $1`, [uuid]);
      expect((await open(url, browser.cookieHeader)).status).toBe(400);
    });
  });
});
