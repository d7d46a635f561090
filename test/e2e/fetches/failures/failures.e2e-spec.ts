import { randomUUID } from 'node:crypto';
import { aMail } from '../../../builders/mail-builder';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { openConsole } from '../../../harness/http/console-session';
import { expectError } from '../../../harness/http/expect-error';
import { getConnection, TestEngine, updateFields, connectSandbox } from '../../../harness/engine/test-engine';

interface Failure {
  failure_uuid: string;
  external_id: string | null;
  filename: string;
  code: string;
  message: string;
  since: string;
  attempts: number;
}
interface Page {
  data: Failure[];
  meta: { next_cursor: string | null; has_more: boolean };
}

describe('Failed documents and their dismissal (decisions 9)', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  const list = async (connection: string, query = '', lang = 'en'): Promise<Page> => {
    const path = `/v1/connections/${connection}/failures${query}`;
    return (await client.request('get', path).set('Lang', lang).expect(200)).body as Page;
  };
  const dismiss = (connection: string, failure: string) =>
    client.request('post', `/v1/connections/${connection}/failures/${failure}/dismiss`);
  const shown = async (connection: string) =>
    (await getConnection(client, connection)) as unknown as { failed_documents: number };
  const explanation = async (connection: string) => {
    const console = await openConsole(engine.app, client.environmentUuid);
    const { body } = await console.request('get', `/v1/console/connections/${connection}`).expect(200);
    return (body as { data: { explanation: string } }).data.explanation;
  };
  const fetchNow = (connection: string) =>
    client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
  /** A portal whose newest document cannot be downloaded, without new documents. */
  const broken = (more: object = {}) =>
    connectSandbox(client, {
      ...{ scenario: 'broken_document', documents: 4, new_per_fetch: 0, user: randomUUID() },
      ...more,
    });

  it('lists a document that could not be downloaded, with its attempts, and counts it in the connection', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const page = await list(uuid);
    expect(page).toEqual({
      data: [
        {
          failure_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          external_id: expect.stringMatching(/^SBX-/),
          filename: expect.stringMatching(/\.\w+$/),
          code: 'DOCUMENT_UNAVAILABLE',
          message: 'The document could not be fetched. The next fetch will try again.',
          since: expect.stringMatching(/Z$/),
          attempts: 1,
        },
      ],
      meta: { next_cursor: null, has_more: false },
    });
    expect(await shown(uuid)).toMatchObject({ failed_documents: 1 });
    expect(await explanation(uuid)).toBe('Fetching works, but one document could not be read.');
    expect((await list(uuid, '', 'de')).data[0]!.message).toMatch(/^Das Dokument konnte nicht abgerufen werden\./);
    await fetchNow(uuid);
    await engine.waitForFetches(uuid, 2);
    expect((await list(uuid)).data).toEqual([{ ...page.data[0], attempts: 2 }]);
    expect(await shown(uuid)).toMatchObject({ failed_documents: 1 });
  });

  it('keeps listing a failure that is no longer retried: a missing document', async () => {
    const uuid = await broken({ scenario: 'unreadable_document' });
    for (const fetches of [1, 2, 3]) {
      await engine.waitForFetches(uuid, fetches);
      await fetchNow(uuid);
    }
    await engine.waitForFetches(uuid, 4);
    const gone = { code: 'DOCUMENT_GONE', message: 'The document no longer exists at the provider.', attempts: 2 };
    expect((await list(uuid)).data).toMatchObject([gone]);
  });

  it('says that an attachment is empty until it is dismissed', async () => {
    const login = { user: 'anna', password: 'right' };
    const mailbox = await FakeImapServer.start({ users: [login] });
    try {
      const mail = aMail().attach({
        content: Buffer.from('\r\n\r\n'),
        mimeType: 'application/pdf',
        filename: 'leer.pdf',
        encoding: 'base64',
      });
      const built = mail
        .build()
        .toString('latin1')
        .replace(/^DQoNCg==/m, '    ====');
      mailbox.append('INBOX', Buffer.from(built, 'latin1'));
      const body = {
        ...{ integration_id: 'imap', name: 'Mailbox', identity_uuid: await client.createIdentity() },
        fields: { host: mailbox.host, port: mailbox.port, security: 'NONE', ...login },
      };
      const { body: made } = await client.request('post', '/v1/connections/migrate').send(body).expect(201);
      const { uuid } = (made as { data: { uuid: string } }).data;
      for (const fetches of [1, 2, 3]) {
        await engine.waitForFetches(uuid, fetches);
        await fetchNow(uuid);
      }
      await engine.waitForFetches(uuid, 4);
      const [failure, ...others] = (await list(uuid)).data;
      expect(others).toEqual([]);
      expect(failure).toMatchObject({
        ...{ code: 'DOCUMENT_EMPTY', filename: 'leer.pdf', attempts: 2 },
        message: 'The document is empty. Please replace it at the source, or skip it here.',
      });
      expect((await list(uuid, '', 'de')).data[0]!.message).toMatch(/^Das Dokument ist leer\./);
      expect(await shown(uuid)).toMatchObject({ failed_documents: 1 });
      await dismiss(uuid, failure!.failure_uuid).expect(204);
      expect(await shown(uuid)).toMatchObject({ failed_documents: 0 });
    } finally {
      await mailbox.stop();
    }
  });

  it('deletes it after the document is downloaded', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const [failure] = (await list(uuid)).data;
    await updateFields(client, uuid, { scenario: 'normal' });
    await fetchNow(uuid);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    expect(await list(uuid)).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
    expect(await shown(uuid)).toMatchObject({ failed_documents: 0 });
    expectError(await dismiss(uuid, failure!.failure_uuid), 404, 'FAILURE_NOT_FOUND');
  });

  it('neither retries nor counts a dismissed document, also when the source is listed again', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const [failure] = (await list(uuid)).data;
    await dismiss(uuid, failure!.failure_uuid).expect(204);
    expect((await list(uuid)).data).toEqual([]);
    expect(await shown(uuid)).toMatchObject({ failed_documents: 0 });

    await fetchNow(uuid);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 0, failed: 0 });
    await engine.rows('update connection set cursor = null where uuid = $1', uuid);
    await updateFields(client, uuid, { scenario: 'normal' }); // by now it could be downloaded
    await fetchNow(uuid);
    const listed = {
      status: 'SUCCEEDED',
      seen: 4,
      new: 0,
      duplicate: 3,
      filtered: 1,
      failed: 0,
      filtered_by: { DISMISSED: 1 },
    };
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject(listed);
    expect((await list(uuid)).data).toEqual([]);
  });

  it('retries a dismissed document when the source has changed it, as a new failure', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const [failure] = (await list(uuid)).data;
    await dismiss(uuid, failure!.failure_uuid).expect(204);
    // The former listing had another version.
    await engine.rows("update document_failure set version = 'before' where connection_uuid = $1", uuid);
    await engine.rows('update connection set cursor = null where uuid = $1', uuid);
    await fetchNow(uuid);
    const tried = { status: 'PARTIAL', seen: 4, duplicate: 3, failed: 1, filtered: 0 };
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject(tried);
    const [again] = (await list(uuid)).data;
    expect(again).toEqual({
      ...failure,
      failure_uuid: expect.not.stringMatching(failure!.failure_uuid),
      since: expect.stringMatching(/Z$/),
    });
    expect(await shown(uuid)).toMatchObject({ failed_documents: 1 });
    // Dismissing the old one again does not affect it.
    expectError(await dismiss(uuid, failure!.failure_uuid), 404, 'FAILURE_NOT_FOUND');
  });

  it('dismisses once under repeated and concurrent requests, and logs it once', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const [failure] = (await list(uuid)).data;
    const answers = await Promise.all(Array.from({ length: 4 }, () => dismiss(uuid, failure!.failure_uuid)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(4).fill([204, '']));
    await dismiss(uuid, failure!.failure_uuid).expect(204);
    const log = await engine.rows(
      "select actor, details from audit_log where subject_uuid = $1 and action = 'connection.dismiss-failure'",
      uuid,
    );
    const details = { failure_uuid: failure!.failure_uuid };
    expect(log).toEqual([{ actor: expect.stringMatching(/^key:/), details }]);
  });

  it('pages through many, the latest first failure first', async () => {
    const uuid = await broken({ documents: 1, new_per_fetch: 1 });
    await engine.waitForFetches(uuid, 1);
    for (const fetches of [2, 3]) {
      await fetchNow(uuid);
      await engine.waitForFetches(uuid, fetches);
    }
    const { data: all } = await list(uuid);
    expect(all.map(({ attempts }) => attempts)).toEqual([1, 2, 3]);
    expect(await shown(uuid)).toMatchObject({ failed_documents: 3 });
    const first = await list(uuid, '?limit=2');
    expect(first).toEqual({ data: all.slice(0, 2), meta: { next_cursor: expect.any(String), has_more: true } });
    const rest = await list(uuid, `?limit=2&cursor=${first.meta.next_cursor}`);
    expect(rest).toEqual({ data: all.slice(2), meta: { next_cursor: null, has_more: false } });
    const path = `/v1/connections/${uuid}/failures?cursor=nonsense`;
    expectError(await client.request('get', path), 422, 'VALIDATION_FAILED', { cursor: 'INVALID_CURSOR' });
  });

  it('deletes them with the connection', async () => {
    const uuid = await broken();
    await engine.waitForFetches(uuid, 1);
    const [failure] = (await list(uuid)).data;
    await client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(await engine.count('select count(*) from document_failure where connection_uuid = $1', uuid)).toBe(0);
    expectError(await dismiss(uuid, failure!.failure_uuid), 404, 'CONNECTION_NOT_FOUND');
  });
});
