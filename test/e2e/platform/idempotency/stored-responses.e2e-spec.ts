import { randomUUID } from 'node:crypto';
import { IdempotencyKeys } from '../../../../src/platform/http/idempotency/idempotency-keys';
import { expectError } from '../../../harness/http/expect-error';
import { DAY, useIdempotency } from './use-idempotency';

describe('A replayed response (decisions 1)', () => {
  const { context, move, post, count, row, sandbox, forToken } = useIdempotency();

  describe('stored responses', () => {
    it('contains neither the body nor the response in plain text', async () => {
      const key = randomUUID();
      const secret = `hunter2-${randomUUID()}`;
      await post('/v1/connections', key, sandbox({ fields: { user: 'u', password: secret } })).expect(201);
      const other = randomUUID();
      const { body } = await post('/token', other, forToken()).expect(201);
      const dump = Buffer.concat(
        [await row(key), await row(other)].flatMap((found) =>
          Object.values(found!).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)))),
        ),
      ).toString('latin1');
      for (const text of [secret, 'Portal', body.data.token, 'app.example.com']) expect(dump).not.toContain(text);
    });

    it('of a deleted connection is not replayed, and the connection is not created again', async () => {
      const key = randomUUID();
      const { body } = await post('/v1/connections', key, sandbox()).expect(201);
      await context.client.request('delete', `/v1/connections/${body.data.uuid}`).expect(204);
      expect(await row(key)).toMatchObject({ response: null });
      const before = await count('connection');
      expectError(await post('/v1/connections', key, sandbox()), 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await count('connection')).toBe(before);
    });

    it('of a deleted identity is not replayed, nor are those of its connections and tokens', async () => {
      const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
      const { body } = await post('/v1/identities', keys[0], { client_identifier: randomUUID() }).expect(201);
      const { identity_uuid } = body.data;
      await post('/v1/connections', keys[1], sandbox({ identity_uuid })).expect(201);
      await post('/token', keys[2], forToken({ identity_uuid })).expect(201);
      await context.client.request('delete', `/v1/identities/${identity_uuid}`).expect(204);
      for (const key of keys) expect(await row(key)).toMatchObject({ response: null });
    });

    it('is deleted after 24 hours', async () => {
      const key = randomUUID();
      await post('/v1/identities', key, { client_identifier: randomUUID() }).expect(201);
      const keys = context.app.app.get(IdempotencyKeys, { strict: false });
      move(DAY - 60);
      await keys.sweep();
      expect(await row(key)).toBeDefined();
      move(61);
      await keys.sweep();
      expect(await row(key)).toBeUndefined();
    });
  });
});
