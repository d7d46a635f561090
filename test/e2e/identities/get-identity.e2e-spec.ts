import { randomUUID } from 'node:crypto';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

describe('GET /v1/identities/{identity_uuid} (decisions 5)', () => {
  const context = useSharedContext();
  const path = (uuid: string) => `/v1/identities/${uuid}`;
  const byKey = (uuid: string) => context.client.request('get', path(uuid));
  const byToken = (uuid: string) => context.client.requestWithToken(context.token, 'get', path(uuid));

  itRequiresAuthentication(context, { method: 'get', path: () => path(context.identity), accepts: ['key', 'token'] });

  it('returns the same identity to the key and to its own token', async () => {
    const { body } = await byKey(context.identity).expect(200);
    expect(body.data).toMatchObject({ identity_uuid: context.identity, client_identifier: 'identity' });
    expect((await byToken(context.identity).expect(200)).body).toEqual(body);
    expect((await byKey(context.identity.toUpperCase()).expect(200)).body).toEqual(body);
  });

  it('counts its connections by the required action', async () => {
    const before = (await byKey(context.identity)).body.data.connections;
    expect(before).toEqual({ total: 0, active: 0, needs_attention: 0 });
    await context.createConnection();
    await context.createActiveConnection();
    const disabled = await context.createActiveConnection();
    await context.client.request('put', `/v1/connections/${disabled}/disable`).expect(204);
    await context.createConnection({ identity: context.otherIdentity });
    const { body } = await byKey(context.identity).expect(200);
    expect(body.data.connections).toEqual({ total: 3, active: 1, needs_attention: 1 });
  });

  it.each([
    ['key', byKey],
    ['token', byToken],
  ])('answers an error for an inaccessible identity to a %s', async (_, get) => {
    const fault = { identity_uuid: 'INVALID_UUID' };
    expectError(await get('nobody'), 422, 'VALIDATION_FAILED', fault);
    expectError(await get('nobody').set('Lang', 'de'), 422, 'VALIDATION_FAILED', fault, 'de');
    expectError(await get(randomUUID()), 404, 'IDENTITY_NOT_FOUND');
    expectError(await get(randomUUID()).set('Lang', 'de'), 404, 'IDENTITY_NOT_FOUND', {}, 'de');
    const foreign = await context.otherClient.createIdentity();
    expectError(await get(foreign), 403, 'NOT_YOUR_IDENTITY');
    expectError(await get(foreign).set('Lang', 'de'), 403, 'NOT_YOUR_IDENTITY', {}, 'de');
  });

  it('rejects a token for another identity of its environment, also when sent with the key', async () => {
    expectError(await byToken(context.otherIdentity), 403, 'NOT_YOUR_IDENTITY');
    expectError(await byKey(context.otherIdentity).set('X-TOKEN', context.token), 403, 'NOT_YOUR_IDENTITY');
  });
});
