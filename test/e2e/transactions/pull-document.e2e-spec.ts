import { createHash, randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { openConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { METRICS_TOKEN } from '../../harness/app/scrape-metrics';
import { useTestContext } from '../../harness/app/test-context';
import { connectionWithDocuments } from '../../harness/app/connection-with-documents';

interface Transaction {
  readonly transaction_uuid: string;
  readonly document: {
    readonly filename: string;
    readonly mime_type: string;
    readonly size: number;
    readonly sha256: string;
  };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('GET /v1/transactions/{transaction_uuid} and …/document (decisions 5)', () => {
  // Requests are measured, as by most installations.
  const context = useTestContext({ role: 'all', settings: { metricsToken: METRICS_TOKEN } });
  let connection: string;
  let transaction: Transaction;
  let foreign: string;
  let bytes: Buffer;

  const one = (uuid: string) => `/v1/transactions/${uuid}`;
  const document = (uuid: string) => `/v1/transactions/${uuid}/document`;
  const pull = (headers: Record<string, string> = {}) =>
    context.client.request('get', document(transaction.transaction_uuid)).set(headers);
  const raw = (headers: Record<string, string> = {}) => pull({ Accept: 'application/octet-stream', ...headers });
  const first = async (query: string) =>
    (await context.client.request('get', `/v1/transactions?limit=1&${query}`).expect(200)).body.data[0] as Transaction;

  beforeAll(async () => {
    connection = await connectionWithDocuments(context, {
      documents: 2,
      document_size_kb: 600,
      scenario: 'odd_filenames',
    });
    transaction = await first(`connection_uuid=${connection}&document_type=invoice`);
    const otherIdentity = { uuid: context.otherIdentity, token: context.otherIdentityToken };
    foreign = (
      await first(`connection_uuid=${await connectionWithDocuments(context, { documents: 1 }, otherIdentity)}`)
    ).transaction_uuid;
    bytes = (await raw().expect(200)).body as Buffer;
  });

  it('adds no more listeners to the response than those after which Node warns of a leak', async () => {
    const server: Server = context.app.app.getHttpServer();
    let [most, limit] = [0, 0];
    const watch = (_: unknown, response: ServerResponse) => {
      response.on('newListener', (event) => {
        if (event !== 'close') return;
        most = Math.max(most, response.listenerCount('close') + 1);
        limit = response.getMaxListeners();
      });
    };
    server.on('request', watch);
    await raw().expect(200);
    server.off('request', watch);
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(limit);
  });

  describe.each([
    ['the transaction', one],
    ['its document', document],
  ])('%s', (_, path) => {
    itRequiresAuthentication(context, {
      method: 'get',
      path: () => path(transaction.transaction_uuid),
      accepts: ['key', 'token'],
    });

    it('answers an error for a transaction that is not accessible', async () => {
      const get = (uuid: string, lang = 'en') => context.client.request('get', path(uuid)).set('Lang', lang);
      const fault = { transaction_uuid: 'INVALID_UUID' };
      expectError(await get('x'), 422, 'VALIDATION_FAILED', fault);
      expectError(await get('x', 'de'), 422, 'VALIDATION_FAILED', fault, 'de');
      expectError(await get(randomUUID()), 404, 'TRANSACTION_NOT_FOUND');
      expectError(await get(randomUUID(), 'de'), 404, 'TRANSACTION_NOT_FOUND', {}, 'de');
      const byOther = () => context.otherClient.request('get', path(transaction.transaction_uuid));
      expectError(await byOther(), 403, 'NOT_YOUR_TRANSACTION');
      expectError(await byOther().set('Lang', 'de'), 403, 'NOT_YOUR_TRANSACTION', {}, 'de');
    });

    it('rejects a token for another identity, connection or integration', async () => {
      const get = (token: string, uuid: string) => context.client.requestWithToken(token, 'get', path(uuid));
      expectError(await get(context.token, foreign), 403, 'NOT_YOUR_TRANSACTION');
      const other = await context.client.createToken(context.identity, {
        connection_uuid: await context.createConnection(),
      });
      expectError(await get(other, transaction.transaction_uuid), 403, 'NOT_ALLOWED_BY_TOKEN');
      const mail = await context.client.createToken(context.identity, { integration_id: 'imap' });
      expectError(await get(mail, transaction.transaction_uuid), 403, 'NOT_ALLOWED_BY_TOKEN');
      const bound = await context.client.createToken(context.identity, { connection_uuid: connection });
      await get(bound, transaction.transaction_uuid).expect(200);
    });
  });

  describe('in the console', () => {
    const contents = () => {
      const { transaction_uuid: uuid } = transaction;
      return [document(uuid), `${one(uuid)}/readable`, `${one(uuid)}/renditions/${foreign}`];
    };

    it('is recorded in the audit log before it is sent', async () => {
      const session = await openConsole(context.app, context.client.environmentUuid);
      const { body } = await session
        .request('get', contents()[0]!)
        .set('Accept', 'application/octet-stream')
        .expect(200);
      expect(sha256(body as Buffer)).toBe(transaction.document.sha256);
      for (const path of contents().slice(1)) await session.request('get', path).expect(404);
      await pull().expect(200);
      const entries = await context.query(
        `select actor, subject_uuid, details from audit_log where action = 'document.open' order by uuid`,
      );
      const entry = { actor: `console:${session.sessionUuid}`, subject_uuid: transaction.transaction_uuid };
      expect(entries).toEqual([
        { ...entry, details: {} },
        { ...entry, details: {} },
        { ...entry, details: { rendition_id: foreign } },
      ]);
    });

    it('follows the same rules with a UI token that a session has issued', async () => {
      const { environmentUuid } = context.client;
      const session = await openConsole(context.app, environmentUuid);
      const issued = await session
        .request('post', '/v1/token')
        .send({ identity_uuid: context.identity, return_url: 'https://app.example.com/', connection_uuid: connection })
        .expect(201);
      const { token } = (issued.body as { data: { token: string } }).data;
      const withToken = (path: string) => context.client.requestWithToken(token, 'get', path);
      const recorded = () =>
        context.query(`select action, actor, subject_uuid, details from audit_log order by uuid desc limit 2`);
      await withToken(contents()[0]!).expect(200);
      const actor = `console:${session.sessionUuid}`;
      const details = { connection_uuid: connection, integration_id: null };
      expect(await recorded()).toEqual([
        {
          action: 'document.open',
          actor: `token:${context.identity}`,
          subject_uuid: transaction.transaction_uuid,
          details: { console_session_uuid: session.sessionUuid },
        },
        { action: 'token.issue', actor, subject_uuid: context.identity, details },
      ]);
      const update = context.app.app.get(UpdateEnvironment, { strict: false });
      await update.update('test', environmentUuid, { consoleContent: false });
      for (const path of contents()) expectError(await withToken(path), 403, 'CONSOLE_CONTENT_FORBIDDEN');
      await withToken(`/v1/connections/${connection}`).expect(200);
      await withToken(one(transaction.transaction_uuid)).expect(200);
      const ofKey = await context.client.createToken(context.identity);
      await context.client.requestWithToken(ofKey, 'get', contents()[0]!).expect(200);
      await update.update('test', environmentUuid, { consoleContent: true });
    });

    it('can be forbidden by the environment, for every role', async () => {
      const update = context.app.app.get(UpdateEnvironment, { strict: false });
      const { environmentUuid } = context.client;
      const opened = async () => (await context.query(`select 1 from audit_log where action = 'document.open'`)).length;
      const before = await opened();
      await update.update('test', environmentUuid, { consoleContent: false });
      for (const role of ['DEVELOPER', 'SUPPORT'] as const) {
        const session = await openConsole(context.app, environmentUuid, role);
        for (const path of contents())
          expectError(await session.request('get', path), 403, 'CONSOLE_CONTENT_FORBIDDEN');
        expectError(
          await session.request('get', contents()[0]!).set('Lang', 'de'),
          403,
          'CONSOLE_CONTENT_FORBIDDEN',
          {},
          'de',
        );
        await session.request('get', one(transaction.transaction_uuid)).expect(200);
      }
      await pull().expect(200);
      expect(await opened()).toBe(before);
      await update.update('test', environmentUuid, { consoleContent: true });
    });
  });

  it('shows a transaction like the list', async () => {
    const { body } = await context.client.request('get', one(transaction.transaction_uuid)).expect(200);
    expect(body).toEqual({ data: transaction });
  });

  it.each(['application/json', '*/*', 'text/html', 'application/json, application/octet-stream;q=0.5'])(
    'returns the push payload as JSON for Accept: %s',
    async (accept) => {
      const { body, headers } = await pull({ Accept: accept, 'Accept-Encoding': 'identity' }).expect(200);
      expect(headers['content-type']).toMatch(/^application\/json/);
      const { base64, ...file } = body.data.document as { base64: string; filename: string };
      expect(body.data).toEqual({
        client_identifier: 'identity',
        identity_uuid: context.identity,
        connection_uuid: connection,
        transaction_uuid: transaction.transaction_uuid,
        document_type: 'invoice',
        external_id: expect.stringMatching(/^SBX-/),
        document: { base64, ...file },
        metadata: expect.objectContaining({ currency: 'EUR' }),
      });
      expect(file).toEqual({ filename: transaction.document.filename, mime_type: 'application/pdf' });
      expect(sha256(Buffer.from(base64, 'base64'))).toBe(transaction.document.sha256);
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(JSON.stringify(body)));
    },
  );

  it.each(['application/pdf', 'application/pdf, application/json;q=0.5', 'image/png, application/pdf'])(
    'returns the bytes with their own type for Accept: %s',
    async (accept) => {
      const { body, headers } = await raw({ Accept: accept }).expect(200);
      expect(sha256(body as Buffer)).toBe(transaction.document.sha256);
      expect(headers['content-type']).toBe('application/pdf');
      expect(headers['content-disposition']).toMatch(/^attachment/);
      expect(headers).not.toHaveProperty('content-language');
    },
  );

  it('returns the bytes with file name, length and ETag', async () => {
    const { body, headers } = await raw().expect(200);
    expect(sha256(body as Buffer)).toBe(transaction.document.sha256);
    expect(bytes).toHaveLength(transaction.document.size);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(transaction.document.size),
      'accept-ranges': 'bytes',
      etag: `"${transaction.document.sha256}"`,
      'cache-control': 'private, no-store',
      vary: expect.stringContaining('Accept'),
    });
    expect(headers['content-disposition']).toBe(`attachment; filename=${transaction.document.filename}`);
  });

  it('sends a non-ASCII file name twice (RFC 6266): in ASCII and encoded', async () => {
    const { transaction_uuid } = await first(`connection_uuid=${connection}&document_type=credit_note`);
    await context.query('update transaction set filename = $2 where uuid = $1', [
      transaction_uuid,
      'Größe "1" – 5 €.pdf',
    ]);
    const answer = await context.client
      .request('get', document(transaction_uuid))
      .set('Accept', 'application/octet-stream');
    const [, ascii, exact] = /^attachment; filename="([ -~]+)"; filename\*=UTF-8''(\S+)$/.exec(
      answer.headers['content-disposition']!,
    )!;
    expect(ascii).toMatch(/\.pdf$/);
    expect(decodeURIComponent(exact!)).toBe('Größe "1" – 5 €.pdf');
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=262143-262144', 262_143, 262_144],
    ['bytes=262144-', 262_144, null],
    ['bytes=-10', -10, null],
    ['bytes=100-99999999', 100, null],
    ['bytes=-99999999', 0, null],
  ])('returns the range %s', async (range, from, to) => {
    const { body, headers } = await raw({ Range: range }).expect(206);
    const size = bytes.length;
    const [start, end] = [from < 0 ? size + from : from, to ?? size - 1];
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${size}`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect((body as Buffer).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.each(['bytes=99999999-', 'bytes=-0'])('answers 416 for the range %s', async (range) => {
    const answer = await raw({ Range: range });
    expectError(answer, 416, 'RANGE_NOT_SATISFIABLE');
    expect(answer.headers['content-range']).toBe(`bytes */${bytes.length}`);
  });

  it.each(['bytes=0-1,5-6', 'lines=1-2', 'bytes=abc'])('returns all bytes for the range %s', async (range) => {
    const { body } = await raw({ Range: range }).expect(200);
    expect((body as Buffer).equals(bytes)).toBe(true);
  });

  it('returns a range only when If-Range matches', async () => {
    const etag = `"${transaction.document.sha256}"`;
    await raw({ Range: 'bytes=0-1', 'If-Range': etag }).expect(206);
    await raw({ Range: 'bytes=0-1', 'If-Range': '"other"' }).expect(200);
  });

  it.each(['bytes=0-9', 'bytes=99999999-'])(
    'answers HEAD like GET without the range %s (RFC 9110 14.2)',
    async (range) => {
      const { headers } = await context.client
        .request('head', document(transaction.transaction_uuid))
        .set({ Accept: 'application/octet-stream', Range: range })
        .expect(200);
      expect(headers).toMatchObject({ 'content-length': String(bytes.length), 'accept-ranges': 'bytes' });
      expect(headers).not.toHaveProperty('content-range');
    },
  );

  it('answers 304 to a conditional request', async () => {
    const etag = `"${transaction.document.sha256}"`;
    const answer = await raw({ 'If-None-Match': etag }).expect(304);
    expect(answer.text ?? '').toBe('');
    expect(answer.headers.etag).toBe(etag);
    await raw({ 'If-None-Match': '"other"' }).expect(200);
    await raw({ 'If-None-Match': etag, Range: 'bytes=0-1' }).expect(304);
  });

  it('answers 404 once the content has been purged, and keeps the record', async () => {
    const { transaction_uuid } = await first(`connection_uuid=${connection}&document_type=credit_note`);
    await context.query('update transaction set content_uuid = null where uuid = $1', [transaction_uuid]);
    const get = () => context.client.request('get', document(transaction_uuid));
    expectError(await get(), 404, 'DOCUMENT_NOT_AVAILABLE');
    expectError(
      await get().set('Accept', 'application/octet-stream').set('Lang', 'de'),
      404,
      'DOCUMENT_NOT_AVAILABLE',
      {},
      'de',
    );
    await context.client.request('get', one(transaction_uuid)).expect(200);
  });

  it('is deleted with its connection', async () => {
    const uuid = await connectionWithDocuments(context, { documents: 1 });
    const { transaction_uuid } = await first(`connection_uuid=${uuid}`);
    await context.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expectError(await context.client.request('get', one(transaction_uuid)), 404, 'TRANSACTION_NOT_FOUND');
    expectError(await context.client.request('get', document(transaction_uuid)), 404, 'TRANSACTION_NOT_FOUND');
  });
});
