import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { GuardedNetwork } from '../../../platform/network/guarded-network';
import { AuthorizationRevoked, UnexpectedResponse, DocumentUnavailable, Transient } from '../../core/source-errors';
import { ConnectionLost } from '../tree-sync/files/resumable-read';
import { RestClient } from './rest-client';
import type { ErrorResponse, RestOptions, UnsignedRequest } from './rest-request';
import { rejectionOf } from '../../../../test/harness/rejection-of';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const network = new GuardedNetwork({ allow: ['127.0.0.0/8'] });
const requests: IncomingMessage[] = [];
const content = randomBytes(300_000);
let server: Server;
let handle: Handler;
let tokens: string[];
let errorResponses: ErrorResponse[];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  requests.length = 0;
  errorResponses = [];
  tokens = ['first', 'second'];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await network.close();
});

function client(more: Partial<RestOptions> = {}, signal = new AbortController().signal): RestClient {
  const session = {
    network,
    signal,
    apiBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    accessToken: (refused?: string) => {
      if (refused === tokens[0]) tokens.shift();
      return tokens[0] === undefined
        ? Promise.reject(new AuthorizationRevoked('There is no other.'))
        : Promise.resolve(tokens[0]);
    },
  };
  const classify = (response: ErrorResponse) => {
    errorResponses.push(response);
    return new DocumentUnavailable('As the provider means it.', false);
  };
  return new RestClient(session, { provider: 'Example', classify, ...more });
}
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const authorizations = () => requests.map(({ headers }) => headers.authorization);

describe('A request', () => {
  it('sends the token and the parameters, lists as repeated ones', async () => {
    handle = (_, response) => json(response, 200, { a: 1 });
    const query = { q: "a & 'b'", none: undefined, ids: ['x', 'y'], flag: true };
    expect(await client().json('/things', query)).toEqual({ a: 1 });
    expect(requests[0]!.url).toBe('/base/things?q=a+%26+%27b%27&ids=x&ids=y&flag=true');
    expect(authorizations()).toEqual(['Bearer first']);
  });

  it('is retried once with a new token', async () => {
    handle = ({ headers }, response) => json(response, headers.authorization === 'Bearer second' ? 200 : 401, {});
    await client().json('/');
    expect(authorizations()).toEqual(['Bearer first', 'Bearer second']);
  });

  it('that is rejected with a fresh token means a revoked authorization', async () => {
    handle = (_, response) => json(response, 401, {});
    expect(await rejectionOf(client().json('/'))).toBeInstanceOf(AuthorizationRevoked);
    expect([requests.length, errorResponses]).toEqual([2, []]);
  });

  it('whose answer has no content (204) has an empty list', async () => {
    handle = (_, response) => response.writeHead(204).end();
    expect((await client().exchange({ path: '/' })).body).toEqual([]);
  });

  it('is signed as it is sent, each one for itself, and no token is asked for', async () => {
    const signed: UnsignedRequest[] = [];
    const sign = (request: UnsignedRequest) => {
      signed.push(request);
      return Promise.resolve({ authorization: `Signature ${signed.length}` });
    };
    handle = (_, response) => json(response, 200, {});
    const signing = client({ sign, headers: { 'x-version': '1' } });
    await signing.json('/things', { q: 'a b' });
    await signing.post('/things', { a: 1 });
    expect(authorizations()).toEqual(['Signature 1', 'Signature 2']);
    expect(signed.map(({ method, url, body }) => `${method} ${url.pathname}${url.search} ${body}`)).toEqual([
      'GET /base/things?q=a+b ',
      'POST /base/things {"a":1}',
    ]);
    expect(signed[1]!.headers).toMatchObject({ 'x-version': '1', 'content-type': 'application/json' });
    expect(tokens).toEqual(['first', 'second']);
  });

  it('that is signed is classified by the provider also when it is rejected', async () => {
    handle = (_, response) => json(response, 401, {});
    const signing = client({ sign: () => Promise.resolve({ authorization: 'Signature' }) });
    expect(await rejectionOf(signing.json('/'))).toBeInstanceOf(DocumentUnavailable);
    expect([requests.length, errorResponses.length]).toEqual([1, 1]);
  });

  it('with a key is not retried; the provider classifies 401', async () => {
    handle = (_, response) => json(response, 401, { why: 'key' });
    expect(await rejectionOf(client({ authorization: 'Key abc' }).json('/'))).toBeInstanceOf(DocumentUnavailable);
    expect(authorizations()).toEqual(['Key abc']);
    expect(errorResponses).toMatchObject([{ status: 401, body: { why: 'key' } }]);
  });

  it('does not follow redirects with the token', async () => {
    handle = (_, response) => json(response, 302, '', { location: 'http://127.0.0.1:1/elsewhere' });
    expect(await rejectionOf(client().json('/'))).toBeInstanceOf(DocumentUnavailable);
    expect([requests.length, errorResponses[0]?.status]).toEqual([1, 302]);
  });

  it('without a JSON response is UnexpectedResponse, and without a response transient', async () => {
    for (const body of ['<html>', '"text"', '7', '', '{"cut": ']) {
      handle = (_, response) => json(response, 200, body);
      expect(await rejectionOf(client().json('/'))).toBeInstanceOf(UnexpectedResponse);
    }
    handle = ({ socket }) => socket.destroy();
    expect(await rejectionOf(client().json('/'))).toBeInstanceOf(Transient);
    handle = (_, response) => response.write('{"a":', () => response.destroy());
    expect(await rejectionOf(client().json('/'))).toBeInstanceOf(Transient);
  });

  it('with too large a response is aborted', async () => {
    let sent = 0;
    handle = (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const more = (): void => {
        while (!response.destroyed && (sent += chunk.length) < 200 * chunk.length && response.write(chunk));
      };
      response.on('drain', more);
      more();
    };
    expect(await rejectionOf(client().json('/'))).toBeInstanceOf(UnexpectedResponse);
    expect(sent).toBeLessThan(100 * 1024 * 1024);
  });

  it('ends with the signal’s reason', async () => {
    const abort = new AbortController();
    const reason = new Error('The service shuts down.');
    handle = () => abort.abort(reason);
    expect(await rejectionOf(client({}, abort.signal).json('/'))).toBe(reason);
  });
});

describe('A download', () => {
  /** Returns the content from the requested position up to the next of these positions. */
  const upTo = (cuts: number[], before: Handler = () => undefined): void => {
    handle = (request, response) => {
      before(request, response);
      if (response.writableEnded) return;
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const headers = { 'content-length': content.length - from, 'content-type': 'application/pdf; charset=x' };
      const range = `bytes ${from}-${content.length - 1}/${content.length}`;
      response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...headers, 'content-range': range } : headers);
      const cut = cuts.shift();
      if (cut === undefined) response.end(content.subarray(from));
      else if (cut <= from) response.write('', () => response.destroy());
      else response.write(content.subarray(from, cut), () => response.destroy());
    };
  };
  const read = async (more?: { givesRest: boolean }) => buffer((await client().bytes('/file', {}, more)).stream);

  it('resumes after a broken connection as long as bytes arrive', async () => {
    upTo([50_000, 120_000, 180_000, 240_000, 299_999]);
    const { stream, size, mimeType } = await client().bytes('/file');
    expect([size, mimeType]).toEqual([content.length, 'application/pdf']);
    expect((await buffer(stream)).equals(content)).toBe(true);
    expect(requests).toHaveLength(6);
  });

  it('resumes with a new token when the old one has expired', async () => {
    upTo([100_000], ({ headers }, response) => {
      if (headers.range && headers.authorization !== 'Bearer second') json(response, 401, {});
    });
    expect((await read()).equals(content)).toBe(true);
    expect(authorizations()).toEqual(['Bearer first', 'Bearer first', 'Bearer second']);
  });

  it('fails when no more bytes arrive', async () => {
    upTo([100_000, 0, 0, 0, 0, 0]);
    expect(await rejectionOf(read())).toBeInstanceOf(ConnectionLost);
    expect(requests.length).toBeLessThan(5);
  });

  it.each([
    ['the whole again', 200, {}],
    ['another part', 206, { 'content-range': `bytes 5-299999/300000` }],
    ['a part that says nothing of itself', 206, {}],
  ])('rejects %s as a continuation', async (_, status, headers) => {
    upTo([100_000], ({ headers: { range } }, response) => {
      if (range) response.writeHead(status, headers).end(content);
    });
    expect(await rejectionOf(read())).toBeInstanceOf(Transient);
  });

  it('whose continuation is rejected fails with the provider’s error', async () => {
    upTo([100_000], ({ headers: { range } }, response) => {
      if (range) json(response, 404, {});
    });
    expect(await rejectionOf(read())).toBeInstanceOf(DocumentUnavailable);
  });

  it('from an API without ranges fails when the connection breaks', async () => {
    upTo([100_000]);
    expect(await rejectionOf(read({ givesRest: false }))).toBeInstanceOf(ConnectionLost);
    expect(requests).toHaveLength(1);
  });
});
