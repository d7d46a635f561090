import { createTestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';

interface Row {
  readonly transaction_uuid: string;
  readonly connection_uuid: string;
  readonly document_type: string;
}

interface Feed {
  readonly data: Row[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean; readonly poll_cursor: string };
}

describe('GET /v1/transactions (decisions 4 and 5)', () => {
  const context = useTestContext({ role: 'all' });
  let own: string;
  let ofOtherIdentity: string;

  const list = async (query = '', headers: Record<string, string> = {}): Promise<Feed> =>
    (await context.client.request('get', `/v1/transactions${query}`).set(headers).expect(200)).body as Feed;
  const byToken = async (token: string, query = ''): Promise<Feed> =>
    (await context.client.requestWithToken(token, 'get', `/v1/transactions${query}`).expect(200)).body as Feed;
  const connections = ({ data }: Feed) => [...new Set(data.map((row) => row.connection_uuid))];
  const uuids = ({ data }: Feed) => data.map((row) => row.transaction_uuid);

  beforeAll(async () => {
    own = await connectionWithDocuments(context, { documents: 5 });
    ofOtherIdentity = await connectionWithDocuments(
      context,
      { user: 'v', documents: 2 },
      { uuid: context.otherIdentity, token: context.otherIdentityToken },
    );
  });

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/transactions', accepts: ['key', 'token'] });

  it('shows each document with all its data', async () => {
    const { data } = await list(`?connection_uuid=${own}&limit=1`);
    expect(data).toEqual([
      {
        transaction_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        connection_uuid: own,
        identity_uuid: context.identity,
        client_identifier: 'identity',
        integration_id: 'sandbox',
        fetch_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        document_type: 'invoice',
        external_id: expect.stringMatching(/^SBX-/),
        document: {
          filename: expect.stringMatching(/^RE-2025-\d+\.pdf$/),
          mime_type: 'application/pdf',
          size: 50 * 1024,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          available_until: expect.stringMatching(/Z$/),
        },
        metadata: expect.objectContaining({ currency: 'EUR', date: expect.stringMatching(/^2025-12-\d\d$/) }),
        renditions: [],
        provisioning: {
          strategy: 'POLLING',
          status: 'AVAILABLE',
          attempts: 0,
          last_attempt_at: null,
          next_attempt_at: null,
          last_error: null,
        },
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('shows all transactions of the environment to a key, and those of its identity to a token', async () => {
    expect(connections(await list())).toEqual(expect.arrayContaining([own, ofOtherIdentity]));
    expect(connections(await byToken(context.token))).toEqual([own]);
    expect(connections(await byToken(context.otherIdentityToken))).toEqual([ofOtherIdentity]);
    expect(connections(await list('', { 'X-TOKEN': context.otherIdentityToken }))).toEqual([ofOtherIdentity]);
    expect((await context.otherClient.request('get', '/v1/transactions').expect(200)).body.data).toEqual([]);
  });

  it('shows only the transactions in the scope of a restricted token', async () => {
    const edit = await context.client.createToken(context.identity, {
      connection_uuid: await context.createConnection(),
    });
    expect((await byToken(edit)).data).toEqual([]);
    const mail = await context.client.createToken(context.identity, { integration_id: 'imap' });
    expect((await byToken(mail)).data).toEqual([]);
    const sandbox = await context.client.createToken(context.identity, { integration_id: 'sandbox' });
    expect(connections(await byToken(sandbox))).toEqual([own]);
  });

  it('filters', async () => {
    expect(connections(await list(`?identity_uuid=${context.otherIdentity}`))).toEqual([ofOtherIdentity]);
    expect(connections(await list(`?identity_uuid=${context.otherIdentity.toUpperCase()}`))).toEqual([ofOtherIdentity]);
    expect(connections(await list(`?connection_uuid=${own}`))).toEqual([own]);
    expect(connections(await byToken(context.token, `?connection_uuid=${ofOtherIdentity}`))).toEqual([]);
    const types = ({ data }: Feed) => [...new Set(data.map((row) => row.document_type))];
    expect(types(await list('?document_type=credit_note'))).toEqual(['credit_note']);
    expect(types(await list('?document_type=contract'))).toEqual([]);
    const all = uuids(await list());
    expect(uuids(await list('?status=AVAILABLE'))).toEqual(all);
    expect(uuids(await list('?status=DELIVERED'))).toEqual([]);
    expect(uuids(await list('?created_from=2020-01-01'))).toEqual(all);
    expect(uuids(await list('?created_from=2020-01-01T00:00:00%2B01:00'))).toEqual(all);
    expect(uuids(await list('?created_from=2999-01-01T00:00:00Z'))).toEqual([]);
    expect(uuids(await list('?created_to=2999-01-01'))).toEqual(all);
    expect(uuids(await list('?created_to=2020-01-01'))).toEqual([]);
  });

  it('filters by the id in the source, which may occur in several connections', async () => {
    const { data } = await list();
    const [one] = data as (Row & { external_id: string })[];
    const found = await list(`?external_id=${encodeURIComponent(one!.external_id)}`);
    expect(uuids(found)).toContain(one!.transaction_uuid);
    expect(new Set((found.data as (Row & { external_id: string })[]).map(({ external_id }) => external_id))).toEqual(
      new Set([one!.external_id]),
    );
    expect(uuids(await list(`?external_id=${one!.external_id}&connection_uuid=${one!.connection_uuid}`))).toEqual([
      one!.transaction_uuid,
    ]);
    expect(uuids(await list('?external_id=SBX-unknown'))).toEqual([]);
  });

  it('divides time into periods without overlap', async () => {
    const all = uuids(await list());
    const rows = await context.query<{ at: string }>('select distinct created_at as at from transaction order by at');
    const middle = new Date(rows.at(-1)!.at).toISOString();
    const before = uuids(await list(`?created_to=${middle}`));
    const after = uuids(await list(`?created_from=${middle}`));
    expect([...before, ...after].toSorted()).toEqual(all.toSorted());
    expect(before.length).toBeGreaterThan(0);
    expect(after.length).toBeGreaterThan(0);
  });

  it.each([1, 2, 3, 7, 500])('shows everything exactly once in pages of %i, and then waits', async (limit) => {
    const all = uuids(await list());
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await list(`?limit=${limit}${cursor}`);
      seen.push(...uuids(page));
      cursor = `&cursor=${page.meta.poll_cursor}`;
      expect(page.meta.next_cursor).toBe(page.meta.has_more ? page.meta.poll_cursor : null);
      if (!page.meta.has_more) break;
      expect(page.data).toHaveLength(limit);
    }
    expect(seen).toEqual(all);
    // After the last row the page is empty, and the cursor is unchanged.
    const empty = await list(`?limit=${limit}${cursor}`);
    expect(empty).toEqual({
      data: [],
      meta: { next_cursor: null, has_more: false, poll_cursor: cursor.slice('&cursor='.length) },
    });
  });

  it('shows later transactions to a reader with a cursor, and to one that started with `now`', async () => {
    const { meta: kept } = await list();
    const { data, meta: now } = await list('?cursor=now');
    expect(data).toEqual([]);
    const fresh = await connectionWithDocuments(context, { user: 'w', documents: 3 });
    for (const cursor of [kept.poll_cursor, now.poll_cursor]) {
      const page = await list(`?cursor=${cursor}`);
      expect(connections(page)).toEqual([fresh]);
      expect(page.data).toHaveLength(3);
    }
    expect((await list('?cursor=now')).data).toEqual([]);
  });

  it('has a separate feed for each environment', async () => {
    const empty = await createTestClient(context.app);
    for (const query of ['', '?cursor=now']) {
      const { body } = await empty.request('get', `/v1/transactions${query}`).expect(200);
      expect(body).toMatchObject({
        data: [],
        meta: { next_cursor: null, has_more: false, poll_cursor: expect.any(String) },
      });
    }
  });

  it.each(['2026-01-01T00:00:00%2B23:00', '9999-12-31T23:59:59-14:00', '0001-01-01'])(
    'accepts every offset and year: created_from=%s',
    async (from) => {
      await context.client.request('get', `/v1/transactions?limit=1&created_from=${from}`).expect(200);
    },
  );

  it.each([
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    [`cursor=${Buffer.from('[-1]').toString('base64url')}`, { cursor: 'INVALID_CURSOR' }],
    [`cursor=${Buffer.from('[1,2]').toString('base64url')}`, { cursor: 'INVALID_CURSOR' }],
    [`cursor=${'x'.repeat(257)}`, { cursor: 'TOO_LONG' }],
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['created_from=yesterday', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-324', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-W47-5', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-13-01', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-02-30', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-11-31T00:00:00Z', { created_from: 'INVALID_DATETIME' }],
    ['created_from=0000-01-01', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-11-20T25:00:00Z', { created_from: 'INVALID_DATETIME' }],
    ['created_from=2026-11-20T10:00:00', { created_from: 'INVALID_DATETIME' }],
    ['created_to=tomorrow', { created_to: 'INVALID_DATETIME' }],
    ['created_from=2026-11-20&created_to=2026-11-20T00:00:00Z', { created_to: 'NOT_LATER' }],
    ['created_from=2026-11-20&created_to=2026-11-19', { created_to: 'NOT_LATER' }],
    ['created_from=x&created_to=2026-11-19', { created_from: 'INVALID_DATETIME' }],
    [`external_id=${'x'.repeat(2049)}`, { external_id: 'TOO_LONG' }],
    ['external_id=%00', { external_id: 'INVALID_FORMAT' }],
    [
      'identity_uuid=x&connection_uuid=y&document_type=poem&status=LOST&since=1',
      {
        identity_uuid: 'INVALID_UUID',
        connection_uuid: 'INVALID_UUID',
        document_type: 'INVALID_OPTION',
        status: 'INVALID_OPTION',
        since: 'UNKNOWN_PROPERTY',
      },
    ],
  ])('rejects ?%s', async (query, invalidFields) => {
    const ask = () => context.client.request('get', `/v1/transactions?${query}`);
    expectError(await ask(), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await ask().set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });
});
