import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { createTestClient } from '../../harness/app/test-client';
import { decodeJwt } from '../../harness/http/jwt';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';

const EVERYTHING = ['CREATE', 'UPDATE', 'DELETE', 'DISABLE', 'ENABLE', 'FETCH_NOW'];
const OF_A_CONNECTION = EVERYTHING.slice(1);

interface Session {
  readonly identity: Record<string, unknown>;
  readonly preselection: Record<string, unknown>;
  readonly [name: string]: unknown;
}

describe('GET /v1/ui/session (decisions 5)', () => {
  const context = useTestContext();
  const session = async (token: string, headers: Record<string, string> = {}) => {
    const answer = await context.client.requestWithToken(token, 'get', '/v1/ui/session').set(headers).expect(200);
    return (answer.body as { data: Session }).data;
  };
  const opened = (more: object = {}) => context.client.createToken(context.identity, more as Record<string, unknown>);

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/ui/session', accepts: ['token'] });

  it('returns the identity, permissions, appearance and lifetime of the session', async () => {
    const token = await opened();
    const { exp } = decodeJwt(token);
    const identity = await context.client.request('get', `/v1/identities/${context.identity}`).expect(200);
    expect(await session(token)).toEqual({
      identity: (identity.body as { data: unknown }).data,
      preselection: { connection_uuid: null, integration_id: null },
      allowed_actions: EVERYTHING,
      theme: { name: null, logo_url: null, primary_color: null },
      lang: 'en',
      expires_at: new Date(exp * 1000).toISOString(),
      has_return_url: true,
      client_origin: 'https://app.example.com',
      show_unavailable: false,
      reload_reference: null,
    });
  });

  it('counts only the connections of the identity', async () => {
    const identity = await context.client.createIdentity();
    await context.createConnection({ identity });
    const { identity: seen } = await session(await context.client.createToken(identity));
    expect(seen).toMatchObject({
      identity_uuid: identity,
      connections: { total: 1, active: 0, needs_attention: 1 },
    });
  });

  it('never reveals the return URL, except its origin, or a secret', async () => {
    const answer = await context.client.requestWithToken(await opened({ state: 'my-state' }), 'get', '/v1/ui/session');
    expect(answer.text).not.toMatch(/app\.example\.com\/|my-state|whsec_|df_test_/);
  });

  it('names the origin that receives results only while the environment allows it', async () => {
    const client = await createTestClient(context.app, {
      environment: { returnOrigins: ['https://app.example.com', 'http://localhost:8080'] },
    });
    const return_url = 'http://localhost:8080/back?origin=https://evil.example';
    const token = await client.createToken(await client.createIdentity(), { return_url });
    const originOf = async () =>
      (await client.requestWithToken(token, 'get', '/v1/ui/session').expect(200)).body.data.client_origin as unknown;
    expect(await originOf()).toBe('http://localhost:8080');
    await context.app.app
      .get(UpdateEnvironment, { strict: false })
      .update('test', client.environmentUuid, { returnOrigins: ['https://app.example.com'] });
    expect(await originOf()).toBeNull();
  });

  it('offers only the preselected integration', async () => {
    const { preselection, allowed_actions } = await session(await opened({ integration_id: 'imap' }));
    expect(preselection).toEqual({ connection_uuid: null, integration_id: 'imap' });
    expect(allowed_actions).toEqual(EVERYTHING);
  });

  it('offers only the preselected connection, and no creation of another', async () => {
    const uuid = await context.createConnection();
    const { preselection, allowed_actions } = await session(await opened({ connection_uuid: uuid.toUpperCase() }));
    expect(preselection).toEqual({ connection_uuid: uuid, integration_id: 'sandbox' });
    expect(allowed_actions).toEqual(OF_A_CONNECTION);
  });

  it('offers no action after the preselected connection was deleted', async () => {
    const uuid = await context.createConnection();
    const token = await opened({ connection_uuid: uuid });
    await context.client.requestWithToken(token, 'delete', `/v1/connections/${uuid}`).expect(204);
    const { preselection, allowed_actions } = await session(token);
    expect(preselection).toEqual({ connection_uuid: uuid, integration_id: null });
    expect(allowed_actions).toEqual([]);
  });

  it('lists the permitted actions; the server rejects the others', async () => {
    const token = await opened({ connection_uuid: await context.createConnection() });
    const answer = await context.client
      .requestWithToken(token, 'post', '/v1/connections')
      .send({ integration_id: 'sandbox', name: 'x', fields: { user: 'u', password: 'p' } });
    expect(answer.status).toBe(403);
  });

  it.each<[object, Record<string, string>, string]>([
    [{}, {}, 'en'],
    [{}, { Lang: 'de' }, 'de'],
    [{}, { 'Accept-Language': 'fr, de-AT;q=0.8' }, 'de'],
    [{}, { Lang: 'fr', 'Accept-Language': 'de' }, 'en'],
    [{ lang: 'de' }, {}, 'de'],
    [{ lang: 'de' }, { Lang: 'en' }, 'de'],
    [{ lang: 'en' }, { 'Accept-Language': 'de' }, 'en'],
  ])('for a token with %j and a request with %j is in %s', async (more, headers, lang) => {
    expect((await session(await opened(more), headers)).lang).toBe(lang);
  });

  it('contains the theme of the environment', async () => {
    const client = await createTestClient(context.app);
    const theme = { name: 'Acme', logo_url: 'https://app.example.com/logo.svg', primary_color: '#1f6feb' };
    await context.query('update environment set theme = $2 where uuid = $1', [client.environmentUuid, theme]);
    expect((await session(await client.createToken(await client.createIdentity()))).theme).toEqual(theme);
    await context.query(`update environment set theme = '{"name":"Acme","logo_url":""}' where uuid = $1`, [
      client.environmentUuid,
    ]);
    expect((await session(await client.createToken(await client.createIdentity()))).theme).toEqual({
      name: 'Acme',
      logo_url: null,
      primary_color: null,
    });
  });

  it('is the session of the token even when a key is sent with it', async () => {
    const answer = await context.client
      .request('get', '/v1/ui/session')
      .set('X-TOKEN', context.otherIdentityToken)
      .expect(200);
    expect((answer.body as { data: Session }).data.identity.identity_uuid).toBe(context.otherIdentity);
  });
});
