import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createConnection,
  deleteConnection,
  DocfetchConnectionError,
  downloadDocument,
  getConnection,
  getReadable,
  pullDocument,
} from '../../sdk/typescript/dist/index.js';
import type { ScriptedResponse } from './scripted-server';
import { body, errorOf, OK, path, UUID, useSdk } from './use-sdk';

const at = { transaction_uuid: UUID };
const LOGIN: ScriptedResponse = { status: 200, body: '<h1>Sign in</h1>' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('Answers that are not of the service, and answers that are lost', () => {
  const { server, docfetch } = useSdk();

  const raw =
    (headers: Record<string, string>, send: (response: ServerResponse) => void): ScriptedResponse =>
    (response) => {
      response.writeHead(200, headers);
      send(response);
    };

  it.each<[string, ScriptedResponse]>([
    ['a page', LOGIN],
    ['nothing', raw(JSON_TYPE, (response) => response.end())],
    ['no type', raw({}, (response) => response.end('{}'))],
    ['half of JSON', raw(JSON_TYPE, (response) => response.end('{"data":'))],
  ])('are errors also when they are successes: %s', async (_, answer) => {
    server.script(answer);
    expect(await errorOf(getConnection({ client: docfetch(), path }))).toMatchObject({
      status: 200,
      code: 'UNEXPECTED_ANSWER',
    });
    expect((await errorOf(pullDocument({ client: docfetch(), path: at }))).code).toBe('UNEXPECTED_ANSWER');
  });

  it('are no deletion and no document', async () => {
    server.script(LOGIN);
    expect((await errorOf(deleteConnection({ client: docfetch(), path }))).code).toBe('UNEXPECTED_ANSWER');
    expect((await errorOf(downloadDocument({ client: docfetch(), path: at }))).code).toBe('UNEXPECTED_ANSWER');
    expect(await getReadable({ client: docfetch(), path: at })).toBe('<h1>Sign in</h1>');
  });

  it('may have no content, for which browsers have an empty stream', async () => {
    const fetch = () => {
      const response = new Response(null, { status: 204 });
      return Promise.resolve(Object.defineProperty(response, 'body', { value: new Blob([]).stream() }));
    };
    await expect(deleteConnection({ client: docfetch({ fetch, maxRetries: 0 }), path })).resolves.not.toThrow();
  });

  it('are requested again when they break off', async () => {
    const broken = raw({ ...JSON_TYPE, 'content-length': '100' }, (response) => {
      response.write('{"data":', () => response.destroy());
    });
    server.script(broken, OK);
    expect(await getConnection({ client: docfetch(), path })).toEqual({ data: { uuid: UUID } });
    server.script(broken, { status: 201, body: { data: { uuid: UUID } } });
    await createConnection({ client: docfetch(), body });
    expect(server.seen).toHaveLength(2);
    server.script(broken);
    await expect(getConnection({ client: docfetch({ maxRetries: 0 }), path })).rejects.toThrow(DocfetchConnectionError);
  });

  const bytes = (length: number, send: (response: ServerResponse) => void) =>
    raw({ 'content-disposition': 'attachment', 'content-length': String(length) }, send);
  const download = async (timeoutMs: number, signal?: AbortSignal) =>
    text((await downloadDocument({ client: docfetch({ timeoutMs }), path: at, signal })).stream);

  it('may take longer than the time limit as long as bytes arrive', async () => {
    server.script(
      bytes(4, (response) => {
        let left = 4;
        const timer = setInterval(() => {
          response.write('x');
          if (--left > 0) return;
          clearInterval(timer);
          response.end();
        }, 400);
      }),
    );
    expect(await download(1_500)).toBe('xxxx');
  });

  it('are errors of the connection when they stall or end early', async () => {
    server.script(bytes(4, (response) => response.write('x')));
    await expect(download(1_000)).rejects.toThrow(new DocfetchConnectionError('No response within 1000 ms'));
    server.script(bytes(4, (response) => response.write('x', () => response.destroy())));
    await expect(download(60_000)).rejects.toThrow(DocfetchConnectionError);
  });

  it('end when the caller gives up', async () => {
    const reason = new Error('the user has left');
    const controller = new AbortController();
    server.script(bytes(4, (response) => response.write('x', () => controller.abort(reason))));
    await expect(download(60_000, controller.signal)).rejects.toBe(reason);
  });

  it('are waited for as long as the service says, and pauses of the client are not limited by it', async () => {
    server.script({ status: 503, body: 'busy' }, OK);
    expect(await getConnection({ client: docfetch({ maxRetryWaitMs: 0 }), path })).toEqual({ data: { uuid: UUID } });
  });

  const SECRET = 'df_live_secret';

  it.each([SECRET, `https://u:${SECRET}@app.example.com`, `https://app.example.com/?${SECRET}`, 'https://a/#b'])(
    'do not come from an invalid address, and the message does not show it: %s',
    (baseUrl) => {
      expect(() => docfetch({ baseUrl })).toThrow(TypeError);
      expect(() => docfetch({ baseUrl })).not.toThrow(SECRET);
    },
  );

  it.each([`${SECRET}\n`, `${SECRET} x`, `${SECRET}€`, `${SECRET}\0`])(
    'do not come for credentials that are none, and the message does not show them: %j',
    async (value) => {
      server.script(OK);
      for (const credentials of [{ apiKey: value }, { token: () => Promise.resolve(value) }]) {
        const failure = getConnection({ client: docfetch(credentials), path });
        await expect(failure).rejects.toThrow(TypeError);
        await expect(failure).rejects.not.toThrow(SECRET);
      }
      expect(server.seen).toHaveLength(0);
    },
  );
});
