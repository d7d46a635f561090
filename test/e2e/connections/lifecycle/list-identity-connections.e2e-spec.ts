import { expectError } from '../../../harness/http/expect-error';
import { itChecksIdentityAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';

interface Page {
  readonly data: { readonly uuid: string; readonly status: string }[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/identities/{identity_uuid}/connections (decisions 5)', () => {
  const context = useTestContext();
  const path = (uuid: string) => `/v1/identities/${uuid}/connections`;
  const list = async (query = '', headers: Record<string, string> = {}) =>
    (
      await context.client
        .request('get', `${path(context.identity)}${query}`)
        .set(headers)
        .expect(200)
    ).body as Page;
  const shown = async (query?: string, headers?: Record<string, string>) =>
    (await list(query, headers)).data.map(({ uuid }) => uuid);

  let pending: string, active: string, disabled: string, rejected: string, mail: string, all: string[];

  beforeAll(async () => {
    pending = await context.createConnection();
    active = await context.createActiveConnection();
    disabled = await context.createActiveConnection();
    rejected = await context.createActiveConnection();
    const { body } = await context.client
      .request('post', '/v1/connections/migrate')
      .send({
        integration_id: 'imap',
        name: 'Mail',
        identity_uuid: context.identity,
        fields: { host: 'imap.example.com', user: 'u', password: 'p' },
      })
      .expect(201);
    mail = body.data.uuid;
    all = [pending, active, disabled, rejected, mail];
    await context.query('update connection set credentials_rejected_at = now() where uuid = any($1::uuid[])', [
      [rejected, disabled],
    ]);
    await context.client.request('put', `/v1/connections/${disabled}/disable`).expect(204);
    await context.query('update connection set webhook_uuid = gen_random_uuid() where uuid = $1', [active]);
    await context.createConnection({ identity: context.otherIdentity });
    await context.createConnection({ by: context.otherClient, identity: await context.otherClient.createIdentity() });
  });

  itChecksIdentityAccess(context, { method: 'get', path, accepts: ['key'] });

  it('lists the identity’s connections, oldest first, and no others', async () => {
    const page = await list();
    expect(page.data.map(({ uuid }) => uuid)).toEqual(all);
    expect(page.meta).toEqual({ next_cursor: null, has_more: false });
    const { body } = await context.client.request('get', `/v1/connections/${active}`).expect(200);
    expect(page.data[1]).toEqual(body.data);
  });

  it('is empty for an identity without connections', async () => {
    const { body } = await context.client.request('get', path(await context.client.createIdentity())).expect(200);
    expect(body).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it('filters by status, as each connection shows it', async () => {
    const byStatus = {
      ACTIVE: [active, mail],
      PENDING: [pending],
      INVALID_CREDENTIALS: [rejected],
      DISABLED: [disabled],
    };
    for (const [status, uuids] of Object.entries(byStatus)) {
      const { data } = await list(`?status=${status}`);
      expect([status, data.map(({ uuid }) => uuid)]).toEqual([status, uuids]);
      expect(data.every((connection) => connection.status === status)).toBe(true);
    }
  });

  it('filters by integration, by whether a webhook is registered, and by all together', async () => {
    expect(await shown('?integration=imap')).toEqual([mail]);
    expect(await shown('?integration=IMAP')).toEqual([]);
    expect(await shown('?webhook=true')).toEqual([active]);
    expect(await shown('?webhook=false')).toEqual(all.filter((uuid) => uuid !== active));
    expect(await shown('?status=ACTIVE&webhook=false&integration=imap')).toEqual([mail]);
    expect(await shown('?status=DISABLED&webhook=true')).toEqual([]);
  });

  it.each([1, 2, 4, 5])('returns every connection exactly once in pages of %i, also with a filter', async (limit) => {
    for (const [filter, expected] of [
      ['', all],
      ['&status=ACTIVE', [active, mail]],
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

  it('returns pages of a hundred by default', async () => {
    const identity = await context.client.createIdentity();
    await context.query(
      `insert into connection (uuid, environment_uuid, identity_uuid, integration_id, name, settings, step2, step2_fields,
         display_values, consecutive_failures, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'sandbox', 'n', '{}', '{}', '[]', '{}', 0, now(), now()
       from generate_series(1, 101)`,
      [context.client.environmentUuid, identity],
    );
    const first = (await context.client.request('get', path(identity)).expect(200)).body as Page;
    expect([first.data.length, first.meta.has_more]).toEqual([100, true]);
    const rest = await context.client.request('get', `${path(identity)}?cursor=${first.meta.next_cursor}`).expect(200);
    expect([rest.body.data.length, rest.body.meta]).toEqual([1, { next_cursor: null, has_more: false }]);
  });

  it('shows a key with a restricted token only what the token was issued for', async () => {
    const one = await context.client.createToken(context.identity, { connection_uuid: disabled });
    expect(await shown('', { 'X-TOKEN': one })).toEqual([disabled]);
    const imap = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expect(await shown('', { 'X-TOKEN': imap })).toEqual([mail]);
    expect(await shown('', { 'X-TOKEN': context.token })).toEqual(all);
  });

  it.each([
    ['status=active', { status: 'INVALID_OPTION' }],
    ['status=ACTIVE&status=PENDING', { status: 'INVALID_OPTION' }],
    ['status=', { status: 'INVALID_OPTION' }],
    ['webhook=yes', { webhook: 'INVALID_OPTION' }],
    ['integration=a&integration=b', { integration: 'INVALID_TYPE_STRING' }],
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['cursor=x', { cursor: 'INVALID_CURSOR' }],
    [
      'status=1&limit=x&sort=name',
      { status: 'INVALID_OPTION', limit: 'INVALID_TYPE_INTEGER', sort: 'UNKNOWN_PROPERTY' },
    ],
  ])('rejects ?%s', async (query, invalidFields) => {
    for (const lang of ['en', 'de'] as const) {
      const answer = await context.client.request('get', `${path(context.identity)}?${query}`).set('Lang', lang);
      expectError(answer, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });
});
