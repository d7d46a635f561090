import type { Response, Test } from 'supertest';
import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { createTestClient, requestWithoutCredentials, type TestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { startApp, type TestApp } from '../../harness/app/start-app';

const MINUTE = 60;
const KEY = 8;
const TOKEN = 4;
const FAILURES = 3;
const PATH = '/v1/integrations';

const expectLimited = (answer: Response, lang: 'en' | 'de' = 'en'): number => {
  expectError(answer, 429, 'RATE_LIMITED', {}, lang);
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  return Number(answer.headers['retry-after']);
};

describe('the general rate limits (decisions 3)', () => {
  let one: TestApp;
  let other: TestApp;
  let client: TestClient;
  let identity: string;
  let token: string;

  const settings = { rateLimitPerKey: KEY, rateLimitPerToken: TOKEN, rateLimitFailures: FAILURES };
  beforeAll(async () => {
    one = await startApp({ settings });
    other = await startApp({ settings, databaseUrl: one.databaseUrl, clock: one.clock });
  });
  beforeEach(async () => {
    client = await createTestClient(one);
    identity = await client.createIdentity();
    token = await client.createToken(identity);
    one.clock.advance(2 * MINUTE);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
  });

  const byKey = (path = PATH, key = client.apiKey, app = one): Test =>
    requestWithoutCredentials(app, 'get', path).set('X-API-KEY', key);
  const byToken = (path = PATH, app = one): Test => requestWithoutCredentials(app, 'get', path).set('X-TOKEN', token);
  const times = async (count: number, send: () => Test, status: number) => {
    for (let i = 0; i < count; i++) expect((await send()).status).toBe(status);
  };

  it('admit the limit of requests per key, and send Retry-After', async () => {
    await times(KEY, byKey, 200);
    for (const lang of ['en', 'de'] as const) {
      const wait = expectLimited(await byKey().set('Lang', lang), lang);
      expect(wait).toBeGreaterThan(MINUTE - 10);
      expect(wait).toBeLessThanOrEqual(MINUTE + 1);
    }
  });

  it('admit the limit of requests per token', async () => {
    await times(TOKEN, byToken, 200);
    for (const lang of ['en', 'de'] as const) expectLimited(await byToken().set('Lang', lang), lang);
    token = await client.createToken(identity);
    await times(1, byToken, 200);
  });

  it('use a sliding window: a request after Retry-After is admitted, and rejected ones are not counted', async () => {
    await times(KEY / 2, byKey, 200);
    one.clock.advance(MINUTE / 2);
    await times(KEY / 2, byKey, 200);
    await times(KEY, byKey, 429);
    const wait = expectLimited(await byKey());
    expect(wait).toBeLessThanOrEqual(MINUTE / 2 + 1);
    one.clock.advance(wait);
    await times(1, byKey, 200);
    // The first half was sent over several seconds.
    one.clock.advance(MINUTE / 4);
    await times(KEY / 2 - 1, byKey, 200);
    expectLimited(await byKey());
  });

  it('count all routes together, regardless of the response', async () => {
    await times(2, () => byKey('/v1/identities'), 200);
    await times(2, () => byKey('/v1/connections/nobody'), 422);
    await times(2, () => byKey('/v1/connections'), 401); // a valid key at a route that only accepts tokens
    await times(KEY - 4, byKey, 200);
    for (const path of [PATH, '/v1/identities', '/v1/connections/nobody']) expectLimited(await byKey(path));
  });

  it('are separate for each key and each environment', async () => {
    const { key } = await one.app.get(ManageKeys, { strict: false }).issue('test', client.environmentUuid, null);
    await times(KEY, byKey, 200);
    expectLimited(await byKey());
    expect((await byKey(PATH, key)).status).toBe(200);
    expect((await byKey(PATH, (await createTestClient(one)).apiKey)).status).toBe(200);
    expect((await byToken()).status).toBe(200);
  });

  it('count both credentials when both are sent', async () => {
    await times(TOKEN, () => byKey().set('X-TOKEN', token), 200);
    expectLimited(await byKey().set('X-TOKEN', token));
    expectLimited(await byToken());
    await times(KEY - TOKEN, byKey, 200);
    expectLimited(await byKey());
  });

  it('are checked after authentication: 401 comes first', async () => {
    await times(KEY, byKey, 200);
    const bad = await byKey().set('X-TOKEN', 'letmein');
    expectError(bad, 401, 'INVALID_TOKEN');
    expectLimited(await byKey('/v1/connections/not-a-uuid'));
    expectLimited(
      await requestWithoutCredentials(one, 'post', '/v1/identities').set('X-API-KEY', client.apiKey).send('{"'),
    );
  });

  it('are shared by all instances', async () => {
    await times(KEY / 2, () => byKey(PATH, client.apiKey, one), 200);
    await times(KEY / 2, () => byKey(PATH, client.apiKey, other), 200);
    expectLimited(await byKey(PATH, client.apiKey, one));
    expectLimited(await byKey(PATH, client.apiKey, other));
  });

  it('admit exactly the limit of concurrent requests at two instances', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 * KEY }, (_, i) => byKey(PATH, client.apiKey, i % 2 ? one : other)),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(KEY);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectLimited(answer);
  });

  it('do not apply to health, documentation and unknown paths', async () => {
    await times(KEY, byKey, 200);
    expectLimited(await byKey());
    for (const path of ['/health/live', '/health/ready', '/docs/errors', '/openapi.json']) {
      await times(2 * KEY, () => byKey(path), 200);
    }
    await times(2 * KEY, () => byKey('/nowhere'), 404);
  });

  describe('of failed authentications', () => {
    const bad = (headers: Record<string, string> = { 'X-API-KEY': `df_test_${'A'.repeat(43)}` }, app = one): Test =>
      requestWithoutCredentials(app, 'get', PATH).set(headers);

    it('answer 429 instead of 401 after too many failures from an address', async () => {
      await times(FAILURES, bad, 401);
      for (const lang of ['en', 'de'] as const) expectLimited(await bad().set('Lang', lang), lang);
      expectLimited(await bad({ 'X-TOKEN': 'letmein' }));
      expectLimited(await bad({ 'X-API-KEY': 'letmein' }, other));
      one.clock.advance(expectLimited(await bad()));
      expect((await bad()).status).toBe(401);
    });

    it('never lock out valid credentials', async () => {
      await times(FAILURES, bad, 401);
      expectLimited(await bad());
      await times(2, byKey, 200);
      await times(2, byToken, 200);
    });

    it('do not count missing credentials or an expired token', async () => {
      const old = await client.createToken(identity);
      one.clock.advance(1801);
      await times(2 * FAILURES, () => requestWithoutCredentials(one, 'get', PATH), 401);
      await times(2 * FAILURES, () => bad({ 'X-TOKEN': old }), 401);
      await times(FAILURES, bad, 401);
      expectLimited(await bad());
    });

    it('count references of sessions that cannot be restored', async () => {
      const restore = () =>
        requestWithoutCredentials(one, 'post', '/v1/ui/session/restore').send({ reference: `${identity}.AAAA` });
      await times(FAILURES, restore, 401);
      for (const lang of ['en', 'de'] as const) expectLimited(await restore().set('Lang', lang), lang);
      expectLimited(await bad());
    });

    it('ignore X-Forwarded-For unless configured to trust it', async () => {
      for (let i = 0; i < FAILURES; i++) {
        expect((await bad().set('X-Forwarded-For', `203.0.113.${i}`)).status).toBe(401);
      }
      expectLimited(await bad().set('X-Forwarded-For', '203.0.113.99'));
    });

    it('count by the address from a trusted proxy, and an IPv6 network as one address', async () => {
      // The clock of the others: they delete what is a minute old by their own.
      const trusting = { ...settings, trustProxy: 1 };
      const behind = await startApp({ settings: trusting, databaseUrl: one.databaseUrl, clock: one.clock });
      try {
        const from = (address: string) => bad(undefined, behind).set('X-Forwarded-For', address);
        await times(FAILURES, () => from('203.0.113.7'), 401);
        expectLimited(await from('203.0.113.7'));
        expectLimited(await from('198.51.100.1, 203.0.113.7')); // an address claimed by the client is ignored
        expect((await from('203.0.113.8')).status).toBe(401);
        for (let i = 0; i < FAILURES; i++) expect((await from(`2001:db8:0:1::${i + 1}`)).status).toBe(401);
        expectLimited(await from('2001:db8:0:1:ffff::9'));
        expect((await from('2001:db8:0:2::1')).status).toBe(401);

        // The addresses of a key are compared with the same one, and refused requests count as failures.
        const limits = { allowedIps: ['192.0.2.0/24', '2001:db8:9::/48'] };
        const keys = one.app.get(ManageKeys, { strict: false });
        const { key } = await keys.issue('test', client.environmentUuid, null, limits);
        const limited = (address: string) => bad({ 'X-API-KEY': key }, behind).set('X-Forwarded-For', address);
        for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '203.0.113.1, 192.0.2.7', '2001:db8:9:1::1']) {
          expect([address, (await limited(address)).status]).toEqual([address, 200]);
        }
        await times(FAILURES, () => limited('192.0.2.7, 198.51.100.2'), 403);
        expectLimited(await limited('198.51.100.2'));
        expect((await limited('192.0.2.7')).status).toBe(200);
      } finally {
        await behind.stop();
      }
    });
  });

  it('do not delay the rejection of a revoked key or a token of a deleted identity', async () => {
    const keys = one.app.get(ManageKeys, { strict: false });
    const { key, record } = await keys.issue('test', client.environmentUuid, null);
    expect((await byKey(PATH, key)).status).toBe(200);
    await keys.revoke('test', record.uuid);
    expectError(await byKey(PATH, key), 401, 'INVALID_API_KEY');
    expectError(await byKey(PATH, key, other), 401, 'INVALID_API_KEY');
  });
});
