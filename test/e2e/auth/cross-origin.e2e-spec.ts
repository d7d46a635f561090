import { randomUUID } from 'node:crypto';
import request, { type Response } from 'supertest';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { useTestContext } from '../../harness/app/test-context';

const OWN = 'https://app.example.com';
const OF_OTHER_ORIGIN = 'https://other-client.example';
const OF_NOBODY = 'https://nobody.example';
const PATH = '/v1/connections';

const namesIn = (header: string | undefined) => (header ?? '').toLowerCase().split(', ');
const corsHeaders = ({ headers }: Response) =>
  Object.keys(headers as object).filter((name) => name.startsWith('access-control-'));

describe('a web page of another origin (decisions 1)', () => {
  const context = useTestContext({ settings: { rateLimitPerToken: 40 } });

  const allow = (client: TestClient, ...browserOrigins: string[]) =>
    context.app.app
      .get(UpdateEnvironment, { strict: false })
      .update('test', client.environmentUuid, { browserOrigins });

  beforeAll(async () => {
    await allow(context.client, OWN, 'http://localhost:5173');
    await allow(context.otherClient, OF_OTHER_ORIGIN);
  });

  const preflight = (origin: string, path = PATH, method = 'GET') =>
    request(context.app.url).options(path).set({
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'x-token',
    });
  const freshToken = async () => context.client.createToken(await context.client.createIdentity());

  describe('that sends a preflight', () => {
    it.each([OWN, 'http://localhost:5173', OF_OTHER_ORIGIN])(
      'is allowed when any environment allows its origin: %s',
      async (origin) => {
        const answer = await preflight(origin).expect(204);
        const { headers } = answer;
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
        expect(namesIn(headers['access-control-allow-headers'])).toEqual(
          expect.arrayContaining(['x-token', 'content-type', 'lang', 'idempotency-key']),
        );
        expect(namesIn(headers['access-control-allow-headers'])).not.toContain('x-api-key');
        expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
        expect(namesIn(headers.vary)).toContain('origin');
        expect(headers.allow).toBe('GET, HEAD, OPTIONS, POST');
        expect(headers['x-request-id']).toMatch(/^req_/);
        expect(answer.text).toBe('');
      },
    );

    it.each(['/v1/nowhere', '/v1/connections/%E0%A4%A', '/V1/connections'])(
      'is allowed at %s, so that it can read the response',
      async (path) => {
        const { headers } = await preflight(OWN, path).expect(204);
        expect(headers['access-control-allow-origin']).toBe(OWN);
      },
    );

    it.each([
      OF_NOBODY,
      'null',
      `${OWN}:444`,
      'http://app.example.com',
      `${OWN}/`,
      `https://x.app.example.com`,
      '*',
      '',
    ])('is not allowed when no environment allows its origin: %j', async (origin) => {
      const answer = await preflight(origin).expect(204);
      expect(corsHeaders(answer)).toEqual([]);
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
      expect(namesIn(answer.headers.vary)).toContain('origin');
    });

    it.each(['/token', '/openapi.json', '/docs/errors', '/health/live', '/ui'])(
      'is not allowed outside of /v1: %s',
      async (path) => expect(corsHeaders(await preflight(OWN, path))).toEqual([]),
    );

    it('is not allowed after the environment has removed its origin', async () => {
      const [client, origin] = [await createTestClient(context.app), 'https://for-a-while.example'];
      await allow(client, origin);
      expect(corsHeaders(await preflight(origin))).not.toEqual([]);
      await allow(client);
      expect(corsHeaders(await preflight(origin))).toEqual([]);
    });
  });

  describe('with a UI token', () => {
    it('is accepted when the environment of the token allows its origin, and can read the headers', async () => {
      const answer = await context.client.requestWithToken(context.token, 'get', PATH).set('Origin', OWN).expect(200);
      const { headers } = answer;
      expect(headers['access-control-allow-origin']).toBe(OWN);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(namesIn(headers['access-control-expose-headers'])).toEqual(
        expect.arrayContaining([
          ...['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'location', 'content-language'],
          ...['etag', 'content-disposition', 'deprecation', 'sunset'],
        ]),
      );
      expect(namesIn(headers.vary)).toEqual(
        expect.arrayContaining(['origin', 'x-api-key', 'x-token', 'lang', 'accept-language']),
      );
    });

    it.each([OF_OTHER_ORIGIN, OF_NOBODY, 'null'])('is otherwise rejected without effect: %s', async (origin) => {
      const name = randomUUID();
      const create = () =>
        context.client
          .requestWithToken(context.token, 'post', PATH)
          .set({ Origin: origin, 'Idempotency-Key': name })
          .send({ integration_id: 'sandbox', name, fields: { user: 'u', password: 'p' } });
      const answer = await create();
      expectError(answer, 403, 'ORIGIN_NOT_ALLOWED');
      expectError(await create().set('Lang', 'de'), 403, 'ORIGIN_NOT_ALLOWED', {}, 'de');
      // Only pages of an allowed origin can read the error.
      expect(answer.headers['access-control-allow-origin']).toBe(origin === OF_OTHER_ORIGIN ? origin : undefined);
      expect(await context.query('select 1 from connection where name = $1', [name])).toEqual([]);
      expect(await context.query('select 1 from idempotency_key where key = $1', [name])).toEqual([]);
    });

    it('is rejected before its body has arrived', async () => {
      const answer = await context.client
        .requestWithToken(context.token, 'post', PATH)
        .set('Origin', OF_NOBODY)
        .send(`"${'x'.repeat(2 * 1024 * 1024)}"`);
      expectError(answer, 403, 'ORIGIN_NOT_ALLOWED');
    });

    it('is rejected as soon as the environment has removed its origin', async () => {
      const client = await createTestClient(context.app);
      const token = await client.createToken(await client.createIdentity());
      await allow(client, OWN);
      await client.requestWithToken(token, 'get', PATH).set('Origin', OWN).expect(200);
      await allow(client);
      expectError(await client.requestWithToken(token, 'get', PATH).set('Origin', OWN), 403, 'ORIGIN_NOT_ALLOWED');
    });

    it.each([
      ['without a token', {}, 401],
      ['with a wrong token', { 'X-TOKEN': 'wrong' }, 401],
    ] as [string, Record<string, string>, number][])('can read why it is refused %s', async (_, headers, status) => {
      const answer = await request(context.app.url)
        .get(PATH)
        .set({ Origin: OWN, ...headers })
        .expect(status);
      expect(answer.headers['access-control-allow-origin']).toBe(OWN);
      const ofNobody = await request(context.app.url)
        .get(PATH)
        .set({ Origin: OF_NOBODY, ...headers })
        .expect(status);
      expect(corsHeaders(ofNobody)).toEqual([]);
    });

    it('can read 404, 405 and 413', async () => {
      const token = await freshToken();
      const large = { name: 'x'.repeat(1024 * 1024) };
      const answers = [
        await context.client.requestWithToken(token, 'get', '/v1/nowhere').set('Origin', OWN).expect(404),
        await context.client.requestWithToken(token, 'delete', PATH).set('Origin', OWN).expect(405),
        await context.client.requestWithToken(token, 'post', PATH).set('Origin', OWN).send(large).expect(413),
      ];
      for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe(OWN);
    });

    it('can read 429, for which rejected requests count as well', async () => {
      const token = await freshToken();
      const ask = (origin: string) => context.client.requestWithToken(token, 'get', PATH).set('Origin', origin);
      let answer = await ask(OF_OTHER_ORIGIN);
      for (let asked = 1; answer.status === 403 && asked < 100; asked++) answer = await ask(OF_OTHER_ORIGIN);
      expectError(answer, 429, 'RATE_LIMITED');
      const own = await ask(OWN).expect(429);
      expect(own.headers['access-control-allow-origin']).toBe(OWN);
      expect(Number(own.headers['retry-after'])).toBeGreaterThan(0);
    });
  });

  describe('with an API key', () => {
    it.each([OWN, OF_NOBODY, 'null'])('is rejected without effect: %s', async (origin) => {
      const name = randomUUID();
      const create = () =>
        context.client.request('post', '/v1/identities').set('Origin', origin).send({ client_identifier: name });
      expectError(await create(), 403, 'API_KEY_IN_BROWSER');
      expectError(await create().set('Lang', 'de'), 403, 'API_KEY_IN_BROWSER', {}, 'de');
      expect(await context.query('select 1 from identity where client_identifier = $1', [name])).toEqual([]);
    });

    it('is rejected even with a valid UI token, and at POST /token', async () => {
      const both = context.client.request('get', PATH).set({ 'X-TOKEN': context.token, Origin: OWN });
      expectError(await both, 403, 'API_KEY_IN_BROWSER');
      const token = context.client
        .request('post', '/token')
        .set('Origin', OWN)
        .send({ identity_uuid: context.identity });
      expectError(await token, 403, 'API_KEY_IN_BROWSER');
    });
  });

  it.each([
    ['the address of the service', () => ({ Origin: context.app.settings.publicUrl })],
    ['the requested host', () => ({ Origin: context.app.url })],
    [
      'an origin that the browser marks as the same',
      () => ({ Origin: 'https://alias.example', 'Sec-Fetch-Site': 'same-origin' }),
    ],
  ] as [string, () => Record<string, string>][])('does not include our own pages: %s', async (_, headers) => {
    const answer = await context.client
      .requestWithToken(await freshToken(), 'get', PATH)
      .set(headers())
      .expect(200);
    expect(corsHeaders(answer)).toEqual([]);
    expect(answer.headers.vary).toBe('X-API-KEY, X-TOKEN, Lang, Accept-Language, Accept-Encoding');
    await context.client.request('get', '/v1/environment').set(headers()).expect(200);
  });

  it('finds the environments of its origin with an index', async () => {
    await context.query('begin');
    await context.query('set local enable_seqscan = off');
    const rows = await context.query<{ 'QUERY PLAN': string }>(
      `explain select uuid from environment where browser_origins @> jsonb_build_array('https://a.example'::text)`,
    );
    await context.query('rollback');
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('environment_browser_origins');
  });
});
