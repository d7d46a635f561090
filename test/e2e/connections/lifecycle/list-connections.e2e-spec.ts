import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

describe('GET /v1/connections (spec 4.1)', () => {
  const context = useTestContext();
  const uuids: string[] = [];
  let imap: string;

  const list = async (query = '', token = context.token) => {
    const { body } = await context.client.requestWithToken(token, 'get', `/v1/connections${query}`).expect(200);
    return body as { data: { uuid: string }[]; meta: { next_cursor: string | null; has_more: boolean } };
  };
  const shown = async (query?: string, token?: string) => (await list(query, token)).data.map(({ uuid }) => uuid);

  beforeAll(async () => {
    for (const name of ['one', 'two', 'three']) uuids.push(await context.createConnection({ name }));
    const { body } = await context.client
      .request('post', '/v1/connections/migrate')
      .send({
        integration_id: 'imap',
        name: 'Mail',
        identity_uuid: context.identity,
        fields: { host: 'imap.example.com', user: 'u', password: 'p' },
      })
      .expect(201);
    imap = body.data.uuid;
    uuids.push(imap);
    await context.createConnection({ identity: context.otherIdentity });
    await context.createConnection({ by: context.otherClient, identity: await context.otherClient.createIdentity() });
  });

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/connections', accepts: ['token'] });

  it('lists all connections of the token’s identity, oldest first, and no others', async () => {
    const page = await list();
    expect(page.data.map(({ uuid }) => uuid)).toEqual(uuids);
    expect(page.meta).toEqual({ next_cursor: null, has_more: false });
    const { body } = await context.client.request('get', `/v1/connections/${uuids[0]}`).expect(200);
    expect(page.data[0]).toEqual(body.data);
  });

  it('is empty for an identity without connections', async () => {
    const token = await context.client.createToken(await context.client.createIdentity());
    expect(await list('', token)).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it('filters by integration', async () => {
    expect(await shown('?integration=imap')).toEqual([imap]);
    expect(await shown('?integration=sandbox')).toEqual(uuids.filter((uuid) => uuid !== imap));
    expect(await shown('?integration=nothing')).toEqual([]);
  });

  it('filters by a brand and by its protocol exactly (decisions 9)', async () => {
    const identity = await context.client.createIdentity();
    const token = await context.client.createToken(identity);
    const fields = { user: 'anna@gmx.de', password: 'p' };
    const body = { integration_id: 'gmx', name: 'GMX', identity_uuid: identity, fields };
    const answer = await context.client.request('post', '/v1/connections/migrate').send(body).expect(201);
    expect(answer.body.data.integration_id).toBe('gmx');
    expect(await shown('?integration=gmx', token)).toEqual([answer.body.data.uuid]);
    expect(await shown('?integration=imap', token)).toEqual([]);
  });

  it('filters by whether a webhook is registered', async () => {
    await context.query('update connection set webhook_uuid = gen_random_uuid() where uuid = $1', [uuids[1]]);
    expect(await shown('?webhook=true')).toEqual([uuids[1]]);
    expect(await shown('?webhook=false')).toEqual(uuids.filter((uuid) => uuid !== uuids[1]));
    expect(await shown('?webhook=true&integration=imap')).toEqual([]);
  });

  it.each([1, 2, 3, 4])('returns every connection exactly once in pages of %i, also with a filter', async (limit) => {
    for (const [filter, expected] of [
      ['', uuids],
      ['&integration=sandbox', uuids.filter((uuid) => uuid !== imap)],
    ] as const) {
      const seen: string[] = [];
      let cursor = '';
      for (;;) {
        const page = await list(`?limit=${limit}${filter}${cursor}`);
        seen.push(...page.data.map(({ uuid }) => uuid));
        expect(page.data.length).toBeLessThanOrEqual(limit);
        expect(page.meta.has_more).toBe(page.meta.next_cursor !== null);
        if (!page.meta.next_cursor) break;
        cursor = `&cursor=${page.meta.next_cursor}`;
      }
      expect(seen).toEqual(expected);
    }
  });

  it('returns all connections without `limit`', async () => {
    const identity = await context.client.createIdentity();
    await context.query(
      `insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, consecutive_failures, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'sandbox', 'n', '{}', '{}', '[]', '{}', 0, now(), now()
       from generate_series(1, 501)`,
      [context.client.environmentUuid, identity],
    );
    expect(await shown('', await context.client.createToken(identity))).toHaveLength(501);
  });

  it('shows a restricted token only what it was issued for', async () => {
    const one = await context.client.createToken(context.identity, { connection_uuid: uuids[2] });
    expect(await shown('', one)).toEqual([uuids[2]]);
    const mail = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expect(await shown('', mail)).toEqual([imap]);
    expect(await shown('?integration=sandbox', mail)).toEqual([]);
  });

  it('shows the token’s connections when a key is sent too', async () => {
    const { body } = await context.client
      .requestWithToken(context.otherIdentityToken, 'get', '/v1/connections')
      .set('X-API-KEY', context.client.apiKey);
    expect(body.data).toHaveLength(1);
  });

  it.each([
    ['webhook=yes', { webhook: 'INVALID_OPTION' }],
    ['webhook=', { webhook: 'INVALID_OPTION' }],
    ['webhook=true&webhook=false', { webhook: 'INVALID_OPTION' }],
    ['integration=a&integration=b', { integration: 'INVALID_TYPE_STRING' }],
    ['integration=%00', { integration: 'INVALID_FORMAT' }],
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['cursor=x', { cursor: 'INVALID_CURSOR' }],
    ['status=ACTIVE', { status: 'UNKNOWN_PROPERTY' }],
    [
      'webhook=1&limit=x&offset=3',
      { webhook: 'INVALID_OPTION', limit: 'INVALID_TYPE_INTEGER', offset: 'UNKNOWN_PROPERTY' },
    ],
  ])('rejects ?%s', async (query, invalidFields) => {
    const ask = () => context.client.requestWithToken(context.token, 'get', `/v1/connections?${query}`);
    expectError(await ask(), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await ask().set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });
});
