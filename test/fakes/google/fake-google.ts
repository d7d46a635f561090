import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from '../oauth/authorization-server';
import { Authorization } from './authorization';
import { type GoogleAnswer, refused } from './answers';
import { DiscoveryValidator } from './discovery';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly range: string | undefined;
}

/** A fault of an API request or of the bytes of its response. */
export interface Fault {
  readonly answer?: GoogleAnswer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection after this number of bytes. */
  readonly cutAfter?: number;
}

export interface GoogleOptions {
  readonly server: Server;
  readonly redirectUri: string;
  /** The existing scopes; the first is the one that the API requires. */
  readonly scopes: readonly string[];
  /** The file of Google's own description. */
  readonly description: string;
}

/**
 * One of Google's APIs and Google's authorization server on one real socket: tokens that expire, and faults on command. If
 * Google's own description of the API is on this machine, every exchange is validated against it.
 */
export abstract class FakeGoogle {
  readonly authorization: Authorization;
  /** Every API request. */
  readonly requests: Request[] = [];
  /** Called with every request that has a valid token. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** The deviations of the exchanges from Google's description. */
  readonly violations: string[] = [];
  readonly description: DiscoveryValidator | null;
  readonly port: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  protected constructor({ server, redirectUri, scopes, description }: GoogleOptions) {
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    this.authorization = new Authorization(redirectUri, scopes);
    this.description = DiscoveryValidator.find(description);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  protected static async listening(port: number): Promise<Server> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  protected abstract answer(account: string, url: URL, range: string | undefined): GoogleAnswer;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** The settings of a deployment that uses it. */
  get provider() {
    const { clientId, clientSecret } = this.authorization;
    return { client: { id: clientId, secret: clientSecret }, oauthBaseUrl: this.url, apiBaseUrl: this.url };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const route = `${request.method} ${url.pathname}`;
    if (route === 'GET /o/oauth2/v2/auth') return send(response, this.authorization.authorize(url.searchParams));
    if (route === 'POST /token') {
      return send(response, await this.authorization.token(new URLSearchParams(await text(request))));
    }
    if (route === 'POST /revoke') {
      const form = new URLSearchParams(await text(request));
      return send(response, this.authorization.revoke(form.has('token') ? form : url.searchParams));
    }
    const { range } = request.headers;
    const asked: Request = { method: request.method!, path: url.pathname, query: url.searchParams, range };
    this.requests.push(asked);
    const grant = this.authorization.accepts(request.headers.authorization);
    if (!grant) return this.give(response, url, asked, refused(401, 'authError'));
    if (!grant.scopes.includes(this.authorization.scopes[0]!))
      return this.give(response, url, asked, refused(403, 'insufficientPermissions'));
    const fault = this.fault(asked);
    const answer = fault?.answer ?? this.answer(grant.account, url, range);
    this.give(response, url, asked, answer, fault);
  }

  private give(response: ServerResponse, url: URL, { method }: Request, answer: GoogleAnswer, fault: Fault = {}): void {
    const json = 'json' in answer ? answer.json : undefined;
    const violations = this.description?.violations(method, url, answer.status < 300 ? json : undefined);
    this.violations.push(...(violations ?? []));
    const bytes = 'bytes' in answer ? answer.bytes : Buffer.from(JSON.stringify(json));
    const type = 'bytes' in answer ? answer.mimeType : 'application/json; charset=UTF-8';
    response.writeHead(answer.status, {
      'content-type': type,
      'content-length': bytes.length,
      ...('headers' in answer ? answer.headers : {}),
      ...fault.headers,
    });
    if (fault.cutAfter === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, fault.cutAfter), () => response.destroy());
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
