import { randomUUID } from 'node:crypto';
import { expectError } from '../../../harness/http/expect-error';
import { type Body, DAY, useIdempotency } from './use-idempotency';

interface Route {
  readonly name: string;
  readonly path: () => Promise<string> | string;
  readonly body: () => Body;
  readonly status: number;
  /** SQL that counts the created rows. */
  readonly made?: string;
}

describe('Idempotency-Key (decisions 1)', () => {
  const { move, post, count, sandbox, forToken, fetchNow } = useIdempotency();

  const identityNames = Array.from({ length: 20 }, () => randomUUID());
  const routes: Route[] = [
    {
      name: 'POST /v1/identities',
      path: () => '/v1/identities',
      body: () => ({ client_identifier: identityNames.pop() }),
      status: 201,
      made: 'identity',
    },
    {
      name: 'POST /v1/connections',
      path: () => '/v1/connections',
      body: sandbox,
      status: 201,
      made: 'connection',
    },
    {
      name: 'POST /v1/connections/migrate',
      path: () => '/v1/connections/migrate',
      body: sandbox,
      status: 201,
      made: 'connection',
    },
    { name: 'POST /token', path: () => '/token', body: forToken, status: 201 },
    { name: 'POST /v1/token', path: () => '/v1/token', body: forToken, status: 201 },
    {
      name: 'POST /v1/webhooks',
      path: () => '/v1/webhooks',
      body: (more: Body = {}) => ({ url: 'https://client.example/', ...more }),
      status: 201,
      made: 'webhook',
    },
    { name: 'fetch-now', path: fetchNow, body: () => ({}), status: 202, made: `"fetch" where trigger = 'MANUAL'` },
  ];

  describe.each(routes)('$name', ({ path, body, status, made }) => {
    it('replays the response without repeating the work', async () => {
      const [address, key, content] = [await path(), randomUUID(), body()];
      const first = await post(address, key, content).expect(status);
      expect(first.headers).not.toHaveProperty('idempotent-replayed');
      const before = made && (await count(made));
      for (const at of [0, DAY - 60]) {
        move(at);
        const again = await post(address, key, content);
        expect(again.status).toBe(status);
        expect(again.text).toBe(first.text);
        expect(again.headers['content-type']).toBe(first.headers['content-type']);
        expect(again.headers['idempotent-replayed']).toBe('true');
        expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      }
      if (made) expect(await count(made)).toBe(before);
    });

    it('rejects the key for another body', async () => {
      const [address, key, content] = [await path(), randomUUID(), body()];
      await post(address, key, content).expect(status);
      for (const lang of ['en', 'de'] as const) {
        const other = await post(address, key, { ...content, more: 1 }).set('Lang', lang);
        expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED', {}, lang);
        expect(other.headers).not.toHaveProperty('idempotent-replayed');
      }
    });

    it.each([
      ['empty', ''],
      ['too long', 'x'.repeat(256)],
      ['with a space', 'a b'],
      ['beyond ASCII', 'schlüssel'],
      ['with a tab', 'tab\there'],
    ])('rejects a malformed key: %s', async (_, key) => {
      const address = await path();
      for (const lang of ['en', 'de'] as const) {
        const answer = await post(address, key, body()).set('Lang', lang);
        expectError(answer, 422, 'VALIDATION_FAILED', { 'Idempotency-Key': 'INVALID_IDEMPOTENCY_KEY' }, lang);
      }
    });

    it('accepts a key of maximum length and one with special characters', async () => {
      await post(await path(), 'x'.repeat(255), body());
      const [address, key, content] = [await path(), `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~${randomUUID()}`, body()];
      const first = await post(address, key, content).expect(status);
      expect((await post(address, key, content).expect(status)).text).toBe(first.text);
    });
  });

  it('does not count a replayed fetch-now against the quota', async () => {
    const [key, address] = [randomUUID(), await fetchNow()];
    const { body } = await post(address, key).expect(202);
    for (let i = 0; i < 8; i++) expect((await post(address, key).expect(202)).body).toEqual(body);
    for (let i = 0; i < 4; i++) await post(address, randomUUID()).expect(202);
    expectError(await post(address, randomUUID()), 429, 'FETCH_QUOTA_EXCEEDED');
    expect((await post(address, key).expect(202)).body).toEqual(body);
  });
});
