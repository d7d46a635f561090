import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';

interface Page {
  readonly data: { readonly client_identifier: string }[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/identities (decisions 1 and 5)', () => {
  const context = useSharedContext();
  const names = ['a', 'b', 'c', 'd', 'e'];
  let client: TestClient;

  const list = async (query = ''): Promise<Page> =>
    (await client.request('get', `/v1/identities${query}`).expect(200)).body as Page;
  const shown = (page: Page) => page.data.map((identity) => identity.client_identifier);

  beforeAll(async () => {
    client = await createTestClient(context.app);
    for (const name of names) await client.createIdentity(name);
  });

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/identities', accepts: ['key'] });

  it('lists the identities of the environment, oldest first, and no others', async () => {
    const page = await list();
    expect(shown(page)).toEqual(names);
    expect(page.meta).toEqual({ next_cursor: null, has_more: false });
  });

  it('is empty for an environment without identities', async () => {
    const { body } = await (await createTestClient(context.app)).request('get', '/v1/identities').expect(200);
    expect(body).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it.each([1, 2, 4, 5])('returns every item exactly once in pages of %i', async (limit) => {
    const seen: string[] = [];
    let query = `?limit=${limit}`;
    for (;;) {
      const page = await list(query);
      seen.push(...shown(page));
      expect(page.data.length).toBeLessThanOrEqual(limit);
      expect(page.meta.has_more).toBe(page.meta.next_cursor !== null);
      if (!page.meta.next_cursor) break;
      query = `?limit=${limit}&cursor=${page.meta.next_cursor}`;
    }
    expect(seen).toEqual(names);
  });

  it('filters by client_identifier', async () => {
    expect(shown(await list('?client_identifier=c'))).toEqual(['c']);
    expect(shown(await list('?client_identifier=nobody'))).toEqual([]);
    expect(shown(await list('?client_identifier=identity'))).toEqual([]); // of another environment
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['limit=many', { limit: 'INVALID_TYPE_INTEGER' }],
    ['limit=1.5', { limit: 'INVALID_TYPE_INTEGER' }],
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    [`cursor=${Buffer.from('["a"]').toString('base64url')}`, { cursor: 'INVALID_CURSOR' }],
    [`cursor=${'x'.repeat(257)}`, { cursor: 'TOO_LONG' }],
    ['page=2', { page: 'UNKNOWN_PROPERTY' }],
    ['client_identifier=%00', { client_identifier: 'INVALID_FORMAT' }],
    ['client_identifier=a&client_identifier=b', { client_identifier: 'INVALID_TYPE_STRING' }],
    ['limit=0&cursor=x&sort=name', { limit: 'TOO_SMALL', sort: 'UNKNOWN_PROPERTY' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    const ask = () => client.request('get', `/v1/identities?${query}`);
    expectError(await ask(), 422, 'VALIDATION_FAILED', invalidFields);
    expectError(await ask().set('Lang', 'de'), 422, 'VALIDATION_FAILED', invalidFields, 'de');
  });
});
