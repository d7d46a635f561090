import {
  createToken,
  DocfetchConnectionError,
  fetchNow,
  getConnection,
  listConnections,
  listIdentities,
  loadMoreOptions,
  saveStep2,
  updateConnection,
} from '../../sdk/typescript/dist/index.js';
import { eventually } from '../harness/eventually';
import type { ScriptedResponse } from './scripted-server';
import { errorOf, KEY, OK, path, refusal, UUID, useSdk } from './use-sdk';

describe('The SDK', () => {
  const { server, docfetch } = useSdk();
  /** A request that comes later would be one of the next test. */
  const requested = () => eventually(() => Promise.resolve(server.seen.length > 0), 'the request has come');

  describe('credentials and language', () => {
    it.each([
      ['both where either will do', () => getConnection({ client: docfetch(), path }), { key: KEY, token: 'a.b.c' }],
      ['only the token', () => listConnections({ client: docfetch() }), { token: 'a.b.c' }],
      ['only the key', () => listIdentities({ client: docfetch() }), { key: KEY }],
      [
        'a token that is fetched for each request',
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

    it('escapes path parameters', async () => {
      server.script(OK);
      await loadMoreOptions({ client: docfetch(), path: { uuid: UUID, field_id: '../a b?c' }, body: {} });
      expect(server.seen[0]!.url).toBe(`/v1/connections/${UUID}/step2/..%2Fa%20b%3Fc/more`);
    });

    it('does not send the key to redirect targets', async () => {
      server.script({ status: 302, headers: { location: `${server.url}/elsewhere` } });
      expect((await errorOf(getConnection({ client: docfetch(), path }))).code).toBe('UNEXPECTED_ANSWER');
      expect(server.seen).toHaveLength(1);
    });
  });

  describe('answers', () => {
    it('are the response body, and nothing for 204', async () => {
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

    it.each<[string, ScriptedResponse]>([
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
      const act = getConnection({ client: docfetch({ maxRetries: 0, timeoutMs: 500 }), path });
      await expect(act).rejects.toThrow(new DocfetchConnectionError('No response within 500 ms'));
      await requested();
    });

    it('are no longer awaited when the caller gives up, and the caller’s reason comes back', async () => {
      server.script('never answer');
      const reason = new Error('the user has left');
      const controller = new AbortController();
      const act = getConnection({ client: docfetch(), path, signal: controller.signal });
      void requested().then(() => controller.abort(reason));
      await expect(act).rejects.toBe(reason);
      expect(server.seen).toHaveLength(1);
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
