import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { expectError } from '../../harness/http/expect-error';
import { decodeJwt } from '../../harness/http/jwt';
import { TestBrowser } from '../../harness/http/test-browser';

const PATH = '/v1/ui/session/restore';

/** A session of the hosted UI in a browser of its own. */
interface OpenSession {
  readonly token: string;
  readonly identity: string;
  readonly browser: TestBrowser;
  readonly reference: string;
}

describe('POST /v1/ui/session/restore (decisions 3)', () => {
  const context = useTestContext();

  const sessionOf = async (token: string, cookie?: string) => {
    const request = context.client.requestWithToken(token, 'get', '/v1/ui/session');
    const answer = await (cookie === undefined ? request : request.set('Cookie', cookie)).expect(200);
    return (answer.body as { data: { reload_reference: string | null; identity: { identity_uuid: string } } }).data;
  };
  async function open(client: TestClient = context.client, more: Record<string, unknown> = {}): Promise<OpenSession> {
    const identity = await client.createIdentity();
    const token = await client.createToken(identity, more);
    const browser = new TestBrowser(context.app);
    await browser.open(`${context.app.settings.publicUrl}/ui?token=${token}`);
    const { reload_reference: reference } = await sessionOf(token, browser.cookieHeader);
    return { token, identity, browser, reference: reference! };
  }
  const restore = (reference: unknown, cookie?: string, lang = 'en') => {
    const request = requestWithoutCredentials(context.app, 'post', PATH).set('Lang', lang).send({ reference });
    return cookie === undefined ? request : request.set('Cookie', cookie);
  };
  const refused = async (reference: unknown, cookie?: string, code = 'INVALID_TOKEN') => {
    for (const lang of ['en', 'de'] as const) expectError(await restore(reference, cookie, lang), 401, code, {}, lang);
  };

  it('returns the token of the session again, with the same scope and expiry, after every reload', async () => {
    const { token, browser, reference, identity } = await open(context.client, {
      integration_id: 'imap',
      state: 'order-17',
      lang: 'de',
    });
    context.app.clock.advance(600);
    try {
      for (let reload = 0; reload < 2; reload++) {
        const { body, headers } = await restore(reference, browser.cookieHeader).expect(200);
        const { data } = body as { data: { token: string; expires_at: string } };
        expect(decodeJwt(data.token)).toEqual(decodeJwt(token));
        expect(data.expires_at).toBe(new Date(decodeJwt(token).exp * 1000).toISOString());
        expect(headers['cache-control']).toContain('no-store');
        const session = await sessionOf(data.token, browser.cookieHeader);
        expect(session).toMatchObject({
          identity: { identity_uuid: identity },
          preselection: { connection_uuid: null, integration_id: 'imap' },
        });
        // The page of the restored session has a reference too.
        await restore(session.reload_reference, browser.cookieHeader).expect(200);
      }
    } finally {
      context.app.clock.advance(-600);
    }
  });

  it('is possible with the reference and the cookie of the browser only', async () => {
    const mine = await open();
    const theirs = await open();
    await refused(mine.reference);
    await refused(mine.reference, '');
    await refused(mine.reference, theirs.browser.cookieHeader);
    await refused(mine.reference, `__Host-docfetch-ui=${'A'.repeat(43)}`);
    await refused(mine.reference, '__Host-docfetch-ui=planted');
    await refused(mine.token, mine.browser.cookieHeader);
    const { body } = await restore(mine.reference, mine.browser.cookieHeader).expect(200);
    expect(decodeJwt((body as { data: { token: string } }).data.token).sub).toBe(mine.identity);
  });

  it('is refused for a reference that was changed or made up', async () => {
    const { reference, browser } = await open();
    const [environment = '', encrypted = ''] = reference.split('.');
    const other = encrypted.startsWith('A') ? 'B' : 'A';
    for (const wrong of [
      'x',
      '.',
      environment,
      `${environment}.`,
      `.${encrypted}`,
      `${environment}.${other}${encrypted.slice(1)}`,
      `${environment}.${encrypted.slice(0, -4)}`,
      `00000000-0000-4000-8000-000000000000.${encrypted}`,
      `${context.identity}.${encrypted}`,
    ])
      await refused(wrong, browser.cookieHeader);
  });

  it('is bound to the environment', async () => {
    const mine = await open();
    const foreign = await createTestClient(context.app);
    const { reference, browser, identity } = await open(foreign);
    const encrypted = reference.split('.')[1]!;
    expect(reference).toBe(`${foreign.environmentUuid}.${encrypted}`);
    await refused(`${context.client.environmentUuid}.${encrypted}`, browser.cookieHeader);
    await refused(`${foreign.environmentUuid}.${mine.reference.split('.')[1]!}`, mine.browser.cookieHeader);
    const { body } = await restore(reference, browser.cookieHeader).expect(200);
    expect(decodeJwt((body as { data: { token: string } }).data.token).sub).toBe(identity);
  });

  it('ends with the session', async () => {
    const { reference, browser } = await open();
    context.app.clock.advance(1801);
    try {
      await refused(reference, browser.cookieHeader, 'TOKEN_EXPIRED');
    } finally {
      context.app.clock.advance(-1801);
    }
  });

  it.each<[string, (session: OpenSession, client: TestClient) => Promise<unknown>]>([
    [
      'its sessions are ended',
      ({ identity }, client) => client.request('delete', `/v1/identities/${identity}/sessions`).expect(204),
    ],
    [
      'its identity is deleted',
      ({ identity }, client) => client.request('delete', `/v1/identities/${identity}`).expect(204),
    ],
    [
      'the key that issued it is revoked',
      async ({ token }) => {
        const keys = context.app.app.get(ManageKeys, { strict: false });
        await keys.revoke('test', decodeJwt(token).key_uuid as string);
      },
    ],
  ])('is refused after %s', async (_, end) => {
    const client = await createTestClient(context.app);
    const session = await open(client);
    await restore(session.reference, session.browser.cookieHeader).expect(200);
    await end(session, client);
    await refused(session.reference, session.browser.cookieHeader);
  });

  it('has no reference for a request without the cookie, and the reference reveals nothing', async () => {
    expect((await sessionOf(context.token)).reload_reference).toBeNull();
    expect((await sessionOf(context.token, '__Host-docfetch-ui=planted')).reload_reference).toBeNull();
    const { reference, token, identity } = await open(context.client, { state: 'order-17' });
    const bytes = Buffer.from(reference.split('.')[1]!, 'base64url').toString('latin1');
    for (const secret of [identity, 'order-17', 'app.example.com', decodeJwt(token).jti as string])
      expect(bytes).not.toContain(secret);
    expectError(await context.client.requestWithToken(reference, 'get', '/v1/ui/session'), 401, 'INVALID_TOKEN');
  });

  it.each<[unknown, string, string]>([
    [undefined, 'MISSING_REQUIRED_FIELDS', 'REQUIRED'],
    ['', 'MISSING_REQUIRED_FIELDS', 'REQUIRED'],
    [7, 'VALIDATION_FAILED', 'INVALID_TYPE_STRING'],
    ['x'.repeat(16_385), 'VALIDATION_FAILED', 'TOO_LONG'],
  ])('rejects %j', async (reference, code, fieldCode) => {
    for (const lang of ['en', 'de'] as const)
      expectError(await restore(reference, undefined, lang), 422, code, { reference: fieldCode }, lang);
  });

  it('accepts the reference of the longest return URL and state', async () => {
    const url = 'https://app.example.com/?';
    const { reference, browser } = await open(context.client, {
      return_url: url + 'x'.repeat(2048 - url.length),
      state: '€'.repeat(256),
    });
    await restore(reference, browser.cookieHeader).expect(200);
  });
});
