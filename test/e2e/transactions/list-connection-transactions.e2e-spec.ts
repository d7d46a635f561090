import { randomUUID } from 'node:crypto';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';
import { useTestContext } from '../../harness/app/test-context';
import { itChecksConnectionAccess } from '../../harness/http/access-tests';
import { expectError } from '../../harness/http/expect-error';

interface Row {
  readonly transaction_uuid: string;
  readonly connection_uuid: string;
  readonly fetch_uuid: string;
}

interface List {
  readonly data: Row[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/connections/{uuid}/transactions (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  let own: string;

  const list = async (connection: string, query = ''): Promise<List> =>
    (await context.client.request('get', `/v1/connections/${connection}/transactions${query}`).expect(200))
      .body as List;
  const uuids = ({ data }: List) => data.map((row) => row.transaction_uuid);

  itChecksConnectionAccess(context, {
    method: 'get',
    path: (uuid) => `/v1/connections/${uuid}/transactions`,
    accepts: ['key', 'token'],
  });

  beforeAll(async () => {
    own = await connectionWithDocuments(context, { documents: 5 });
    await connectionWithDocuments(context, { user: 'v', documents: 2 });
  });

  it('shows the documents of the connection as the feed does, in the opposite order', async () => {
    const feed = await context.client.request('get', `/v1/transactions?connection_uuid=${own}`).expect(200);
    const page = await list(own);
    expect(page.data).toEqual((feed.body as List).data.toReversed());
    expect(page.data).toHaveLength(5);
    expect(page.meta).toEqual({ next_cursor: null, has_more: false });
  });

  it('is divided into pages that are not affected by newer documents', async () => {
    const all = uuids(await list(own));
    const first = await list(own, '?limit=2');
    const placed = await context.client
      .request('post', `/v1/sandbox/connections/${own}/documents`)
      .send({ count: 1, format: 'PDF', external_id: true });
    expect(placed.status).toBe(202);
    await context.client.request('post', `/v1/connections/${own}/fetch-now`).expect(202);
    const second = await list(own, `?limit=2&cursor=${first.meta.next_cursor}`);
    const third = await list(own, `?limit=2&cursor=${second.meta.next_cursor}`);
    expect([first, second, third].flatMap(uuids)).toEqual(all);
    expect(third.meta).toEqual({ next_cursor: null, has_more: false });
  });

  it('shows the documents of one fetch', async () => {
    const { data } = await list(own, '?limit=500');
    const fetchUuid = data.at(-1)!.fetch_uuid;
    const found = await list(own, `?fetch_uuid=${fetchUuid}`);
    expect(found.data).toEqual(data.filter((row) => row.fetch_uuid === fetchUuid));
    expect(found.data.length).toBeGreaterThanOrEqual(5);
    expect((await list(own, `?fetch_uuid=${randomUUID()}`)).data).toEqual([]);
  });

  it('rejects a malformed cursor and fetch', async () => {
    const broken = await context.client.request(
      'get',
      `/v1/connections/${own}/transactions?cursor=WyJ4Il0&fetch_uuid=x`,
    );
    expectError(broken, 422, 'VALIDATION_FAILED', { fetch_uuid: 'INVALID_UUID' });
    const cursor = await context.client.request('get', `/v1/connections/${own}/transactions?cursor=WyJ4Il0`);
    expectError(cursor, 422, 'VALIDATION_FAILED', { cursor: 'INVALID_CURSOR' });
  });
});
