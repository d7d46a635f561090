import { randomUUID } from 'node:crypto';
import { useSharedContext } from '../../harness/app/test-context';
import { consoleOf, openConsole, signIn, type TestConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';

const PATH = '/v1/console/keys';

interface ListedKey {
  readonly key_uuid: string;
  readonly status: string;
  readonly last_used_at: string | null;
}

describe('API keys in the console (decisions 3 and 7)', () => {
  const context = useSharedContext();
  let support: TestConsole;
  let developer: TestConsole;

  beforeAll(async () => {
    support = await openConsole(context.app, context.otherClient.environmentUuid, 'SUPPORT');
    developer = await openConsole(context.app, context.client.environmentUuid);
  });

  const list = async (by = developer, query = '') =>
    (await by.request('get', `${PATH}${query}`).expect(200)).body as {
      data: ListedKey[];
      meta: { next_cursor: string | null };
    };
  const issue = (body: object = {}) => support.request('post', PATH, context.client.environmentUuid).send(body);
  const useKey = (key: string) => context.client.request('get', '/v1/environment').set('X-API-KEY', key);
  const audited = (subject: string) =>
    context.query('select actor, action, details from audit_log where subject_uuid = $1 order by uuid', [subject]);

  it('are issued by the support team and shown once; the developer sees their last use', async () => {
    const { status, body } = await issue({ expires_at: '2999-01-01T00:00:00Z' });
    expect(status).toBe(201);
    const { api_key: key, ...rest } = body.data;
    expect(key).toMatch(/^df_test_[\w-]{43}$/);
    expect(rest).toEqual({
      key_uuid: expect.any(String),
      prefix: 'df_test_',
      last_four: key.slice(-4),
      scopes: ['read', 'write', 'admin'],
      allowed_ips: [],
      status: 'ACTIVE',
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: '2999-01-01T00:00:00.000Z',
      revoked_at: null,
    });
    expect((await list()).data[0]).toEqual(rest);
    await useKey(key).expect(200);
    expect((await list()).data[0]!.last_used_at).toEqual(expect.any(String));
    const log = await audited(rest.key_uuid);
    expect(log).toEqual([{ actor: `console:${support.sessionUuid}`, action: 'key.issue', details: {} }]);
    expect(JSON.stringify([await list(), log])).not.toContain(key);
  });

  it('are listed page by page, newest first, and only those of the environment', async () => {
    const first = await list(developer, '?limit=1');
    const second = await list(developer, `?limit=1&cursor=${first.meta.next_cursor}`);
    const all = (await list()).data;
    expect([...first.data, ...second.data]).toEqual(all.slice(0, 2));
    const foreign = (await list(support)).data.map(({ key_uuid }) => key_uuid);
    expect(foreign).toHaveLength(1);
    expect(all.map(({ key_uuid }) => key_uuid)).not.toContain(foreign[0]);
    expectError(await developer.request('get', `${PATH}?cursor=x`), 422, 'VALIDATION_FAILED', {
      cursor: 'INVALID_CURSOR',
    });
  });

  it('are revoked by developers, at once, with the sessions that they opened, once', async () => {
    const { api_key: key, key_uuid: uuid } = (await issue()).body.data;
    const opened = consoleOf(context.app, await signIn(context.app, { api_key: key }));
    await opened.request('get', PATH).expect(200);
    await developer.request('delete', `${PATH}/${uuid}`).expect(204);
    expectError(await useKey(key), 401, 'INVALID_API_KEY');
    expect((await opened.request('get', PATH)).status).toBe(401);
    const [revoked] = (await list()).data;
    expect(revoked).toMatchObject({ key_uuid: uuid, status: 'REVOKED', revoked_at: expect.any(String) });
    await developer.request('delete', `${PATH}/${uuid}`).expect(204);
    expect((await list()).data[0]).toEqual(revoked);
    expect(await audited(uuid)).toEqual([
      { actor: `console:${support.sessionUuid}`, action: 'key.issue', details: {} },
      { actor: `console:${developer.sessionUuid}`, action: 'key.revoke', details: {} },
    ]);
  });

  it('cannot be issued by developers, and not for the past', async () => {
    const count = (await list()).data.length;
    for (const lang of ['en', 'de'] as const) {
      expectError(await developer.request('post', PATH).set('Lang', lang).send({}), 403, 'SUPPORT_ONLY', {}, lang);
      const past = await issue({ expires_at: '2020-01-01T00:00:00Z' }).set('Lang', lang);
      expectError(past, 422, 'VALIDATION_FAILED', { expires_at: 'NOT_IN_FUTURE' }, lang);
    }
    expectError(await issue({ expires_at: 'soon' }), 422, 'VALIDATION_FAILED', { expires_at: 'INVALID_DATETIME' });
    expect((await list()).data).toHaveLength(count);
  });

  it('are issued with scopes and addresses, which the audit log and the key itself show', async () => {
    const allowed = ['203.0.113.0/24', '::ffff:127.0.0.1', '2001:DB8::7'];
    const { status, body } = await issue({ scopes: ['write', 'read'], allowed_ips: allowed });
    expect(status).toBe(201);
    const limits = { scopes: ['read', 'write'], allowed_ips: ['203.0.113.0/24', '127.0.0.1/32', '2001:db8::7/128'] };
    expect(body.data).toMatchObject(limits);
    expect((await list()).data[0]).toMatchObject(limits);
    expect(await audited(body.data.key_uuid)).toEqual([
      { actor: `console:${support.sessionUuid}`, action: 'key.issue', details: limits },
    ]);
    expect((await useKey(body.data.api_key).expect(200)).body.data.api_key).toMatchObject(limits);
  });

  it.each([
    [{ scopes: [] }, { scopes: 'TOO_FEW' }],
    [{ scopes: ['delete'] }, { scopes: 'INVALID_OPTION' }],
    [{ scopes: ['read', 'read'] }, { scopes: 'NOT_UNIQUE' }],
    [{ allowed_ips: ['203.0.113.0/33'] }, { allowed_ips: 'INVALID_IP_RANGE' }],
    [
      { allowed_ips: ['example.com'], scopes: 'read' },
      { allowed_ips: 'INVALID_IP_RANGE', scopes: 'INVALID_TYPE_ARRAY' },
    ],
  ])('are not issued with the limits %j', async (limits, errors) => {
    for (const lang of ['en', 'de'] as const) {
      expectError(await issue(limits).set('Lang', lang), 422, 'VALIDATION_FAILED', errors, lang);
    }
  });

  it('of other environments cannot be revoked', async () => {
    const [foreign] = (await list(support)).data;
    for (const lang of ['en', 'de'] as const) {
      const refused = await developer.request('delete', `${PATH}/${foreign!.key_uuid}`).set('Lang', lang);
      expectError(refused, 403, 'NOT_YOUR_API_KEY', {}, lang);
      const unknown = await developer.request('delete', `${PATH}/${randomUUID()}`).set('Lang', lang);
      expectError(unknown, 404, 'API_KEY_NOT_FOUND', {}, lang);
    }
    expect((await list(support)).data).toEqual([foreign]);
  });
});
