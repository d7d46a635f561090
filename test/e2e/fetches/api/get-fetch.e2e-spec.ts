import { v7 } from 'uuid';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../../harness/http/access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';

describe('GET /v1/fetches/{uuid} (decisions 4 and 5)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/fetches/${uuid}`;
  const get = (uuid: string, lang: 'en' | 'de' = 'en') => context.client.request('get', path(uuid)).set('Lang', lang);
  const byToken = (token: string, uuid: string) => context.client.requestWithToken(token, 'get', path(uuid));

  /** A fetch as returned by the API that was not executed. */
  async function aFetch(more: { by?: TestClient; identity?: string } = {}): Promise<string> {
    const connection = await context.createConnection(more);
    const uuid = v7();
    await context.query(
      `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered, failed,
         created_at)
       select $1, uuid, environment_uuid, 'STANDARD', 'SCHEDULED', 'PARTIAL', 0, 0, 0, 0, 0, now() from connection where uuid = $2`,
      [uuid, connection],
    );
    return uuid;
  }

  let fetch: string;
  beforeAll(async () => (fetch = await aFetch()));

  itRequiresAuthentication(context, { method: 'get', path: () => path(fetch), accepts: ['key', 'token'] });

  it('shows a fetch with the documents that it could not download, in both languages', async () => {
    const fields = { documents: 3, scenario: 'broken_document', user: v7() };
    const connection = await connectionWithDocuments(context, fields);
    const { body } = await context.client.request('get', `/v1/connections/${connection}/fetches`).expect(200);
    const [listed] = body.data as { uuid: string }[];
    const shown = await get(listed!.uuid).expect(200);
    expect(shown.body).toEqual({
      data: {
        ...listed,
        failures: [
          {
            external_id: expect.anything(),
            filename: expect.stringMatching(/\.\w+$/),
            code: 'DOCUMENT_UNAVAILABLE',
            message: 'The document could not be fetched. The next fetch will try again.',
          },
        ],
      },
    });
    expect(shown.body.data).toMatchObject({ status: 'PARTIAL', counts: { seen: 3, new: 2, failed: 1 } });
    const german = await get(listed!.uuid, 'de').expect(200);
    expect(german.body.data.failures[0].message).toMatch(/^Das Dokument konnte nicht abgerufen werden\./);
    expect((await byToken(context.token, listed!.uuid).expect(200)).body).toEqual(shown.body);
  });

  it('follows a fetch-now from its uuid to its end', async () => {
    const connection = await connectionWithDocuments(context, { user: v7() });
    const { body } = await context.client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    const ended = await eventually(async () => {
      const answer = await get(body.uuid).expect(200);
      return answer.body.data.finished_at !== null && answer.body.data;
    }, 'the fetch ends');
    expect(ended).toMatchObject({ uuid: body.uuid, trigger: 'MANUAL', status: 'SUCCEEDED', failures: [], error: null });
  });

  it('lists at most a hundred failures; the counts include all', async () => {
    const uuid = await aFetch();
    await context.query('update "fetch" set seen = 5000, failed = 5000 where uuid = $1', [uuid]);
    await context.query(
      `insert into fetch_failure (fetch_uuid, environment_uuid, dedupe_key, connection_uuid, external_id, filename, code, ref, open, created_at)
       select uuid, environment_uuid, lpad(n::text, 5, '0'), connection_uuid, null, n || '.pdf', 'DOCUMENT_GONE', '{}', false, now()
       from "fetch", generate_series(1, 5000) n where uuid = $1`,
      [uuid],
    );
    const { body } = await get(uuid).expect(200);
    expect(body.data.failures).toHaveLength(100);
    expect(body.data.failures[0]).toEqual({
      external_id: null,
      filename: '1.pdf',
      code: 'DOCUMENT_GONE',
      message: 'The document no longer exists at the provider.',
    });
    expect(body.data.counts.failed).toBe(5000);
  });

  it.each(['en', 'de'] as const)('rejects unknown and foreign transactions (%s)', async (lang) => {
    expectError(await get('not-a-uuid', lang), 422, 'VALIDATION_FAILED', { uuid: 'INVALID_UUID' }, lang);
    expectError(await get(v7(), lang), 404, 'FETCH_NOT_FOUND', {}, lang);
    const foreign = await aFetch({ by: context.otherClient, identity: await context.otherClient.createIdentity() });
    expectError(await get(foreign, lang), 403, 'NOT_YOUR_CONNECTION', {}, lang);
    expectError(await byToken(context.token, foreign).set('Lang', lang), 403, 'NOT_YOUR_CONNECTION', {}, lang);
    const ofOtherIdentity = await aFetch({ identity: context.otherIdentity });
    expectError(await byToken(context.token, ofOtherIdentity).set('Lang', lang), 403, 'NOT_YOUR_CONNECTION', {}, lang);
    expectError(await get(ofOtherIdentity, lang).set('X-TOKEN', context.token), 403, 'NOT_YOUR_CONNECTION', {}, lang);
    for (const narrow of [{ connection_uuid: await context.createConnection() }, { integration_id: 'imap' }]) {
      const token = await context.client.createToken(context.identity, narrow);
      expectError(await byToken(token, fetch).set('Lang', lang), 403, 'NOT_ALLOWED_BY_TOKEN', {}, lang);
    }
  });

  it('is deleted with its connection', async () => {
    const uuid = await aFetch();
    const { body } = await get(uuid).expect(200);
    await context.client.request('delete', `/v1/connections/${body.data.connection_uuid}`).expect(204);
    expectError(await get(uuid), 404, 'FETCH_NOT_FOUND');
  });
});
