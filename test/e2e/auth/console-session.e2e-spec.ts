import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import request, { type Response } from 'supertest';
import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { RemoveExpiredSessions } from '../../../src/auth/console-sign-in/remove-expired-sessions';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { type Operation, operationsOf } from '../../../src/platform/openapi/openapi-document';
import { countTextOccurrences } from '../../harness/app/find-occurrences';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { createTestClient } from '../../harness/app/test-client';
import { useTestContext } from '../../harness/app/test-context';
import { takeDeviations } from '../../harness/conformance/check-all-responses';
import { contractDocument } from '../../harness/conformance/contract-document';
import { consoleOf, createLink, openConsole, signIn, type TestConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';
import { commandLineOf } from '../cli/command-line';

const SESSION = '/v1/console/session';
/** Developers use them too, and are refused only when they ask for all environments. */
const ALL_ENVIRONMENTS_ON_REQUEST = ['/v1/console/audit', '/v1/console/usage.csv'];
const EIGHT_HOURS = 8 * 3600;
const lines: string[] = [];
const log = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString('utf8'));
    done();
  },
});

describe('sessions of the console (decisions 3)', () => {
  const context = useTestContext({ log, settings: { logLevel: 'trace' } });
  const environment = () => context.client.environmentUuid;
  const open = (role?: 'DEVELOPER' | 'SUPPORT') => openConsole(context.app, environment(), role);
  const refused = (answer: Response, status: number, code: string) => expectError(answer, status, code);

  describe('POST /v1/console/session', () => {
    it('signs in with a link, once', async () => {
      const link = await createLink(context.app, environment(), 'SUPPORT');
      const answer = await signIn(context.app, { link }).set('Lang', 'de').expect(201);
      const { data } = answer.body as { data: Record<string, unknown> };
      expect(data).toEqual({
        session_uuid: expect.any(String),
        role: 'SUPPORT',
        environment_uuid: environment(),
        actor: `console:${String(data.session_uuid)}`,
        expires_at: expect.any(String),
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
        lang: 'de',
      });
      const seconds = (Date.parse(String(data.expires_at)) - context.app.clock.now().getTime()) / 1000;
      expect(Math.round(seconds / 60)).toBe(EIGHT_HOURS / 60);
      refused(await signIn(context.app, { link }), 401, 'INVALID_CONSOLE_LINK');
      expectError(await signIn(context.app, { link }).set('Lang', 'de'), 401, 'INVALID_CONSOLE_LINK', {}, 'de');
    });

    it('lets exactly one of several concurrent requests use a link', async () => {
      const link = await createLink(context.app, environment());
      const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(context.app, { link })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
    });

    it('rejects an expired link and an unknown one', async () => {
      refused(
        await signIn(context.app, { link: await createLink(context.app, environment(), 'DEVELOPER', -1) }),
        401,
        'INVALID_CONSOLE_LINK',
      );
      refused(await signIn(context.app, { link: 'x'.repeat(43) }), 401, 'INVALID_CONSOLE_LINK');
    });

    it('signs in with an API key, as a developer', async () => {
      const { body } = await signIn(context.app, { api_key: context.client.apiKey }).expect(201);
      expect(body).toMatchObject({ data: { role: 'DEVELOPER', environment_uuid: environment() } });
      refused(await signIn(context.app, { api_key: `df_test_${'A'.repeat(43)}` }), 401, 'INVALID_API_KEY');
    });

    it('takes exactly one of link and key', async () => {
      expectError(await signIn(context.app, {}), 422, 'MISSING_REQUIRED_FIELDS', { link: 'REQUIRED' });
      const both = { link: await createLink(context.app, environment()), api_key: context.client.apiKey };
      expectError(await signIn(context.app, both), 422, 'VALIDATION_FAILED', { api_key: 'INVALID_VALUE' });
      await signIn(context.app, { link: both.link }).expect(201);
    });

    it('is refused to pages of other origins, which could sign a user in as somebody else', async () => {
      const link = await createLink(context.app, environment());
      refused(await signIn(context.app, { link }).set('Origin', 'https://evil.example'), 403, 'ORIGIN_NOT_ALLOWED');
      await signIn(context.app, { link }).set('Origin', context.app.settings.publicUrl).expect(201);
    });

    it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
      const { headers } = await signIn(context.app, { link: await createLink(context.app, environment()) });
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-docfetch_console=[\w-]{43}; Max-Age=28800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
        ),
      ]);
      expect(headers['cache-control']).toMatch(/no-store/);
    });

    it('ends the session that the browser had', async () => {
      const former = await open();
      const link = await createLink(context.app, environment());
      consoleOf(context.app, await signIn(context.app, { link }).set('Cookie', former.cookie));
      refused(await former.request('get', '/v1/integrations'), 401, 'INVALID_SESSION');
    });
  });

  describe('the session', () => {
    let developer: TestConsole;
    beforeAll(async () => {
      developer = await open();
    });

    it('tells its CSRF token for the cookie alone', async () => {
      const { body, headers } = await request(context.app.url).get(SESSION).set('Cookie', developer.cookie).expect(200);
      const { data } = body as { data: Record<string, unknown> };
      expect(data).toMatchObject({ session_uuid: developer.sessionUuid, csrf_token: developer.csrfToken });
      expect(headers['cache-control']).toBe('private, no-store');
      refused(await request(context.app.url).get(SESSION), 401, 'MISSING_CREDENTIALS');
    });

    it('acts as an API key of its environment', async () => {
      const { body } = await developer.request('get', '/v1/identities').expect(200);
      expect((body as { data: { identity_uuid: string }[] }).data.map((one) => one.identity_uuid)).toContain(
        context.identity,
      );
      await developer.request('get', '/v1/environment').expect(200);
      const created = await developer.request('post', '/v1/identities').send({ client_identifier: randomUUID() });
      expect(created.status).toBe(201);
      const { identity_uuid } = (created.body as { data: { identity_uuid: string } }).data;
      await developer.request('delete', `/v1/identities/${identity_uuid}/sessions`).expect(204);
      const rows = await context.query('select actor from audit_log where subject_uuid = $1', [identity_uuid]);
      expect(rows).toContainEqual({ actor: `console:${developer.sessionUuid}` });
    });

    it('counts only with its CSRF token, except for reading that', async () => {
      const withCookie = () => request(context.app.url).get('/v1/identities').set('Cookie', developer.cookie);
      refused(await withCookie(), 401, 'MISSING_CREDENTIALS');
      refused(await withCookie().set('X-CSRF-TOKEN', 'wrong'), 403, 'INVALID_CSRF_TOKEN');
      const other = await open();
      refused(await withCookie().set('X-CSRF-TOKEN', other.csrfToken), 403, 'INVALID_CSRF_TOKEN');
      const without = request(context.app.url).get('/v1/identities').set('X-CSRF-TOKEN', developer.csrfToken);
      refused(await without, 401, 'MISSING_CREDENTIALS');
      const signOut = request(context.app.url).delete(SESSION).set('Cookie', developer.cookie);
      refused(await signOut, 401, 'MISSING_CREDENTIALS');
    });

    it('is ignored beside a key or a token, as in the hosted UI of the same browser', async () => {
      const { cookie } = developer;
      await context.client.requestWithToken(context.token, 'get', '/v1/connections').set('Cookie', cookie).expect(200);
      const asked = context.client.requestWithToken(context.token, 'get', '/v1/identities').set('Cookie', cookie);
      refused(await asked.set('X-CSRF-TOKEN', developer.csrfToken), 401, 'MISSING_CREDENTIALS');
    });

    it('has no access to what only a UI token may do, whatever it sends', async () => {
      refused(await developer.request('get', '/v1/ui/session'), 401, 'MISSING_CREDENTIALS');
      const { environmentUuid } = context.otherClient;
      refused(await developer.request('get', '/v1/ui/session', environmentUuid), 401, 'MISSING_CREDENTIALS');
      const unknown = developer.request('get', '/v1/ui/session').set('Cookie', `${developer.cookie}x`);
      refused(await unknown, 401, 'MISSING_CREDENTIALS');
    });

    it('is refused to pages of other origins, even of those that the environment allows', async () => {
      const origin = 'https://app.example.com';
      const update = context.app.app.get(UpdateEnvironment, { strict: false });
      await update.update('test', environment(), { browserOrigins: [origin] });
      const asked = developer.request('get', '/v1/identities').set('Origin', origin);
      refused(await asked, 403, 'ORIGIN_NOT_ALLOWED');
      const read = request(context.app.url).get(SESSION).set('Cookie', developer.cookie).set('Origin', origin);
      refused(await read, 403, 'ORIGIN_NOT_ALLOWED');
    });

    it('of a developer is limited to its environment', async () => {
      const elsewhere = (uuid: string) => developer.request('get', '/v1/identities', uuid);
      refused(await elsewhere(context.otherClient.environmentUuid), 403, 'NOT_YOUR_ENVIRONMENT');
      refused(await elsewhere(randomUUID()), 403, 'NOT_YOUR_ENVIRONMENT');
      refused(await elsewhere('not-a-uuid'), 403, 'NOT_YOUR_ENVIRONMENT');
      await elsewhere(environment()).expect(200);
    });

    it('of a developer has no access to any route of the support team, and keys and tokens to none of the console', async () => {
      const ofConsole = operationsOf(contractDocument.paths).filter(({ path }) => path.startsWith('/v1/console/'));
      const withSession = ofConsole.filter(({ operation }) => operation.security!.length > 0);
      const isForSupport = ({ responses }: Operation) => JSON.stringify(responses['403']).includes('/SUPPORT_ONLY"');
      const forSupport = withSession.filter(
        ({ path, operation }) => isForSupport(operation) && !ALL_ENVIRONMENTS_ON_REQUEST.includes(path),
      );
      expect(forSupport.length).toBeGreaterThan(5);
      const at = (path: string) => path.replaceAll(/\{\w+\}/g, randomUUID());
      for (const { method, path } of forSupport)
        refused(await developer.request(method, at(path)), 403, 'SUPPORT_ONLY');
      for (const { method, path } of withSession) {
        refused(await context.client.request(method, at(path)), 401, 'MISSING_CREDENTIALS');
        refused(await context.client.requestWithToken(context.token, method, at(path)), 401, 'MISSING_CREDENTIALS');
      }
    });

    it('of the support team chooses an environment for each request', async () => {
      const support = await open('SUPPORT');
      const { otherClient } = context;
      const identity = await otherClient.createIdentity();
      await support.request('get', `/v1/identities/${identity}`, otherClient.environmentUuid).expect(200);
      refused(await support.request('get', `/v1/identities/${identity}`), 403, 'NOT_YOUR_IDENTITY');
      refused(await support.request('get', '/v1/identities', randomUUID()), 403, 'NOT_YOUR_ENVIRONMENT');
    });

    it('requests UI tokens with the newest key of the environment, or with the one that opened it', async () => {
      const keys = context.app.app.get(ManageKeys, { strict: false });
      const body = { identity_uuid: context.identity, return_url: 'https://app.example.com/back' };
      const keyOf = async (session: TestConsole) => {
        const { body: answer } = await session.request('post', '/v1/token').send(body).expect(201);
        const { token } = (answer as { data: { token: string } }).data;
        return (JSON.parse(atob(token.split('.')[1]!)) as { key_uuid: string }).key_uuid;
      };
      const { key, record } = await keys.issue('test', environment(), null);
      const byKey = consoleOf(context.app, await signIn(context.app, { api_key: key }));
      const newer = await keys.issue('test', environment(), null);
      expect(await keyOf(developer)).toBe(newer.record.uuid);
      expect(await keyOf(byKey)).toBe(record.uuid);
    });

    it('cannot request UI tokens while the environment has no valid key', async () => {
      const { otherClient } = context;
      const session = await openConsole(context.app, otherClient.environmentUuid);
      const identity_uuid = await otherClient.createIdentity();
      const set = (at: string) =>
        context.query(`update api_key set revoked_at = ${at} where environment_uuid = $1`, [
          otherClient.environmentUuid,
        ]);
      await set('now()');
      try {
        const body = { identity_uuid, return_url: 'https://app.example.com/back' };
        expectError(await session.request('post', '/v1/token').send(body), 422, 'NO_API_KEY');
        expectError(
          await session.request('post', '/v1/token').set('Lang', 'de').send(body),
          422,
          'NO_API_KEY',
          {},
          'de',
        );
        const { body: read } = await session.request('get', '/v1/environment').expect(200);
        expect(read).toMatchObject({ data: { api_key: { last_four: otherClient.apiKey.slice(-4) } } });
      } finally {
        await set('null');
      }
    });
  });

  describe('ends', () => {
    const works = (session: TestConsole) => session.request('get', '/v1/integrations').expect(200);
    const hasEnded = async (session: TestConsole) => {
      refused(await session.request('get', '/v1/integrations'), 401, 'INVALID_SESSION');
      refused(await request(context.app.url).get(SESSION).set('Cookie', session.cookie), 401, 'INVALID_SESSION');
    };

    it('when the user signs out, which removes the cookie', async () => {
      const [session, other] = [await open(), await open()];
      const { headers } = await session.request('delete', SESSION).expect(204);
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-docfetch_console=; Path=\/; Expires=Thu, 01 Jan 1970/),
      ]);
      await hasEnded(session);
      await works(other);
    });

    it('after 8 hours', async () => {
      const session = await open();
      context.app.clock.advance(EIGHT_HOURS - 60);
      await works(session);
      context.app.clock.advance(61);
      await hasEnded(session);
      context.app.clock.advance(-EIGHT_HOURS - 1);
    });

    it('when the key that opened it is revoked or expires, immediately in every process', async () => {
      const keys = context.app.app.get(ManageKeys, { strict: false });
      const revoked = await keys.issue('test', environment(), null);
      const expiring = await keys.issue('test', environment(), context.app.clock.in(600));
      const [first, second] = [
        consoleOf(context.app, await signIn(context.app, { api_key: revoked.key })),
        consoleOf(context.app, await signIn(context.app, { api_key: expiring.key })),
      ];
      await works(first);
      await keys.revoke('test', revoked.record.uuid);
      await hasEnded(first);
      await works(second);
      context.app.clock.advance(601);
      await hasEnded(second);
      context.app.clock.advance(-601);
    });
  });

  describe('GET and DELETE /v1/console/sessions', () => {
    interface Listed {
      readonly session_uuid: string;
      readonly environment_uuid: string;
      readonly role: string;
      readonly is_current: boolean;
    }
    const SESSIONS = '/v1/console/sessions';
    const listed = async (session: TestConsole, query = '') =>
      (await session.request('get', `${SESSIONS}${query}`).expect(200)).body as {
        data: Listed[];
        meta: { next_cursor: string | null };
      };
    let developer: TestConsole;
    let support: TestConsole;
    let elsewhere: TestConsole;
    beforeAll(async () => {
      [developer, support] = [await open(), await open('SUPPORT')];
      elsewhere = await openConsole(context.app, context.otherClient.environmentUuid);
    });

    it('lists to developers those of their environment, without the support team', async () => {
      const { data } = await listed(developer);
      expect(data[0]).toEqual({
        session_uuid: developer.sessionUuid,
        role: 'DEVELOPER',
        environment_uuid: environment(),
        opened_by: 'cli:test',
        user_agent: null,
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        is_current: true,
      });
      expect(new Set(data.map((one) => `${one.role} ${one.environment_uuid}`))).toEqual(
        new Set([`DEVELOPER ${environment()}`]),
      );
      const other = `?environment_uuid=${context.otherClient.environmentUuid}`;
      refused(await developer.request('get', SESSIONS + other), 403, 'NOT_YOUR_ENVIRONMENT');
    });

    it('lists to the support team all, or those of an environment, page by page', async () => {
      const first = await listed(support, '?limit=2');
      expect(first.data.map((one) => one.session_uuid)).toEqual([elsewhere.sessionUuid, support.sessionUuid]);
      const second = await listed(support, `?limit=2&cursor=${first.meta.next_cursor}`);
      expect(second.data[0]!.session_uuid).toBe(developer.sessionUuid);
      const { data } = await listed(support, `?environment_uuid=${context.otherClient.environmentUuid}`);
      expect(data[0]!.session_uuid).toBe(elsewhere.sessionUuid);
    });

    it('ends a session, of a developer only of their environment', async () => {
      const path = (session: TestConsole) => `${SESSIONS}/${session.sessionUuid}`;
      for (const other of [support, elsewhere])
        refused(await developer.request('delete', path(other)), 403, 'NOT_YOUR_SESSION');
      refused(await developer.request('delete', `${SESSIONS}/${randomUUID()}`), 404, 'SESSION_NOT_FOUND');
      const malformed = await developer.request('delete', `${SESSIONS}/x`);
      expectError(malformed, 422, 'VALIDATION_FAILED', { session_uuid: 'INVALID_UUID' });
      const colleague = await open();
      for (let times = 0; times < 2; times++) await developer.request('delete', path(colleague)).expect(204);
      refused(await colleague.request('get', SESSIONS), 401, 'INVALID_SESSION');
      await support.request('delete', path(elsewhere)).expect(204);
      refused(await elsewhere.request('get', SESSIONS), 401, 'INVALID_SESSION');
      const rows = await context.query(`select actor from audit_log where action = 'console.revoke' order by uuid`);
      expect(rows).toEqual([developer, support].map((by) => ({ actor: `console:${by.sessionUuid}` })));
    });
  });

  describe('on the command line', () => {
    const line = commandLineOf(() => context.app);

    it('are opened by a link, listed and revoked', async () => {
      const args = ['--environment', environment(), '--role', 'support', '--expires', '2m'];
      const created = await line.json<Record<string, string>>(['console', 'link', ...args]);
      expect(created).toEqual({
        url: expect.stringMatching(/^https:\/\/docfetch\.test\/console\/#link=[\w-]{43}$/),
        role: 'SUPPORT',
        environment_uuid: environment(),
        expires_at: expect.any(String),
      });
      const link = created.url!.split('#link=')[1];
      const session = consoleOf(context.app, await signIn(context.app, { link }));
      const list = () => line.json<{ session_uuid: string }[]>(['console', 'sessions', '--environment', environment()]);
      expect((await list())[0]).toMatchObject({
        session_uuid: session.sessionUuid,
        opened_by: expect.stringMatching(/^cli/),
      });
      expect(await line.runSuccessfully(['console', 'sessions'])).toContain(session.sessionUuid);
      const revoke = ['console', 'revoke', session.sessionUuid];
      expect(await line.runSuccessfully(revoke)).toBe(`Ended ${session.sessionUuid}.\n`);
      refused(await session.request('get', '/v1/integrations'), 401, 'INVALID_SESSION');
      expect(await list()).not.toContainEqual(expect.objectContaining({ session_uuid: session.sessionUuid }));
      const actions = await context.query(
        `select action from audit_log where actor like 'cli%' and actor <> 'cli:test' order by uuid`,
      );
      expect(actions.map(({ action }) => action)).toEqual(['console.link', 'console.sign-in', 'console.revoke']);
    });

    it('are refused for wrong input', async () => {
      const link = (...args: string[]) => ['console', 'link', '--environment', environment(), ...args];
      await line.expectRefusal(link('--role', 'admin'), /--role must be one of developer, support/);
      await line.expectRefusal(link('--role', 'support', '--expires', '25h'), /--expires must be a duration/);
      const unknown = ['console', 'link', '--environment', randomUUID(), '--role', 'support'];
      await line.expectRefusal(unknown, /There is no environment/);
      await line.expectRefusal(['console', 'revoke', randomUUID()], /There is no session/);
    });
  });

  it('are removed with links when they have expired', async () => {
    const session = await open();
    const count = async (table: string) =>
      Number((await context.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n);
    context.app.clock.advance(EIGHT_HOURS + 1);
    expect(await context.app.app.get(RemoveExpiredSessions, { strict: false }).remove()).toBeGreaterThan(1);
    expect([await count('console_session'), await count('console_link')]).toEqual([0, 0]);
    refused(await session.request('get', '/v1/integrations'), 401, 'INVALID_SESSION');
    context.app.clock.advance(-EIGHT_HOURS - 1);
  });

  it('leaves neither link, cookie nor CSRF token in logs, errors or the database', async () => {
    const link = await createLink(context.app, environment());
    const session = consoleOf(context.app, await signIn(context.app, { link }));
    const again = await signIn(context.app, { link });
    const wrong = await session.request('get', '/v1/identities').set('X-CSRF-TOKEN', `${session.csrfToken}x`);
    await session.request('delete', SESSION).expect(204);
    const secret = session.cookie.split('=')[1]!;
    const texts = [lines.join(''), again.text, wrong.text];
    for (const value of [link, secret, session.csrfToken]) {
      expect(texts.filter((text) => text.includes(value))).toEqual([]);
      expect(await countTextOccurrences(context, value)).toEqual({});
    }
    expect(lines.join('')).toContain(SESSION);
    const rows = await context.query('select actor, action from audit_log where subject_uuid = $1 order by uuid', [
      session.sessionUuid,
    ]);
    expect(rows).toEqual([
      { actor: 'cli:test', action: 'console.sign-in' },
      { actor: `console:${session.sessionUuid}`, action: 'console.sign-out' },
    ]);
  });
});

describe('the console without https', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      settings: { publicUrl: 'http://localhost:3000', rateLimitFailures: 2, rateLimitPerKey: 3 },
    });
  });
  afterAll(() => app.stop());

  it('has a cookie that browsers accept there', async () => {
    const { environmentUuid } = await createTestClient(app);
    const { headers } = await signIn(app, { link: await createLink(app, environmentUuid) }).expect(201);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^docfetch_console=[\w-]{43}; Max-Age=28800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  it('limits the requests of each session, and failed sign-ins of an address', async () => {
    const { environmentUuid } = await createTestClient(app);
    const [one, other] = [await openConsole(app, environmentUuid), await openConsole(app, environmentUuid)];
    const statuses = [];
    for (let times = 0; times < 4; times++) statuses.push((await one.request('get', '/v1/integrations')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await other.request('get', '/v1/integrations').expect(200);
    const failed = [];
    for (let times = 0; times < 3; times++) failed.push((await signIn(app, { link: 'guessed' })).status);
    expect(failed).toEqual([401, 401, 429]);
    await openConsole(app, environmentUuid);
  });
});

describe('without a console (CONSOLE_ENABLED=false)', () => {
  const context = useTestContext();

  it('serves neither its page nor its part of the API, and accepts no session', async () => {
    const session = await openConsole(context.app, context.client.environmentUuid);
    const link = await createLink(context.app, context.client.environmentUuid);
    const { databaseUrl } = context.app;
    const without = await startApp({ databaseUrl, settings: { consoleEnabled: false } });
    try {
      for (const lang of ['en', 'de'] as const) {
        const page = await request(without.url).get('/console/').set('Lang', lang);
        expectError(page, 404, 'ROUTE_NOT_FOUND', {}, lang);
      }
      const asked = (path: string) => request(without.url).get(path).set(session.headers);
      expectError(await signIn(without, { link }), 404, 'ROUTE_NOT_FOUND');
      expectError(await asked('/v1/console/overview'), 404, 'ROUTE_NOT_FOUND');
      expect(takeDeviations()).toHaveLength(2); // routes that exist answer as if they did not
      expectError(await asked('/v1/integrations'), 401, 'MISSING_CREDENTIALS');
      await request(without.url).get('/v1/integrations').set('X-API-KEY', context.client.apiKey).expect(200);
      const command = ['console', 'link', '--environment', context.client.environmentUuid, '--role', 'support'];
      await commandLineOf(() => without).expectRefusal(command, /CONSOLE_ENABLED is false/);
    } finally {
      await without.stop();
    }
    await session.request('get', '/v1/integrations').expect(200);
  });
});
