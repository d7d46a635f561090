import {
  createConnection,
  createDocfetch,
  createToken,
  deleteConnection,
  DocfetchConnectionError,
  DocfetchError,
  type DocfetchOptions,
  downloadDocument,
  fetchNow,
  getConnection,
  listConnections,
  listIdentities,
  loadMoreOptions,
  paginate,
  pollTransactions,
  pullDocument,
  saveStep2,
  updateConnection,
} from '../../sdk/typescript/dist/index.js';
import { aScriptedServer, type Answer, type ScriptedServer } from './a-server';

const UUID = '0198f6a0-7d5c-7000-8000-000000000001';
const KEY = `df_test_${'A'.repeat(43)}`;
const OK: Answer = { status: 200, body: { data: { uuid: UUID } } };

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: {
    type: `https://docfetch.test/docs/errors#${code}`,
    title: 'Title',
    status,
    code,
    detail: 'A sentence.',
    request_id: 'req_1',
    errors: [{ field: 'name', code: 'REQUIRED', message: 'Name is required.' }],
  },
});

describe('The SDK', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await aScriptedServer();
  });
  afterAll(() => server.stop());

  const docfetch = (more: Partial<DocfetchOptions> = {}) =>
    createDocfetch({ baseUrl: server.url, apiKey: KEY, token: 'a.b.c', ...more });
  const path = { uuid: UUID };
  const body = { integration_id: 'sandbox', name: 'Portal', identity_uuid: UUID, fields: {} };
  const errorOf = async (act: Promise<unknown>): Promise<DocfetchError> => {
    const error: unknown = await act.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(DocfetchError);
    return error as DocfetchError;
  };

  describe('credentials and language', () => {
    it.each([
      ['both where either will do', () => getConnection({ client: docfetch(), path }), { key: KEY, token: 'a.b.c' }],
      ['only the token', () => listConnections({ client: docfetch() }), { token: 'a.b.c' }],
      ['only the key', () => listIdentities({ client: docfetch() }), { key: KEY }],
      [
        'a token that is got anew for each request',
        () => listConnections({ client: docfetch({ token: () => Promise.resolve('d.e.f') }) }),
        { token: 'd.e.f' },
      ],
      ['no empty header', () => getConnection({ client: docfetch({ token: undefined }), path }), { key: KEY }],
    ])('sends %s', async (_, act, expected) => {
      server.script(OK);
      await act();
      const { headers } = server.seen[0]!;
      expect({ key: headers['x-api-key'], token: headers['x-token'] }).toEqual({
        key: undefined,
        token: undefined,
        ...expected,
      });
    });

    it('asks in the language of the client, or of the call', async () => {
      server.script(OK);
      await getConnection({ client: docfetch({ lang: 'de' }), path });
      await getConnection({ client: docfetch({ lang: 'de' }), path, headers: { Lang: 'en' } });
      await getConnection({ client: docfetch(), path });
      expect(server.seen.map(({ headers }) => headers.lang)).toEqual(['de', 'en', undefined]);
    });

    it('does not mind a slash at the end of the address, or a path in it', async () => {
      server.script(OK);
      await getConnection({ client: docfetch({ baseUrl: `${server.url}/` }), path });
      await getConnection({ client: docfetch({ baseUrl: `${server.url}/below/` }), path });
      expect(server.seen.map(({ url }) => url)).toEqual([`/v1/connections/${UUID}`, `/below/v1/connections/${UUID}`]);
    });

    it.each(['', 'app.example.com', 'ftp://app.example.com'])('refuses the address %p', (baseUrl) => {
      expect(() => docfetch({ baseUrl })).toThrow(TypeError);
    });

    it('escapes what stands in a path', async () => {
      server.script(OK);
      await loadMoreOptions({ client: docfetch(), path: { uuid: UUID, field_id: '../a b?c' }, body: {} });
      expect(server.seen[0]!.url).toBe(`/v1/connections/${UUID}/step2/..%2Fa%20b%3Fc/more`);
    });

    it('keeps the key to itself when something redirects', async () => {
      server.script({ status: 302, headers: { location: `${server.url}/elsewhere` } });
      expect((await errorOf(getConnection({ client: docfetch(), path }))).code).toBe('UNEXPECTED_ANSWER');
      expect(server.seen).toHaveLength(1);
    });
  });

  describe('answers', () => {
    it('are what the service says, and nothing at 204', async () => {
      server.script(OK, { status: 204 });
      expect(await updateConnection({ client: docfetch(), path, body: { name: 'x' } })).toEqual({
        data: { uuid: UUID },
      });
      expect(await updateConnection({ client: docfetch(), path, body: { name: 'x' } })).toBeNull();
      expect(await saveStep2({ client: docfetch(), path, body: { fields: {} } })).toBeNull();
    });

    it('are errors with everything that the service says', async () => {
      server.script(refusal(429, 'FETCH_QUOTA_EXCEEDED', { 'retry-after': '3600' }));
      const error = await errorOf(fetchNow({ client: docfetch(), path }));
      expect({ ...error, message: error.message }).toEqual({
        name: 'DocfetchError',
        message: '429 FETCH_QUOTA_EXCEEDED: A sentence. (req_1)',
        status: 429,
        code: 'FETCH_QUOTA_EXCEEDED',
        title: 'Title',
        detail: 'A sentence.',
        type: 'https://docfetch.test/docs/errors#FETCH_QUOTA_EXCEEDED',
        requestId: 'req_1',
        errors: [{ field: 'name', code: 'REQUIRED', message: 'Name is required.' }],
        retryAfter: 3600,
      });
    });

    it.each<[string, Answer]>([
      ['a page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>', headers: { 'x-request-id': 'r' } }],
      ['nothing', { status: 502, headers: { 'x-request-id': 'r' } }],
      ['another JSON', { status: 502, body: { error: 'nope' }, headers: { 'x-request-id': 'r' } }],
    ])('are errors also when they are not of the service: %s', async (_, answer) => {
      server.script(answer);
      const error = await errorOf(getConnection({ client: docfetch({ maxRetries: 0 }), path }));
      expect(error).toMatchObject({ status: 502, code: 'UNEXPECTED_ANSWER', requestId: 'r', errors: [] });
    });

    it('can say when to come back with a date', async () => {
      const soon = new Date(Date.now() + 500_000).toUTCString();
      server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': soon }));
      const { retryAfter } = await errorOf(getConnection({ client: docfetch(), path }));
      expect(retryAfter).toBeGreaterThan(300);
      expect(retryAfter).toBeLessThanOrEqual(500);
    });

    it('that do not come are errors of the connection', async () => {
      server.script('hang up');
      const act = getConnection({ client: docfetch({ maxRetries: 0 }), path });
      await expect(act).rejects.toThrow(DocfetchConnectionError);
    });

    it('that do not come in time are errors of the connection', async () => {
      server.script('never answer');
      const act = getConnection({ client: docfetch({ maxRetries: 0, timeoutMs: 50 }), path });
      await expect(act).rejects.toThrow(new DocfetchConnectionError('No answer within 50 ms'));
    });

    it('are no longer awaited when the caller gives up, and the caller’s reason comes back', async () => {
      server.script('never answer');
      const reason = new Error('the user has left');
      const controller = new AbortController();
      const act = getConnection({ client: docfetch(), path, signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await expect(act).rejects.toBe(reason);
      expect(server.seen.length).toBeLessThanOrEqual(1);
    });
  });

  describe('retrying', () => {
    const soon = { 'retry-after': '0' };

    it.each<[string, Answer]>([
      ['429', refusal(429, 'RATE_LIMITED', soon)],
      ['500', refusal(500, 'INTERNAL_ERROR', soon)],
      ['503', { status: 503, body: 'busy' }],
      ['a broken connection', 'hang up'],
    ])('repeats what changes nothing after %s', async (_, fault) => {
      server.script(fault, fault, OK);
      expect(await getConnection({ client: docfetch(), path })).toEqual({ data: { uuid: UUID } });
      expect(server.seen).toHaveLength(3);
      server.script(fault, { status: 204 });
      await deleteConnection({ client: docfetch(), path });
      expect(server.seen).toHaveLength(2);
    });

    it('ends with the last answer', async () => {
      server.script(refusal(503, 'X', soon));
      expect((await errorOf(getConnection({ client: docfetch(), path }))).status).toBe(503);
      expect(server.seen).toHaveLength(3);
      server.script(refusal(503, 'X', soon));
      await errorOf(getConnection({ client: docfetch({ maxRetries: 4 }), path }));
      expect(server.seen).toHaveLength(5);
      server.script(refusal(503, 'X', soon));
      await errorOf(getConnection({ client: docfetch({ maxRetries: 0 }), path }));
      expect(server.seen).toHaveLength(1);
    });

    it('does not repeat what was refused', async () => {
      for (const status of [401, 403, 404, 409, 413, 422]) {
        server.script(refusal(status, 'SCHEDULED_FETCH_DUE', soon));
        await errorOf(fetchNow({ client: docfetch(), path }));
        expect(server.seen).toHaveLength(1);
      }
    });

    it('waits as long as it is told, and does not when that is too long', async () => {
      const started = performance.now();
      server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }), OK);
      await getConnection({ client: docfetch(), path });
      expect(performance.now() - started).toBeGreaterThan(990);
      server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '2' }), OK);
      const error = await errorOf(getConnection({ client: docfetch({ maxRetryWaitMs: 1_999 }), path }));
      expect(error.retryAfter).toBe(2);
      expect(server.seen).toHaveLength(1);
    });

    it.each<[string, Answer]>([
      ['a broken connection', 'hang up'],
      ['503', refusal(503, 'X', soon)],
      ['429', refusal(429, 'RATE_LIMITED', soon)],
      ['an answer that is still being made', refusal(409, 'IDEMPOTENCY_IN_PROGRESS', soon)],
    ])('repeats a POST that creates something after %s, with one and the same key', async (_, fault) => {
      server.script(fault, { status: 201, body: { data: { uuid: UUID } } });
      await createConnection({ client: docfetch(), body });
      expect(server.seen).toHaveLength(2);
      const [first, second] = server.seen;
      expect(first!.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
      expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
      expect(second!.body).toBe(first!.body);
      expect(JSON.parse(second!.body)).toEqual(body);
    });

    it('gives every call a key of its own, and takes the caller’s', async () => {
      server.script({ status: 201, body: { data: {} } });
      await createConnection({ client: docfetch(), body });
      await createConnection({ client: docfetch(), body });
      await createConnection({ client: docfetch(), body, headers: { 'Idempotency-Key': 'mine' } });
      const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(3);
      expect(keys[2]).toBe('mine');
    });

    it('leaves a POST without a key alone, unless nothing was done', async () => {
      const more = () => loadMoreOptions({ client: docfetch(), path: { uuid: UUID, field_id: 'folders' }, body: {} });
      server.script(refusal(503, 'X', soon));
      await errorOf(more());
      expect(server.seen).toHaveLength(1);
      expect(server.seen[0]!.headers).not.toHaveProperty('idempotency-key');
      server.script('hang up');
      await expect(more()).rejects.toThrow(DocfetchConnectionError);
      expect(server.seen).toHaveLength(1);
      server.script(refusal(429, 'RATE_LIMITED', soon), OK);
      await more();
      expect(server.seen).toHaveLength(2);
    });

    it('stops waiting when the caller gives up', async () => {
      const controller = new AbortController();
      server.script(refusal(429, 'RATE_LIMITED', { 'retry-after': '20' }));
      const act = getConnection({ client: docfetch(), path, signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      await expect(act).rejects.toMatchObject({ name: 'AbortError' });
    });
  });

  describe('paginate', () => {
    const page = (data: unknown[], next_cursor: string | null, has_more: boolean): Answer => ({
      status: 200,
      body: { data, meta: { next_cursor, has_more } },
    });

    it('goes on until there is no more, with the same query', async () => {
      server.script(page([1, 2], 'b', true), page([], 'c', true), page([3], 'd', false));
      const seen: unknown[] = [];
      const query = { limit: 2, client_identifier: 'x' };
      for await (const identity of paginate(listIdentities, { client: docfetch(), query })) seen.push(identity);
      expect(seen).toEqual([1, 2, 3]);
      expect(server.seen.map(({ url }) => url)).toEqual([
        '/v1/identities?limit=2&client_identifier=x',
        '/v1/identities?limit=2&client_identifier=x&cursor=b',
        '/v1/identities?limit=2&client_identifier=x&cursor=c',
      ]);
    });

    it('asks for no further page when the caller has enough', async () => {
      server.script(page([1, 2], 'b', true));
      for await (const _ of paginate(listIdentities, { client: docfetch() })) break;
      expect(server.seen).toHaveLength(1);
    });

    it('polls with the cursor behind what was seen, also when nothing comes', async () => {
      server.script(page([], 'end', false), page([], 'end', false), page([1], 'x', true), page([2], 'y', false));
      const pages: unknown[] = [];
      const controller = new AbortController();
      const polling = pollTransactions({
        client: docfetch(),
        cursor: 'now',
        query: { document_type: 'invoice' },
        intervalMs: 1,
        signal: controller.signal,
      });
      for await (const found of polling) {
        pages.push(found);
        if (found.cursor === 'y') controller.abort();
      }
      expect(pages).toEqual([
        { transactions: [], cursor: 'end' },
        { transactions: [1], cursor: 'x' },
        { transactions: [2], cursor: 'y' },
      ]);
      expect(server.seen.map(({ url }) => url.replace('/v1/transactions?document_type=invoice', ''))).toEqual([
        '&cursor=now',
        '&cursor=end',
        '&cursor=end',
        '&cursor=x',
      ]);
    });

    it('ends the polling quietly while it waits or asks', async () => {
      for (const answer of [page([], null, false), 'never answer'] as const) {
        server.script(answer);
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        for await (const _ of pollTransactions({ client: docfetch(), signal: controller.signal })) throw new Error();
      }
    });

    it('ends the polling with what went wrong', async () => {
      server.script(refusal(422, 'VALIDATION_FAILED'));
      await errorOf(pollTransactions({ client: docfetch() }).next());
    });
  });

  describe('documents', () => {
    const at = { transaction_uuid: UUID };

    it('are pulled as JSON unless bytes are wanted', async () => {
      server.script({ status: 200, body: { data: { transaction_uuid: UUID } } });
      expect(await pullDocument({ client: docfetch(), path: at })).toEqual({ data: { transaction_uuid: UUID } });
      expect(server.seen[0]!.headers.accept).toBe('application/json');
    });

    it.each([
      [`attachment; filename="plain.pdf"`, 'plain.pdf'],
      [`attachment; filename=token.pdf`, 'token.pdf'],
      [`attachment; filename="a \\"b\\" c.pdf"`, 'a "b" c.pdf'],
      [`attachment; filename="M?ller.pdf"; filename*=UTF-8''M%C3%BCller%20%26%20S%C3%B6hne.pdf`, 'Müller & Söhne.pdf'],
      [`attachment; filename="x.pdf"; filename*=UTF-8''%E0%A4%A`, 'x.pdf'],
      ['attachment', null],
    ])('have the name of %s', async (disposition, filename) => {
      server.script({ status: 200, headers: { 'content-disposition': disposition }, body: 'abc' });
      const download = await downloadDocument({ client: docfetch(), path: at });
      expect(download).toMatchObject({ filename, sha256: null });
      expect(await new Response(download.stream).text()).toBe('abc');
    });

    it('that have been purged are an error', async () => {
      server.script(refusal(404, 'DOCUMENT_NOT_AVAILABLE'));
      const error = await errorOf(downloadDocument({ client: docfetch(), path: at }));
      expect(error.code).toBe('DOCUMENT_NOT_AVAILABLE');
    });
  });

  it('keeps clients apart', async () => {
    server.script({ status: 201, body: { data: {} } });
    const one = docfetch({ apiKey: 'one', token: undefined });
    const other = docfetch({ apiKey: 'other', token: undefined });
    const request = { identity_uuid: UUID, return_url: 'https://app.example.com/' };
    await Promise.all([createToken({ client: one, body: request }), createToken({ client: other, body: request })]);
    expect(server.seen.map(({ headers }) => headers['x-api-key']).sort()).toEqual(['one', 'other']);
  });
});
