import { ManageKeys } from '../../../src/auth/keys/manage-keys';
import { requestWithoutCredentials } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itChecksIdentityAccess } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';
import { startApp, type TestApp } from '../../harness/app/start-app';

const sessionsOf = (identity: string) => `/v1/identities/${identity}/sessions`;

describe('revocation of UI tokens (decisions 3)', () => {
  const context = useSharedContext();
  let other: TestApp;
  beforeAll(async () => {
    const { databaseUrl, clock } = context.app;
    other = await startApp({ databaseUrl, clock });
  });
  afterAll(() => other?.stop());

  const ask = (app: TestApp, token: string) =>
    requestWithoutCredentials(app, 'get', '/v1/ui/session').set('X-TOKEN', token);
  /** Lets both processes verify the token and cache the valid signature. */
  const goodOnBoth = async (token: string) => {
    for (const app of [context.app, other]) await ask(app, token).expect(200);
  };
  const refusedOnBoth = async (token: string) => {
    for (const app of [other, context.app]) {
      expectError(await ask(app, token), 401, 'INVALID_TOKEN');
      expectError(await ask(app, token).set('Lang', 'de'), 401, 'INVALID_TOKEN', {}, 'de');
    }
  };

  describe('DELETE /v1/identities/{identity_uuid}/sessions', () => {
    itChecksIdentityAccess(context, { method: 'delete', path: sessionsOf, accepts: ['key'] });

    it('revokes every token of the identity immediately in every process, and of no other identity', async () => {
      const identity = await context.client.createIdentity();
      const tokens = [await context.client.createToken(identity), await context.client.createToken(identity)];
      for (const token of tokens) await goodOnBoth(token);
      await context.client.request('delete', sessionsOf(identity)).expect(204, '');
      for (const token of tokens) await refusedOnBoth(token);
      await goodOnBoth(context.token);
      await goodOnBoth(context.otherIdentityToken);
    });

    it('permits a new token to be issued in the same second', async () => {
      const identity = await context.client.createIdentity();
      const before = await context.client.createToken(identity);
      await context.client.request('delete', sessionsOf(identity)).expect(204);
      await goodOnBoth(await context.client.createToken(identity));
      await refusedOnBoth(before);
    });

    it('can be repeated, and is recorded in the audit log', async () => {
      const identity = await context.client.createIdentity();
      for (let times = 0; times < 2; times++) await context.client.request('delete', sessionsOf(identity)).expect(204);
      const rows = await context.query('select actor from audit_log where subject_uuid = $1 and action = $2', [
        identity,
        'identity.end-sessions',
      ]);
      expect(rows).toEqual([{ actor: expect.stringMatching(/^key:/) }, { actor: expect.stringMatching(/^key:/) }]);
    });

    it('is rejected for a key that is sent with a restricted token of the identity', async () => {
      const token = await context.client.createToken(context.identity, { integration_id: 'imap' });
      const answer = await context.client.request('delete', sessionsOf(context.identity)).set('X-TOKEN', token);
      expectError(answer, 403, 'NOT_ALLOWED_BY_TOKEN');
    });
  });

  it('takes effect when the key that issued them is revoked, immediately in every process', async () => {
    const keys = context.app.app.get(ManageKeys, { strict: false });
    const { key, record } = await keys.issue('test', context.client.environmentUuid, null);
    const body = { identity_uuid: context.identity, return_url: 'https://app.example.com/back' };
    const answer = await requestWithoutCredentials(context.app, 'post', '/token')
      .set('X-API-KEY', key)
      .send(body)
      .expect(201);
    const { token } = (answer.body as { data: { token: string } }).data;
    await goodOnBoth(token);
    await keys.revoke('test', record.uuid);
    await refusedOnBoth(token);
    await goodOnBoth(context.token); // issued by another key of the same environment
  });

  it('takes effect when the identity is deleted, immediately in every process', async () => {
    const identity = await context.client.createIdentity();
    const token = await context.client.createToken(identity);
    await goodOnBoth(token);
    await context.client.request('delete', `/v1/identities/${identity}`).expect(204);
    await refusedOnBoth(token);
  });
});
