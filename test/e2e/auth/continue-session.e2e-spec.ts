import type { Response } from 'supertest';
import { expectError } from '../../harness/http/expect-error';
import type { TestBrowser } from '../../harness/http/test-browser';
import { decodeJwt } from '../../harness/http/jwt';
import { useGoogle } from '../connections/oauth/google-authorization';

describe('a UI session after an authorization (decisions 3)', () => {
  const context = useGoogle();
  /** The browser in which the hosted UI is open. */
  let browser: TestBrowser;
  let moved = 0;
  const move = (seconds: number) => {
    moved += seconds;
    context.app.clock.advance(seconds);
  };
  afterEach(() => move(-moved));

  const tokenOf = (answer: Response) => {
    expect(answer.status).toBe(200);
    return (answer.body as { data: { token: string } }).data.token;
  };
  const seconds = () => Math.floor(context.app.clock.now().getTime() / 1000);
  const ask = (token: string, path: string) => context.client.requestWithToken(token, 'get', path);

  /** Opens a new session in a separate browser. */
  async function opened(more: Record<string, unknown> = {}): Promise<string> {
    const token = await context.client.createToken(context.identity, more);
    browser = await context.uiBrowser(token);
    return token;
  }

  /** Runs an authorization with `seconds` at the provider. Returns the token of the page. */
  async function authorize(authorizationUrl: string, secondsThere = 0): Promise<string> {
    const { location: callback } = await browser.open(await browser.startAuthorization(authorizationUrl));
    move(secondsThere);
    return tokenOf(await context.resume(await browser.follow(callback!), browser));
  }

  /** Authorizes a connection whose consent is missing or withdrawn, with the token of the page. */
  async function again(token: string, uuid: string, secondsThere = 0): Promise<string> {
    await context.query(
      `update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'CONSENT_REVOKED',
         next_fetch_at = null where uuid = $1 and account_id is not null`,
      [uuid],
    );
    const answer = await context.client
      .requestWithToken(token, 'put', `/v1/connections/${uuid}`)
      .set('Cookie', browser.cookieHeader)
      .send({ fields: {} });
    expect(answer.status).toBe(200);
    return authorize((answer.body as { data: { authorization_url: string } }).data.authorization_url, secondsThere);
  }

  it('is not renewed by denied authorizations, regardless of their number', async () => {
    const token = await opened({ lang: 'en' });
    const { uuid } = await context.create({ token, browser });
    context.google.authorization.consent = 'deny';
    let current = token;
    for (let hop = 0; hop < 3; hop++) {
      move(590);
      current = await again(current, uuid);
      expect(decodeJwt(current)).toEqual(decodeJwt(token));
    }
    move(30);
    for (const ended of [token, current]) expectError(await ask(ended, '/v1/ui/session'), 401, 'TOKEN_EXPIRED');
  });

  it('is not renewed by a failed authorization, even when the browser returns after the expiry', async () => {
    const token = await opened({ lang: 'en' });
    const { uuid, authorization_url } = await context.create({ token, browser });
    context.google.authorization.consent = ['https://www.googleapis.com/auth/drive.metadata.readonly'];
    expect(decodeJwt(await again(token, uuid))).toEqual(decodeJwt(token));
    move(1000);
    const late = await authorize(authorization_url, 900);
    expect(decodeJwt(late)).toEqual(decodeJwt(token));
    expectError(await ask(late, '/v1/ui/session'), 401, 'TOKEN_EXPIRED');
  });

  it('continues only for the connection, while the previous token keeps its scope until it expires', async () => {
    const token = await opened({ integration_id: 'google_drive', state: 'mine' });
    const { uuid, authorization_url } = await context.create({ token, browser });
    const { uuid: another } = await context.create({ token, browser });
    const continued = await authorize(authorization_url);
    const { iat, jti, integration_id: _, ...kept } = decodeJwt(token);
    const { iat: __, jti: newId, ...claims } = decodeJwt(continued);
    expect(claims).toEqual({ ...kept, connection_uuid: uuid, session_started_at: iat, lang: 'en' });
    expect(newId).not.toBe(jti);

    await ask(continued, `/v1/connections/${uuid}`).expect(200);
    expectError(await ask(continued, `/v1/connections/${another}`), 403, 'NOT_ALLOWED_BY_TOKEN');
    const create = { integration_id: 'google_drive', name: 'Third', fields: {} };
    const refused = await context.client.requestWithToken(continued, 'post', '/v1/connections').send(create);
    expectError(refused, 403, 'NOT_ALLOWED_BY_TOKEN');

    await ask(token, `/v1/connections/${another}`).expect(200);
    move(kept.exp - seconds());
    expectError(await ask(token, '/v1/ui/session'), 401, 'TOKEN_EXPIRED');
  });

  it('remains valid for at least ten minutes, and for at most an hour after its start', async () => {
    const token = await opened();
    const { iat } = decodeJwt(token);
    const { uuid } = await context.create({ token, browser });
    move(1000);
    let current = await again(token, uuid);
    expect(decodeJwt(current)).toMatchObject({ session_started_at: iat, exp: iat + 1800 });
    for (const [since, expected] of [
      [1700, () => seconds() + 600],
      [2250, () => seconds() + 600],
      [2800, () => seconds() + 600],
      [3350, () => iat + 3600],
      [3550, () => iat + 3600],
    ] as const) {
      move(iat + since - seconds());
      current = await again(current, uuid);
      const { exp, session_started_at: startedAt } = decodeJwt(current);
      expect(startedAt).toBe(iat);
      expect(Math.abs(exp - expected())).toBeLessThanOrEqual(since < 3000 ? 2 : 0);
    }
    move(iat + 3600 - seconds());
    expectError(await ask(current, '/v1/ui/session'), 401, 'TOKEN_EXPIRED');
  });

  it('expires an hour after it started', async () => {
    const token = await opened();
    const { uuid } = await context.create({ token, browser });
    move(1750);
    const continued = await again(token, uuid);
    move(550);
    const late = await again(continued, uuid, 1500);
    expect(decodeJwt(late).exp).toBe(decodeJwt(token).iat + 3600);
    expectError(await ask(late, '/v1/ui/session'), 401, 'TOKEN_EXPIRED');
  });

  it('is continued only once by each authorization', async () => {
    const { authorization_url } = await context.create({ token: await opened(), browser });
    const { location: consent } = await browser.open(authorization_url);
    const { location: callback } = await browser.open(consent!);
    const back = await browser.follow(callback!);
    const answers = await Promise.all(Array.from({ length: 4 }, () => context.resume(back, browser)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    for (const address of [callback!, consent!, authorization_url]) {
      const { url } = await browser.follow(address);
      expect([url.pathname, url.searchParams.get('resume')]).toEqual(['/ui', null]);
    }
    expectError(await context.resume(back, browser), 422, 'RESUME_CODE_INVALID');
  });
});
