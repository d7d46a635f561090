import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { useTestContext } from '../../../harness/app/test-context';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('conventions of every endpoint (decisions 1 to 3)', () => {
  const context = useTestContext();
  const post = (path: string) => context.client.request('post', path).set(JSON_TYPE);

  describe('X-Request-Id', () => {
    it('is generated for each response', async () => {
      const ids = new Set<string>();
      for (const path of ['/health/live', '/v1/identities', '/nowhere', '/v1/connections/x']) {
        const { headers } = await requestWithoutCredentials(context.app, 'get', path);
        expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
        ids.add(headers['x-request-id']!);
      }
      expect(ids.size).toBe(4);
    });

    it.each(['a', 'req_1', 'ABC-def_123', 'x'.repeat(64)])('is kept: %s', async (id) => {
      const answer = await requestWithoutCredentials(context.app, 'get', '/v1/identities').set('X-Request-Id', id);
      expect(answer.headers['x-request-id']).toBe(id);
      expectError(answer, 401, 'MISSING_CREDENTIALS');
    });

    it.each(['', 'x'.repeat(65), 'a b', 'a"b', 'ä', '<script>', 'a,b'])(
      'is replaced when it is not well-formed: %s',
      async (id) => {
        const { headers } = await requestWithoutCredentials(context.app, 'get', '/health/live').set(
          'X-Request-Id',
          Buffer.from(id).toString('latin1'),
        );
        expect(headers['x-request-id']).toMatch(/^req_/);
      },
    );
  });

  describe('a body', () => {
    const routes = ['/v1/identities', '/token', '/v1/connections', '/v1/connections/migrate'];

    it.each(routes)('that is not JSON is rejected at POST %s', async (path) => {
      for (const text of ['{', '{"a":}', 'a=b', '"']) expectError(await post(path).send(text), 422, 'MALFORMED_JSON');
      expectError(await post(path).set('Lang', 'de').send('{'), 422, 'MALFORMED_JSON', {}, 'de');
    });

    it.each(routes)('of more than 1 MiB is rejected at POST %s, after the credentials', async (path) => {
      const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
      expectError(await post(path).send(large), 413, 'BODY_TOO_LARGE');
      expectError(await post(path).set('Lang', 'de').send(large), 413, 'BODY_TOO_LARGE', {}, 'de');
      const unknown = await requestWithoutCredentials(context.app, 'post', path).set(JSON_TYPE).send(large);
      expectError(unknown, 401, 'MISSING_CREDENTIALS');
    });

    it.each(routes)('with an unknown property is rejected at POST %s', async (path) => {
      const { body } = await post(path).send({ surprise: 1, constructor: 2 });
      expect(body.errors).toEqual(
        expect.arrayContaining([
          { field: 'surprise', code: 'UNKNOWN_PROPERTY', message: '“surprise” is not supported here.' },
          { field: 'constructor', code: 'UNKNOWN_PROPERTY', message: '“constructor” is not supported here.' },
        ]),
      );
    });

    it.each(['toString', '$t(errors.detail.INTERNAL_ERROR)', 'a.b', '', '{label}', 'labels'])(
      'with an unknown property is reported with its name: %j',
      async (name) => {
        const { body } = await post('/v1/identities').send({ client_identifier: 'x', [name]: 1 });
        const [error] = body.errors as { field: string; message: string }[];
        expect(error!.field).toBe(name);
        expect(error!.message.replace('$t (', '$t(')).toBe(`“${name}” is not supported here.`);
      },
    );

    it('just below 1 MiB is accepted', async () => {
      const answer = await post('/v1/identities').send({ client_identifier: 'x'.repeat(1024 * 1024 - 100) });
      expectError(answer, 422, 'VALIDATION_FAILED', { client_identifier: 'TOO_LONG' });
    });
  });

  describe('a path', () => {
    it.each([
      ['get', '/v1'],
      ['get', '/v2/connections'],
      ['post', '/v1/identities/x/y/z'],
      ['get', '/v1/connections/%E0%A4%A'],
      ['post', '/v1/%'],
    ] as const)('that nobody has answers 404 in our shape: %s %s', async (method, path) => {
      expectError(await requestWithoutCredentials(context.app, method, path), 404, 'ROUTE_NOT_FOUND');
      expectError(
        await requestWithoutCredentials(context.app, method, path).set('Lang', 'de'),
        404,
        'ROUTE_NOT_FOUND',
        {},
        'de',
      );
    });

    it.each([
      ['delete', '/v1/identities', 'GET, HEAD, OPTIONS, POST'],
      ['put', '/token', 'OPTIONS, POST'],
      ['get', '/v1/connections/x/fetch-now', 'OPTIONS, POST'],
      ['get', '/v1/connections/migrate', 'OPTIONS, POST'],
      ['delete', '/v1/connections/migrate', 'OPTIONS, POST'],
      ['get', '/v1/transactions/redeliver', 'OPTIONS, POST'],
    ] as const)('that exists answers another method with 405: %s %s', async (method, path, allow) => {
      for (const lang of ['en', 'de'] as const) {
        const answer = await requestWithoutCredentials(context.app, method, path).set('Lang', lang);
        expectError(answer, 405, 'METHOD_NOT_ALLOWED', {}, lang);
        expect(answer.headers.allow).toBe(allow);
      }
    });
  });

  describe('the language', () => {
    it.each([
      [{ Lang: 'de' }, 'de'],
      [{ LANG: 'de' }, 'de'],
      [{ lang: 'DE' }, 'de'],
      [{ Lang: 'en', 'Accept-Language': 'de' }, 'en'],
      [{ Lang: 'fr', 'Accept-Language': 'de' }, 'en'],
      [{ 'Accept-Language': 'de-AT' }, 'de'],
      [{ 'Accept-Language': 'fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8' }, 'en'],
      [{ 'Accept-Language': 'pt' }, 'en'],
      [{}, 'en'],
    ] as [Record<string, string>, 'en' | 'de'][])('of %j is %s', async (headers, lang) => {
      const answer = await requestWithoutCredentials(context.app, 'get', '/v1/connections').set(headers);
      expectError(answer, 401, 'MISSING_CREDENTIALS', {}, lang);
    });
  });

  describe('credentials', () => {
    it.each(['X-API-KEY', 'X-API-Key', 'x-api-key'])('are accepted in %s', async (name) => {
      await requestWithoutCredentials(context.app, 'get', '/v1/identities')
        .set(name, context.client.apiKey)
        .expect(200);
    });

    it.each(['X-TOKEN', 'X-Token', 'x-token'])('are accepted in %s', async (name) => {
      await requestWithoutCredentials(context.app, 'get', '/v1/connections').set(name, context.token).expect(200);
    });

    it('are not accepted anywhere else', async () => {
      const elsewhere: Record<string, string>[] = [
        { Authorization: `Bearer ${context.client.apiKey}` },
        { Authorization: `Bearer ${context.token}` },
        { Cookie: `x-token=${context.token}` },
      ];
      for (const headers of elsewhere) {
        const answer = await requestWithoutCredentials(context.app, 'get', '/v1/integrations').set(headers);
        expectError(answer, 401, 'MISSING_CREDENTIALS');
      }
      const inQuery = await requestWithoutCredentials(context.app, 'get', `/v1/integrations?x-token=${context.token}`);
      expectError(inQuery, 401, 'MISSING_CREDENTIALS');
    });
  });

  it('explains every code at the type URL of the error', async () => {
    const { body } = await requestWithoutCredentials(context.app, 'get', '/v1/identities');
    const { pathname, hash } = new URL(body.type);
    const page = await requestWithoutCredentials(context.app, 'get', pathname).expect(200);
    expect(page.text).toContain(`id="${hash.slice(1)}"`);
  });

  it('sends security headers, and does not reveal its server software', async () => {
    const { headers } = await context.client.request('get', '/v1/identities').expect(200);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000', // without includeSubDomains: other hosts are not affected
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  describe('the response headers', () => {
    it('prevent caching of responses to credentials, and list the request headers they depend on', async () => {
      for (const [path, status] of [
        ['/v1/identities', 200],
        ['/v1/identities/x', 422],
      ] as const) {
        const { headers } = await context.client.request('get', path).set('Lang', 'de').expect(status);
        expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'content-language': 'de' });
        expect(headers.vary).toContain('X-API-KEY, X-TOKEN, Lang, Accept-Language');
      }
    });

    it('challenge requests without credentials', async () => {
      const { headers } = await requestWithoutCredentials(context.app, 'get', '/v1/identities').expect(401);
      expect(headers['www-authenticate']).toBe(
        'ApiKey realm="docfetch", header="X-API-KEY", UiToken realm="docfetch", header="X-TOKEN"',
      );
    });

    it('contain the remaining quota of each limit, in the order in which they are checked', async () => {
      const { headers } = await context.client
        .request('get', '/v1/identities')
        .set('X-TOKEN', context.token)
        .expect(200);
      expect(headers['ratelimit-policy']).toBe('"token";q=1000000;w=60, "key";q=1000000;w=60');
      expect(headers.ratelimit).toMatch(/^"token";r=9999\d\d;t=\d+, "key";r=9999\d\d;t=\d+$/);
    });

    it('contain the remaining fetch-now quota, also when it is used up', async () => {
      const uuid = await context.createActiveConnection();
      await context.query("update connection set next_fetch_at = now() + interval '9 days' where uuid = $1", [uuid]);
      const now = () => context.client.request('post', `/v1/connections/${uuid}/fetch-now`);
      for (const left of [4, 3, 2, 1, 0]) {
        const { headers } = await now().expect(202);
        expect(headers['ratelimit-policy']).toContain('"fetch-now";q=5;w=3600');
        expect(headers.ratelimit).toContain(`"fetch-now";r=${left};t=`);
      }
      const refused = await now();
      expectError(refused, 429, 'FETCH_QUOTA_EXCEEDED');
      expect(refused.headers.ratelimit).toContain(`"fetch-now";r=0;t=${refused.headers['retry-after']}`);
    });

    it.each(['gzip', 'br', 'identity'])('contain the coding %s of large JSON', async (coding) => {
      const { headers, body } = await context.client.request('get', '/v1/integrations').set('Accept-Encoding', coding);
      expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(body.data.length).toBeGreaterThan(3);
      const small = await context.client.request('get', '/v1/webhooks').set('Accept-Encoding', coding).expect(200);
      expect(small.headers).not.toHaveProperty('content-encoding');
    });

    it.each(['swagger-ui-bundle.js', 'swagger-ui-init.js', 'swagger-ui.css'])(
      'say that %s of the API documentation is compressed',
      async (file) => {
        const { headers } = await requestWithoutCredentials(context.app, 'get', `/docs/${file}`)
          .set('Accept-Encoding', 'gzip')
          .expect(200);
        expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') });
      },
    );
  });

  it('answers 500 with Retry-After while the database is unavailable, without details', async () => {
    await context.query(`create function away() returns trigger language plpgsql as $$
      begin raise exception 'shutting down' using errcode = '57P01'; end $$`);
    await context.query('create trigger away before insert on identity execute function away()');
    try {
      for (const lang of ['en', 'de'] as const) {
        const answer = await post('/v1/identities').set('Lang', lang).send({ client_identifier: 'away' });
        expectError(answer, 500, 'TEMPORARILY_UNAVAILABLE', {}, lang);
        expect(answer.headers['retry-after']).toBe('5');
      }
    } finally {
      await context.query('drop trigger away on identity');
    }
  });

  it('answers an unexpected error with 500 without details', async () => {
    await context.query('alter table identity rename to identity_moved');
    try {
      for (const lang of ['en', 'de'] as const) {
        const answer = await context.client.request('get', '/v1/identities').set('Lang', lang);
        expectError(answer, 500, 'INTERNAL_ERROR', {}, lang);
        expect(answer.text).not.toMatch(/relation|select|identity_moved|\bat /);
      }
    } finally {
      await context.query('alter table identity_moved rename to identity');
    }
  });
});
