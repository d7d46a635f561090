import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';

interface FetchBody {
  readonly uuid: string;
  readonly status: string;
  readonly trigger: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface Page {
  readonly data: FetchBody[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/connections/{uuid}/fetches (decisions 4 and 5)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/connections/${uuid}/fetches`;
  const list = async (uuid: string, query = '', lang = 'en') =>
    (
      await context.client
        .request('get', path(uuid) + query)
        .set('Lang', lang)
        .expect(200)
    ).body as Page;

  /** A connection with a history of `count` fetches; returns them newest first. */
  async function withPast(fetches: number): Promise<{ connection: string; newestFirst: string[] }> {
    const connection = await context.createConnection();
    const uuids = Array.from({ length: fetches }, () => v7());
    for (const uuid of uuids) {
      await context.query(
        `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered, failed,
           created_at)
         values ($1, $2, $3, 'STANDARD', 'SCHEDULED', 'SUCCEEDED', 0, 0, 0, 0, 0, now())`,
        [uuid, connection, context.client.environmentUuid],
      );
    }
    return { connection, newestFirst: uuids.reverse() };
  }

  itChecksConnectionAccess(context, { method: 'get', path, accepts: ['key', 'token'] });

  it('shows each fetch with the outcomes of the documents, to key and token', async () => {
    const connection = await connectionWithDocuments(context, { documents: 3, user: randomUUID() });
    const page = await list(connection);
    const [fetch] = page.data;
    expect(page).toEqual({
      data: [
        {
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          connection_uuid: connection,
          trigger: 'INITIAL',
          status: 'SUCCEEDED',
          counts: { seen: 3, new: 3, duplicate: 0, filtered: 0, failed: 0 },
          filtered_by: {},
          error: null,
          created_at: expect.stringMatching(/Z$/),
          started_at: expect.stringMatching(/Z$/),
          finished_at: expect.stringMatching(/Z$/),
        },
      ],
      meta: { next_cursor: null, has_more: false },
    });
    expect((await context.client.requestWithToken(context.token, 'get', path(connection)).expect(200)).body).toEqual(
      page,
    );

    const { body } = await context.client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    const after = await eventually(async () => {
      const { data } = await list(connection);
      return data.length === 2 && data[0]!.status === 'SUCCEEDED' && data;
    }, 'the fetch by hand ends');
    expect(after.map(({ uuid, trigger }) => [uuid, trigger])).toEqual([
      [body.uuid, 'MANUAL'],
      [fetch!.uuid, 'INITIAL'],
    ]);
  });

  it.each([
    ['PROVIDER_DOWN', /cannot be reached/, /nicht erreichbar/],
    ['CONNECTION_NOT_ACTIVE', /cancelled/, /abgebrochen/],
  ])('states in the requested language why a fetch ended early: %s', async (code, en, de) => {
    const { connection, newestFirst } = await withPast(1);
    await context.query(`update "fetch" set status = 'FAILED', error_code = $2 where uuid = $1`, [
      newestFirst[0],
      code,
    ]);
    expect((await list(connection)).data[0]!.error).toEqual({ code, message: expect.stringMatching(en) });
    expect((await list(connection, '', 'de')).data[0]!.error).toEqual({ code, message: expect.stringMatching(de) });
  });

  it('is empty for a connection that has never been fetched', async () => {
    expect(await list(await context.createConnection())).toEqual({
      data: [],
      meta: { next_cursor: null, has_more: false },
    });
  });

  it('returns every fetch exactly once in pages, newest first, while new ones are added', async () => {
    const { connection, newestFirst } = await withPast(7);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(connection, `?limit=3${cursor}`);
      seen.push(...page.data.map(({ uuid }) => uuid));
      expect(page.data.length).toBeLessThanOrEqual(3);
      expect(page.meta.has_more).toBe(page.meta.next_cursor !== null);
      if (!page.meta.next_cursor) break;
      cursor = `&cursor=${page.meta.next_cursor}`;
      await context.query(
        `insert into "fetch" select (jsonb_populate_record(f, jsonb_build_object('uuid', $2::text))).* from "fetch" f where uuid = $1`,
        [newestFirst[0], v7()],
      );
    }
    expect(seen).toEqual(newestFirst);
  });

  it('returns a hundred per page by default', async () => {
    const { connection } = await withPast(101);
    const page = await list(connection);
    expect([page.data.length, page.meta.has_more]).toEqual([100, true]);
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['cursor=x', { cursor: 'INVALID_CURSOR' }],
    ['limit=x&status=FAILED', { limit: 'INVALID_TYPE_INTEGER', status: 'UNKNOWN_PROPERTY' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    const connection = await context.createConnection();
    for (const lang of ['en', 'de'] as const) {
      const answer = await context.client.request('get', `${path(connection)}?${query}`).set('Lang', lang);
      expectError(answer, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });
});
