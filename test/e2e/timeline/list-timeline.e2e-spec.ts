import { randomUUID } from 'node:crypto';
import { FILTER_REASONS } from '../../../src/integrations/core/filter-reason';
import { answer, Receiver } from '../../fakes/receiver';
import { createTestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { openConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';
import { itChecksConnectionAccess } from '../../harness/http/access-tests';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';

interface FilteredReason {
  readonly reason: string;
  readonly count: number;
  readonly message: string;
}
type Entry = Readonly<Record<string, unknown>> & {
  readonly uuid: string;
  readonly type: string;
  readonly at: string;
  readonly filtered: readonly FilteredReason[] | null;
};

interface Page {
  readonly data: Entry[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean };
}

describe('GET /v1/connections/{uuid}/timeline (decisions 5)', () => {
  const context = useTestContext({ role: 'all' });
  const path = (uuid: string) => `/v1/connections/${uuid}/timeline`;
  const list = async (uuid: string, query = '', lang = 'en', client = context.client) =>
    (
      await client
        .request('get', path(uuid) + query)
        .set('Lang', lang)
        .expect(200)
    ).body as Page;
  const entriesOf = ({ data }: Page) => data.map(({ type, cause, message }) => [type, cause, message]);
  const put = (uuid: string, what: string, body: object) =>
    context.client.requestWithToken(context.token, 'put', `/v1/connections/${uuid}${what}`).send(body);

  itChecksConnectionAccess(context, { method: 'get', path, accepts: ['key', 'token'] });

  it('shows the changes of a connection with their actors, in both languages', async () => {
    const uuid = await context.createConnection({
      name: 'Portal',
      fields: { user: randomUUID(), documents: 0, new_per_fetch: 0 },
    });
    await put(uuid, '', { name: 'Invoices' }).expect(204);
    await put(uuid, '', { fields: { password: 'another' } }).expect(200);
    await context.client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    await put(uuid, '/enable', {}).expect(204);
    const session = await openConsole(context.app, context.client.environmentUuid);
    await session.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    const page = await list(uuid);
    expect(entriesOf(page)).toEqual([
      ['STATUS_CHANGED', 'CONSOLE', 'The source was paused in the console.'],
      ['STATUS_CHANGED', 'UI_TOKEN', 'The source was resumed in the web interface.'],
      ['STATUS_CHANGED', 'API_KEY', 'The source was paused by the application.'],
      ['CONNECTION_UPDATED', 'UI_TOKEN', 'The settings of the source were changed in the web interface.'],
      ['CONNECTION_RENAMED', 'UI_TOKEN', 'The source was renamed from “Portal” to “Invoices” in the web interface.'],
      ['CONNECTION_CREATED', 'API_KEY', 'The source was added by the application.'],
    ]);
    expect(page.data[2]).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'STATUS_CHANGED',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      cause: 'API_KEY',
      message: 'The source was paused by the application.',
      status_from: 'PENDING',
      status_to: 'DISABLED',
      fetch_uuid: null,
      fetch_status: null,
      documents_new: null,
      documents_failed: null,
      filtered: null,
      error_code: null,
      transaction_uuid: null,
      filename: null,
      attempts: null,
    });
    expect(entriesOf(await list(uuid, '', 'de')).map(([, , message]) => message)).toEqual([
      'Die Quelle wurde in der Konsole pausiert.',
      'Die Quelle wurde in der Weboberfläche fortgesetzt.',
      'Die Quelle wurde durch die Anwendung pausiert.',
      'Die Einstellungen der Quelle wurden in der Weboberfläche geändert.',
      'Die Quelle wurde in der Weboberfläche von „Portal“ in „Invoices“ umbenannt.',
      'Die Quelle wurde durch die Anwendung hinzugefügt.',
    ]);
    expect((await context.client.requestWithToken(context.token, 'get', path(uuid)).expect(200)).body).toEqual(page);
  });

  it('shows no entry for an unchanged name, and no key', async () => {
    const uuid = await context.createConnection({ name: 'Portal' });
    await put(uuid, '', { name: 'Portal' }).expect(204);
    const page = await list(uuid);
    expect(page.data.map(({ type }) => type)).toEqual(['CONNECTION_CREATED']);
    expect(JSON.stringify(page)).not.toContain('key:');
  });

  it('shows no entry for the stored input, given once more', async () => {
    const uuid = await context.createConnection({ fields: { user: randomUUID(), password: 'secret', documents: 0 } });
    await put(uuid, '', { fields: {} }).expect(200);
    await put(uuid, '', { fields: { password: 'secret', documents: 0 } }).expect(200);
    expect((await list(uuid)).data.map(({ type }) => type)).toEqual(['CONNECTION_CREATED']);
    await put(uuid, '', { fields: { documents: 1 } }).expect(200);
    expect((await list(uuid)).data.map(({ type }) => type)).toEqual(['CONNECTION_UPDATED', 'CONNECTION_CREATED']);
  });

  it('shows a migration', async () => {
    const { body } = await context.client
      .request('post', '/v1/connections/migrate')
      .send({
        integration_id: 'sandbox',
        name: 'Old',
        identity_uuid: context.identity,
        fields: { user: 'u', password: 'p' },
      })
      .expect(201);
    const { data } = await list(body.data.uuid);
    expect(data.at(-1)).toMatchObject({
      type: 'CONNECTION_CREATED',
      cause: 'API_KEY',
      message: 'The source was migrated by the application.',
    });
  });

  it('shows the setup and the result of the fetch', async () => {
    const uuid = await connectionWithDocuments(context, { user: randomUUID(), documents: 1, new_per_fetch: 0 });
    const page = await list(uuid);
    expect(entriesOf(page)).toEqual([
      ['FETCH_FINISHED', 'INITIAL', 'The fetch finished with one new document.'],
      expect.anything(),
      expect.anything(),
      ['CONNECTION_CREATED', 'API_KEY', 'The source was added by the application.'],
    ]);
    expect(entriesOf({ ...page, data: page.data.slice(1, 3) })).toEqual(
      expect.arrayContaining([
        ['STATUS_CHANGED', 'UI_TOKEN', 'The source is connected.'],
        ['SETUP_SAVED', 'UI_TOKEN', 'The selection was saved in the web interface.'],
      ]),
    );
    const { body } = await context.client.request('get', `/v1/connections/${uuid}/fetches`).expect(200);
    expect(page.data[0]).toMatchObject({
      uuid: body.data[0].uuid,
      at: body.data[0].finished_at,
      fetch_uuid: body.data[0].uuid,
      fetch_status: 'SUCCEEDED',
      documents_new: 1,
      documents_failed: 0,
      error_code: null,
    });
  });

  it.each([
    [
      'SUCCEEDED',
      0,
      null,
      'The fetch finished. There was nothing new.',
      'Der Abruf ist abgeschlossen. Es gab nichts Neues.',
    ],
    [
      'SUCCEEDED',
      7,
      null,
      'The fetch finished with 7 new documents.',
      'Der Abruf ist abgeschlossen: 7 neue Dokumente.',
    ],
    [
      'PARTIAL',
      1,
      'PROVIDER_DOWN',
      'The fetch found one new document, but',
      'Der Abruf hat ein neues Dokument gefunden, aber',
    ],
    [
      'FAILED',
      0,
      'LOGIN_REJECTED',
      'The fetch failed. The provider rejected',
      'Der Abruf ist fehlgeschlagen. Der Anbieter hat',
    ],
    [
      'CANCELLED',
      0,
      'CONNECTION_NOT_ACTIVE',
      'The fetch was cancelled. The source',
      'Der Abruf wurde abgebrochen. Die Quelle',
    ],
  ])('shows a fetch that is %s with %i new documents (%s)', async (status, count, code, en, de) => {
    const uuid = await context.createConnection();
    await context.query(
      `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered, failed,
         error_code, created_at, finished_at)
       values (uuidv7(), $1, $2, 'STANDARD', 'SCHEDULED', $3, $4, $4, 0, 0, 0, $5, now(), now() + interval '1 hour')`,
      [uuid, context.client.environmentUuid, status, count, code],
    );
    const [entry] = (await list(uuid)).data;
    expect(entry).toMatchObject({ fetch_status: status, error_code: code, message: expect.stringContaining(en) });
    expect((await list(uuid, '', 'de')).data[0]!.message).toContain(de);
  });

  it('says what a fetch left out and why, in a sentence for each reason, the most frequent first', async () => {
    const uuid = await context.createConnection();
    const filteredBy = Object.fromEntries(FILTER_REASONS.map((reason, at) => [reason, at + 1]));
    await context.query(
      `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered, failed,
         filtered_by, created_at, finished_at)
       values (uuidv7(), $1, $2, 'STANDARD', 'SCHEDULED', 'SUCCEEDED', 91, 0, 0, 91, 0, $3, now(), now() + interval '1 hour')`,
      [uuid, context.client.environmentUuid, JSON.stringify(filteredBy)],
    );
    for (const [lang, type, dismissed] of [
      ['en', 'One file is of a type that is not fetched.', '13 documents were skipped earlier.'],
      ['de', 'Eine Datei hat einen Dateityp, der nicht abgerufen wird.', '13 Dokumente wurden früher übersprungen.'],
    ] as const) {
      const [entry, ...others] = (await list(uuid, '', lang)).data;
      expect(entry!.filtered!.map(({ reason }) => reason)).toEqual(FILTER_REASONS.toReversed());
      expect(entry!.filtered![0]).toEqual({ reason: 'DISMISSED', count: 13, message: dismissed });
      expect(entry!.filtered!.at(-1)).toEqual({ reason: 'TYPE', count: 1, message: type });
      for (const { message, count } of entry!.filtered!.slice(0, -1)) {
        expect(message).toMatch(/^\p{L}[^{}]+\.$|^\d/u);
        expect(message).toContain(String(count));
      }
      expect(others.map(({ filtered }) => filtered)).toEqual(others.map(() => null));
    }
  });

  it('shows that a connection was stopped, with the reason', async () => {
    const uuid = await context.createConnection();
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at) values (uuidv7(), $1, 'STANDARD', $2,
       'connection.status_changed', '{"from": "ACTIVE", "to": "INVALID_CREDENTIALS", "cause": "LOGIN_REJECTED"}', now() + interval '1 hour')`,
      [context.client.environmentUuid, uuid],
    );
    expect((await list(uuid)).data[0]).toMatchObject({
      cause: 'LOGIN_REJECTED',
      status_to: 'INVALID_CREDENTIALS',
      message: 'Fetching has stopped. The provider rejected the sign-in details. Please enter them again.',
    });
  });

  it('shows one entry per document and state: delayed, regardless of the attempts, and then delivered', async () => {
    const receiver = await Receiver.start();
    receiver.next(answer(500));
    try {
      const client = await createTestClient(context.app, {
        provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'NONE', secret: null },
      });
      const identity = await client.createIdentity();
      const uuid = await context.createConnection({ by: client, identity, fields: { documents: 1, new_per_fetch: 0 } });
      const token = await client.createToken(identity);
      await client.requestWithToken(token, 'put', `/v1/connections/${uuid}/step2`).send({ fields: {} }).expect(204);
      const first = await eventually(async () => {
        const [entry] = (await list(uuid, '', 'en', client)).data;
        return entry?.type === 'DELIVERY_DELAYED' && entry;
      }, 'the first push fails');
      expect(first).toMatchObject({ cause: 'UNEXPECTED_STATUS', error_code: 'UNEXPECTED_STATUS', attempts: 1 });
      expect(first.message).toBe(`“${first.filename as string}” could not be delivered yet. We retry automatically.`);
      context.app.clock.advance(60);
      const page = await eventually(async () => {
        const seen = await list(uuid, '', 'en', client);
        return seen.data[0]!.type === 'DOCUMENT_DELIVERED' && seen;
      }, 'the second push is delivered');
      context.app.clock.advance(-60);
      expect(page.data[0]).toMatchObject({
        uuid: first.uuid,
        transaction_uuid: first.transaction_uuid,
        cause: null,
        error_code: null,
        attempts: 2,
        message: `“${first.filename as string}” was delivered.`,
      });
      expect(page.data.filter(({ type }) => /DOCUMENT|DELIVERY/.test(type))).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  it.each([
    ['delivery.failed', { error: { code: 'TIMEOUT' } }, 'DELIVERY_FAILED', 'TIMEOUT', /could not be delivered\. There/],
    ['document.available', {}, 'DOCUMENT_AVAILABLE', null, /is ready for pickup/],
    ['document.acknowledged', { result: 'ACCEPTED' }, 'DOCUMENT_ACKNOWLEDGED', 'ACCEPTED', /was accepted/],
    ['document.acknowledged', { result: 'REJECTED' }, 'DOCUMENT_ACKNOWLEDGED', 'REJECTED', /was rejected/],
    ['delivery.requested', { actor: 'cli:root' }, 'REDELIVERY_REQUESTED', 'SUPPORT', /will be delivered again/],
  ])('shows %s %j', async (fact, data, type, cause, message) => {
    const uuid = await connectionWithDocuments(context, { user: randomUUID(), documents: 1, new_per_fetch: 0 });
    const [transaction] = await context.query<{ uuid: string; filename: string }>(
      'select uuid, filename from transaction where connection_uuid = $1',
      [uuid],
    );
    await context.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
       values (uuidv7(), $1, 'STANDARD', $2, $3, $4, now() + interval '1 hour')`,
      [context.client.environmentUuid, uuid, fact, JSON.stringify({ ...data, transaction_uuid: transaction!.uuid })],
    );
    const [entry] = (await list(uuid)).data;
    expect(entry).toMatchObject({ type, cause, transaction_uuid: transaction!.uuid, filename: transaction!.filename });
    expect(entry!.message).toMatch(message);
    expect((await list(uuid, '', 'de')).data[0]!.message).toContain(`„${transaction!.filename}“`);
  });

  describe('with a long history', () => {
    let uuid: string;
    const COUNT = 700;

    beforeAll(async () => {
      uuid = await context.createConnection();
      await context.query(
        `insert into "fetch" (uuid, connection_uuid, environment_uuid, retention_class, trigger, status, seen, new, duplicate, filtered,
           failed, created_at, finished_at)
         select uuidv7(), $1, $2, 'STANDARD', 'SCHEDULED', 'SUCCEEDED', 0, 0, 0, 0, 0, now(), now() - make_interval(mins => n / 3)
         from generate_series(1, $3::int) n`,
        [uuid, context.client.environmentUuid, COUNT],
      );
      await context.query(
        `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
         select uuidv7(), $2, 'STANDARD', $1, case n % 2 when 0 then 'fetch.finished' else 'connection.updated' end, '{}', now() - make_interval(mins => n / 5)
         from generate_series(1, $3::int) n`,
        [uuid, context.client.environmentUuid, COUNT],
      );
      await context.query(
        `insert into transaction (uuid, environment_uuid, identity_uuid, connection_uuid, fetch_uuid, integration_id, document_type, dedupe_key,
           filename, mime_type, size, sha256, content_chunks, metadata, strategy, status, attempts, settled_at, created_at)
         select gen_random_uuid(), $2, $4, $1, gen_random_uuid(), 'sandbox', 'invoice', n::text, n || '.pdf', 'application/pdf', 1, '', 0, '{}',
           'PUSH', 'DELIVERED', 1, now() - make_interval(mins => n / 7), now()
         from generate_series(1, $3::int) n`,
        [uuid, context.client.environmentUuid, COUNT, context.identity],
      );
    });

    it.each([1, 97, 500])('shows everything exactly once, newest first, in pages of %i', async (limit) => {
      const seen: Entry[] = [];
      const pages = limit === 1 ? 20 : Infinity;
      for (let cursor = '', n = 0; n < pages; n++) {
        const page = await list(uuid, `?limit=${limit}${cursor}`);
        seen.push(...page.data);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        expect(page.meta.has_more).toBe(page.meta.next_cursor !== null);
        if (!page.meta.next_cursor) break;
        cursor = `&cursor=${page.meta.next_cursor}`;
      }
      const keys = seen.map(({ at, uuid: id }) => `${at} ${id}`);
      expect(keys).toEqual([...keys].sort().reverse());
      expect(new Set(keys).size).toBe(keys.length);
      if (limit > 1) expect(seen).toHaveLength(COUNT + COUNT / 2 + COUNT + 1);
    });

    it('shows a hundred entries per page by default', async () => {
      expect((await list(uuid)).data).toHaveLength(100);
    });
  });

  it.each([
    ['limit=0', { limit: 'TOO_SMALL' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
    ['cursor=x', { cursor: 'INVALID_CURSOR' }],
    [`cursor=${Buffer.from('["infinity","a"]').toString('base64url')}`, { cursor: 'INVALID_CURSOR' }],
    [
      `cursor=${Buffer.from(`["0000-01-01T00:00:00.000Z","${randomUUID()}"]`).toString('base64url')}`,
      { cursor: 'INVALID_CURSOR' },
    ],
    [
      `cursor=${Buffer.from(`["2026-02-31T00:00:00.000Z","${randomUUID()}"]`).toString('base64url')}`,
      { cursor: 'INVALID_CURSOR' },
    ],
    ['limit=x&type=FETCH_FINISHED', { limit: 'INVALID_TYPE_INTEGER', type: 'UNKNOWN_PROPERTY' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    const connection = await context.createConnection();
    for (const lang of ['en', 'de'] as const) {
      const refused = await context.client.request('get', `${path(connection)}?${query}`).set('Lang', lang);
      expectError(refused, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });
});
