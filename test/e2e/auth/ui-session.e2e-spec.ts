import { aClient } from '../../harness/app/test-client';
import { decodeJwt } from '../../harness/http/jwt';
import { itAuthenticates } from '../../harness/http/refusal-tests';
import { useStage } from '../../harness/app/test-context';

const EVERYTHING = ['CREATE', 'UPDATE', 'DELETE', 'DISABLE', 'ENABLE', 'FETCH_NOW'];
const OF_A_CONNECTION = EVERYTHING.slice(1);

interface Session {
  readonly identity: Record<string, unknown>;
  readonly preselection: Record<string, unknown>;
  readonly [name: string]: unknown;
}

describe('GET /v1/ui/session (decisions 5)', () => {
  const stage = useStage();
  const session = async (token: string, headers: Record<string, string> = {}) => {
    const answer = await stage.client.callWithToken(token, 'get', '/v1/ui/session').set(headers).expect(200);
    return (answer.body as { data: Session }).data;
  };
  const opened = (more: object = {}) => stage.client.token(stage.identity, more as Record<string, unknown>);

  itAuthenticates(stage, { method: 'get', path: () => '/v1/ui/session', accepts: ['token'] });

  it('answers whose session it is, what may be done, how it looks and how long it lasts', async () => {
    const token = await opened();
    const { exp } = decodeJwt(token);
    const identity = await stage.client.call('get', `/v1/identities/${stage.identity}`).expect(200);
    expect(await session(token)).toEqual({
      identity: (identity.body as { data: unknown }).data,
      preselection: { connection_uuid: null, integration_id: null },
      allowed_actions: EVERYTHING,
      theme: { name: null, logo_url: null, primary_color: null },
      lang: 'en',
      expires_at: new Date(exp * 1000).toISOString(),
      has_return_url: true,
    });
  });

  it('counts the connections of the identity, and nobody else’s', async () => {
    const identity = await stage.client.identity();
    await stage.connection({ identity });
    const { identity: seen } = await session(await stage.client.token(identity));
    expect(seen).toMatchObject({
      identity_uuid: identity,
      connections: { total: 1, active: 0, needs_attention: 1 },
    });
  });

  it('never tells where the user goes afterwards, nor a secret', async () => {
    const answer = await stage.client.callWithToken(await opened({ state: 'my-state' }), 'get', '/v1/ui/session');
    expect(answer.text).not.toMatch(/app\.example\.com|my-state|whsec_|df_test_/);
  });

  it('takes a preselected integration for the only one', async () => {
    const { preselection, allowed_actions } = await session(await opened({ integration_id: 'imap' }));
    expect(preselection).toEqual({ connection_uuid: null, integration_id: 'imap' });
    expect(allowed_actions).toEqual(EVERYTHING);
  });

  it('takes a preselected connection for the only one: another cannot be created', async () => {
    const uuid = await stage.connection();
    const { preselection, allowed_actions } = await session(await opened({ connection_uuid: uuid.toUpperCase() }));
    expect(preselection).toEqual({ connection_uuid: uuid, integration_id: 'sandbox' });
    expect(allowed_actions).toEqual(OF_A_CONNECTION);
  });

  it('allows nothing once the preselected connection has been deleted', async () => {
    const uuid = await stage.connection();
    const token = await opened({ connection_uuid: uuid });
    await stage.client.callWithToken(token, 'delete', `/v1/connections/${uuid}`).expect(204);
    const { preselection, allowed_actions } = await session(token);
    expect(preselection).toEqual({ connection_uuid: uuid, integration_id: null });
    expect(allowed_actions).toEqual([]);
  });

  it('says what the server does: an action that is not listed is refused', async () => {
    const token = await opened({ connection_uuid: await stage.connection() });
    const answer = await stage.client
      .callWithToken(token, 'post', '/v1/connections')
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
  ])('of a token with %j, asked with %j, is in %s', async (more, headers, lang) => {
    expect((await session(await opened(more), headers)).lang).toBe(lang);
  });

  it('shows the theme of the environment', async () => {
    const client = await aClient(stage.app);
    const theme = { name: 'Acme', logo_url: 'https://app.example.com/logo.svg', primary_color: '#1f6feb' };
    await stage.query('update environment set theme = $2 where uuid = $1', [client.environmentUuid, theme]);
    expect((await session(await client.token(await client.identity()))).theme).toEqual(theme);
    await stage.query(`update environment set theme = '{"name":"Acme","logo_url":""}' where uuid = $1`, [
      client.environmentUuid,
    ]);
    expect((await session(await client.token(await client.identity()))).theme).toEqual({
      name: 'Acme',
      logo_url: null,
      primary_color: null,
    });
  });

  it('is the token’s, also when a key is sent beside it', async () => {
    const answer = await stage.client.call('get', '/v1/ui/session').set('X-TOKEN', stage.siblingToken).expect(200);
    expect((answer.body as { data: Session }).data.identity.identity_uuid).toBe(stage.sibling);
  });
});
