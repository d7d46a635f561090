import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { OpenApiValidator } from '../openapi-validator';
import { AuthorizationServer } from '../oauth/authorization-server';
import { type BoxAnswer, BoxEndpoints, refused } from './box-endpoints';
import { BoxState } from './box-state';

/** Box rejects downloads with read-only access. */
export const SCOPES = ['root_readwrite', 'root_readonly'];

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

/** A fault of a request or of the bytes of its response. */
export interface Fault {
  readonly answer?: BoxAnswer;
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

/**
 * Box on two real sockets, one for its API and one for its downloads: accounts with their trees, folders that others share, paging by
 * markers, tokens that expire, single-use refresh tokens, and faults on command. If Box's own description of the API
 * is on this machine, every exchange is validated against it.
 */
export class FakeBox {
  readonly authorization: AuthorizationServer;
  readonly endpoints: BoxEndpoints;
  /** Every API request. */
  readonly requests: Request[] = [];
  /** Every download request. */
  readonly downloads: Request[] = [];
  /** Called with every request that has a valid token, and with every download request. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** The deviations of the exchanges from Box's description. */
  readonly violations: string[] = [];
  readonly description = OpenApiValidator.find('box.openapi.json');
  private readonly accounts = new Map<string, BoxState>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly api: Server,
    private readonly bytes: Server,
    redirectUri: string,
  ) {
    this.endpoints = new BoxEndpoints(
      (login) => this.files(login),
      () => addressOf(this.bytes),
    );
    this.authorization = new AuthorizationServer(redirectUri, {
      scopes: SCOPES,
      expiresIn: 3_900,
      rotates: true,
      tellsScopes: false,
      isOffline: () => true,
    });
    for (const server of [api, bytes]) {
      server.on('connection', (socket: Socket) => {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket));
      });
    }
    api.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error));
    });
    bytes.on('request', (request: IncomingMessage, response: ServerResponse) => this.download(request, response));
  }

  static async start(redirectUri = 'https://docfetch.test/oauth/callback', port = 0): Promise<FakeBox> {
    const [api, bytes] = [createServer(), createServer()];
    api.listen(port, '127.0.0.1');
    bytes.listen(0, '127.0.0.1');
    await Promise.all([once(api, 'listening'), once(bytes, 'listening')]);
    return new FakeBox(api, bytes, redirectUri);
  }

  get url(): string {
    return addressOf(this.api);
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    const { clientId, clientSecret } = this.authorization;
    return { box: { client: { id: clientId, secret: clientSecret }, oauthBaseUrl: this.url, apiBaseUrl: this.url } };
  }

  /** The files of an account; initially empty. */
  files(login = this.authorization.account): BoxState {
    const known = this.accounts.get(login) ?? new BoxState();
    this.accounts.set(login, known);
    return known;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.api, this.bytes]) server.close();
    await Promise.all([once(this.api, 'close'), once(this.bytes, 'close')]);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const at = `${request.method} ${url.pathname}`;
    if (at === 'GET /api/oauth2/authorize') {
      const { status, headers = {} } = this.authorization.authorize(url.searchParams);
      return void response.writeHead(status, headers).end();
    }
    if (at === 'POST /oauth2/token' || at === 'POST /oauth2/revoke') {
      const form = new URLSearchParams(await text(request));
      const isToken = at.endsWith('token');
      const { status, body } = isToken ? await this.authorization.token(form) : this.authorization.revoke(form);
      return this.give(response, url, 'POST', { status, json: body });
    }
    const asked = requestOf(request, url);
    this.requests.push(asked);
    const grant = this.authorization.accepts(asked.authorization);
    if (!grant) return this.give(response, url, asked.method, refused(401, 'unauthorized'));
    const isAllowed = grant.scopes.includes('root_readwrite') || !url.pathname.endsWith('/content');
    const forbidden = isAllowed ? undefined : refused(403, 'forbidden');
    const answer = this.fault(asked)?.answer ?? forbidden ?? this.endpoints.answer(grant.account, url);
    this.give(response, url, asked.method, answer);
  }

  private give(response: ServerResponse, url: URL, method: string, { status, json, headers }: BoxAnswer): void {
    this.violations.push(...(this.description?.violations(method, url, json, status) ?? []));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(json === undefined ? '' : JSON.stringify(json));
  }

  /** The host that downloads are redirected to; its URLs require no token. */
  private download(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, addressOf(this.bytes));
    const asked = requestOf(request, url);
    this.downloads.push(asked);
    const fault = this.fault(asked) ?? {};
    const item = this.endpoints.downloads.get(url.pathname);
    if (fault.answer ?? !item) return void response.writeHead(fault.answer?.status ?? 404).end();
    const { content, isWatermarked } = item;
    const whole = isWatermarked ? Buffer.concat([content, Buffer.from(' (for Anna)')]) : content;
    const from = Number(/^bytes=(\d+)-$/.exec(asked.range ?? '')?.[1] ?? 0);
    const bytes = whole.subarray(from);
    const range = { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` };
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      ...(from > 0 && range),
    });
    if (fault.cutAfter === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
  }
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function requestOf({ method, headers }: IncomingMessage, url: URL): Request {
  const { range, authorization } = headers;
  return { method: method!, path: url.pathname, query: url.searchParams, range, authorization };
}
