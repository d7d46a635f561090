import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Answer, AuthorizationServer } from '../oauth/authorization-server';
import { DropboxApiSpec } from './dropbox-api-spec';
import { type DropboxAnswer, DropboxEndpoints, refused } from './dropbox-endpoints';
import { DropboxState } from './dropbox-state';

export const SCOPES = ['account_info.read', 'files.metadata.read', 'files.content.read'];

export interface Request {
  readonly route: string;
  readonly argument: unknown;
  readonly range: string | undefined;
}

/** A fault of an API request or of the bytes of its response. */
export interface Fault {
  readonly answer?: DropboxAnswer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

/**
 * Dropbox on one real socket, which serves all of its hosts: accounts with their trees, shared folders and team spaces, cursors that
 * are invalidated, tokens that expire, and faults on command. If Dropbox's own description (in Stone) is on this machine,
 * every exchange is validated against it.
 */
export class FakeDropbox {
  readonly authorization: AuthorizationServer;
  readonly endpoints = new DropboxEndpoints((email) => this.files(email));
  /** Every API request. */
  readonly requests: Request[] = [];
  /** Called with every request that has a valid token. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** The deviations of the exchanges from Dropbox's description. */
  readonly violations: string[] = [];
  readonly description = DropboxApiSpec.find();
  private readonly accounts = new Map<string, DropboxState>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    redirectUri: string,
  ) {
    this.authorization = new AuthorizationServer(redirectUri, {
      scopes: SCOPES,
      expiresIn: 14_400,
      rotates: false,
      tellsScopes: true,
      invalidClient: [400, 'invalid_client: Invalid client_id or client_secret'],
      isOffline: (query) => query.get('token_access_type') === 'offline',
    });
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  static async start(redirectUri = 'https://docfetch.test/oauth/callback', port = 0): Promise<FakeDropbox> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new FakeDropbox(server, (server.address() as AddressInfo).port, redirectUri);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The settings of a deployment that uses it. */
  get settings() {
    const { clientId, clientSecret } = this.authorization;
    return {
      dropbox: { client: { id: clientId, secret: clientSecret }, oauthBaseUrl: this.url, apiBaseUrl: this.url },
    };
  }

  /** The files of an account; initially empty. */
  files(email = this.authorization.account): DropboxState {
    const known = this.accounts.get(email) ?? new DropboxState();
    this.accounts.set(email, known);
    return known;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const body = await text(request);
    const at = `${request.method} ${url.pathname}`;
    if (at === 'GET /oauth2/authorize') return send(response, this.authorization.authorize(url.searchParams));
    if (at === 'POST /oauth2/token') return send(response, await this.authorization.token(new URLSearchParams(body)));
    const grant = this.authorization.accepts(request.headers.authorization);
    if (at === 'POST /2/auth/token/revoke') {
      if (grant) this.authorization.revokeGrant(grant);
      return send(response, { status: grant ? 200 : 401, body: null });
    }
    const { range, 'dropbox-api-arg': inHeader, 'dropbox-api-path-root': root } = request.headers;
    const isContent = inHeader !== undefined;
    const argument: unknown = JSON.parse(isContent ? String(inHeader) : body || 'null');
    const asked: Request = { route: url.pathname.replace('/2/', ''), argument, range };
    this.requests.push(asked);
    if (!grant) return this.give(response, asked, refused(401, 'expired_access_token'), isContent, []);
    const needed = asked.route.startsWith('users/') ? SCOPES[0]! : isContent ? SCOPES[2]! : SCOPES[1]!;
    if (!grant.scopes.includes(needed)) {
      const missing = refused(401, 'missing_scope', { required_scope: needed });
      return this.give(response, asked, missing, isContent, grant.scopes);
    }
    const fault = this.fault(asked);
    const pathRoot = root === undefined ? undefined : (JSON.parse(String(root)) as { '.tag': string });
    const answer = fault?.answer ?? this.endpoints.answer({ grant, ...asked, pathRoot });
    this.give(response, asked, answer, isContent, grant.scopes, fault);
  }

  private give(
    response: ServerResponse,
    { route, argument }: Request,
    answer: DropboxAnswer,
    isContent: boolean,
    scopes: readonly string[],
    fault: Fault = {},
  ): void {
    const { status, headers = {}, json } = answer;
    const responseBody: unknown = json ?? JSON.parse(headers['dropbox-api-result'] ?? 'null');
    const host = isContent ? 'content' : 'api';
    const exchange = { argument, status: status === 206 ? 200 : status, answer: responseBody, host, scopes } as const;
    this.violations.push(...(this.description?.violations(route, exchange) ?? []));
    const bytes = answer.bytes ?? Buffer.from(answer.text ?? JSON.stringify(json));
    const type = answer.text === undefined ? 'application/json' : 'text/plain; charset=utf-8';
    response.writeHead(status, { 'content-type': type, 'content-length': bytes.length, ...headers, ...fault.headers });
    if (fault.cutAfter === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
