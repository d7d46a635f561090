import { randomUUID } from 'node:crypto';
import { ManageKeys } from '../../../../src/auth/keys/manage-keys';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';
import { DAY, useIdempotency } from './use-idempotency';

describe('A request with an Idempotency-Key (decisions 1)', () => {
  const { context, move, post, row, sandbox, fetchNow } = useIdempotency();

  describe('the same request', () => {
    it('is compared by content, not by member order or white space', async () => {
      const key = randomUUID();
      const first = await post('/v1/connections', key, sandbox()).expect(201);
      const reversed = Object.fromEntries(Object.entries(sandbox()).reverse());
      const again = await context.client
        .request('post', '/v1/connections')
        .set('Idempotency-Key', key)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(reversed, null, 4))
        .expect(201);
      expect(again.body).toEqual(first.body);
    });

    it('includes its query string', async () => {
      const [key, one, other] = [randomUUID(), await fetchNow(), await fetchNow()];
      await post(one, key).expect(202);
      expectError(await post(other, key), 422, 'IDEMPOTENCY_KEY_REUSED');
      expectError(await post('/v1/identities', key), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('differs for another environment, identity or kind of credential', async () => {
      const key = randomUUID();
      const address = await fetchNow();
      const ofOtherIdentity = `/v1/connections/${await context.createConnection({ identity: context.otherIdentity })}/fetch-now`;
      const byKey = await post(address, key).expect(202);
      const byToken = await context.client.requestWithToken(context.token, 'post', address).set('Idempotency-Key', key);
      expect([byToken.status, byToken.headers['idempotent-replayed']]).toEqual([202, undefined]);
      expect(byToken.body.uuid).not.toBe(byKey.body.uuid);
      const withBoth = await post(address, key).set('X-TOKEN', context.token).expect(202);
      expect(withBoth.body).toEqual(byToken.body);
      const otherIdentity = await context.client
        .requestWithToken(context.otherIdentityToken, 'post', ofOtherIdentity)
        .set('Idempotency-Key', key);
      expectError(otherIdentity, 422, 'CONNECTION_NOT_ACTIVE');
      const body = { client_identifier: 'otherClient' };
      await context.otherClient.request('post', '/v1/identities').set('Idempotency-Key', key).send(body).expect(201);
    });

    it('of two keys of one environment is the same, so that keys can be rotated', async () => {
      const keys = context.app.app.get(ManageKeys, { strict: false });
      const successor = await keys.issue('test', context.client.environmentUuid, null);
      const [key, address] = [randomUUID(), await fetchNow()];
      const first = await post(address, key).expect(202);
      const again = await requestWithoutCredentials(context.app, 'post', address)
        .set({ 'X-API-KEY': successor.key, 'Idempotency-Key': key })
        .expect(202);
      expect(again.body).toEqual(first.body);
    });

    it('is a new one after 24 hours', async () => {
      const key = randomUUID();
      const first = await post('/v1/connections', key, sandbox()).expect(201);
      move(DAY + 1);
      const later = await post('/v1/connections', key, sandbox({ name: 'Another' })).expect(201);
      expect(later.body.data.uuid).not.toBe(first.body.data.uuid);
      move(60);
      expect((await post('/v1/connections', key, sandbox({ name: 'Another' })).expect(201)).body).toEqual(later.body);
    });
  });

  it('is checked after the guards: 401, 403 and 404 come first and are never stored', async () => {
    const [key, address] = [randomUUID(), await fetchNow()];
    const ofOtherClient = `/v1/connections/${randomUUID()}/fetch-now`;
    expectError(
      await requestWithoutCredentials(context.app, 'post', address).set('Idempotency-Key', ' '),
      401,
      'MISSING_CREDENTIALS',
    );
    expectError(await post(ofOtherClient, 'a b'), 404, 'CONNECTION_NOT_FOUND');
    expectError(await post('/v1/connections/x/fetch-now', 'a b'), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' });
    expectError(await post(ofOtherClient, key), 404, 'CONNECTION_NOT_FOUND');
    const foreign = await context.otherClient.request('post', address).set('Idempotency-Key', key);
    expectError(foreign, 403, 'NOT_YOUR_CONNECTION');
    await post(address, key).expect(202);
    expectError(
      await context.otherClient.request('post', address).set('Idempotency-Key', key),
      403,
      'NOT_YOUR_CONNECTION',
    );
    expectError(
      await requestWithoutCredentials(context.app, 'post', address).set('Idempotency-Key', key),
      401,
      'MISSING_CREDENTIALS',
    );
  });

  describe('an error', () => {
    it('releases the key, so that the same request is evaluated again and its success is stored', async () => {
      const [key, address] = [randomUUID(), await fetchNow()];
      const connection = address.split('/')[3];
      const setNextFetch = (seconds: number) =>
        context.query('update connection set next_fetch_at = $2 where uuid = $1', [
          connection,
          context.app.clock.in(seconds),
        ]);
      await setNextFetch(30);
      const first = await post(address, key);
      expectError(first, 409, 'SCHEDULED_FETCH_DUE');
      expect(first.headers).toHaveProperty('retry-after');
      const again = await post(address, key).set('Lang', 'de');
      expectError(again, 409, 'SCHEDULED_FETCH_DUE', {}, 'de');
      expect(again.headers).toHaveProperty('retry-after');
      expect(again.headers).not.toHaveProperty('idempotent-replayed');
      await setNextFetch(DAY);
      const accepted = await post(address, key).expect(202);
      expect(accepted.headers).not.toHaveProperty('idempotent-replayed');
      expect((await post(address, key).expect(202)).body).toEqual(accepted.body);
    });

    it.each([422, 429, 500] as const)('with %i leaves no stored response', async (status) => {
      const [key, address] = [randomUUID(), await fetchNow()];
      if (status === 422) await context.query('update connection set disabled_at = now()');
      if (status === 429) for (let i = 0; i < 5; i++) await post(address, randomUUID()).expect(202);
      if (status === 500) await context.query('alter table "fetch" rename to fetch_moved');
      try {
        expect((await post(address, key)).status).toBe(status);
        expect(await row(key)).toBeUndefined();
      } finally {
        if (status === 422) await context.query('update connection set disabled_at = null');
        if (status === 500) await context.query('alter table fetch_moved rename to "fetch"');
      }
      move(3601);
      const accepted = await post(address, key).expect(202);
      expect(accepted.headers).not.toHaveProperty('idempotent-replayed');
    });

    it('of invalid input releases the key for another body', async () => {
      const key = randomUUID();
      expectError(await post('/v1/identities', key), 422, 'MISSING_REQUIRED_FIELDS', { client_identifier: 'REQUIRED' });
      await post('/v1/identities', key, { client_identifier: randomUUID() }).expect(201);
    });

    it('of an unreadable body does not claim the key', async () => {
      const [key, body] = [randomUUID(), { client_identifier: randomUUID() }];
      const malformed = () =>
        context.client
          .request('post', '/v1/identities')
          .set({ 'Idempotency-Key': key, 'Content-Type': 'application/json' })
          .send('{"');
      expectError(await malformed(), 422, 'MALFORMED_JSON');
      const first = await post('/v1/identities', key, body).expect(201);
      expectError(await malformed(), 422, 'MALFORMED_JSON');
      expect((await post('/v1/identities', key, body).expect(201)).text).toBe(first.text);
    });
  });
});
