import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Answer, Authorization, SCOPE } from './authorization';
import { DescribedApi } from './discovery';
import { type DriveAnswer, DriveEndpoints, refused } from './drive-endpoints';
import { DriveState } from './drive-state';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly range: string | undefined;
}

/** What happens to a request of the API instead of its answer, or to the bytes of its answer. */
export interface Fault {
  readonly answer?: DriveAnswer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The line breaks after so many bytes. */
  readonly cutAfter?: number;
}

/**
 * Google Drive and its authorization server on one real socket: accounts with their trees, shared drives and lists of changes,
 * page by page, tokens that end, and faults on command. Where Google's own description of the API lies on this machine, every
 * exchange is held against it.
 */
export class FakeGoogleDrive {
  readonly authorization: Authorization;
  readonly endpoints = new DriveEndpoints((email) => this.drive(email));
  /** Every request of the API. */
  readonly requests: Request[] = [];
  /** Called with every request that shows a good token. */
  fault: (request: Request) => Fault | undefined = () => undefined;
  /** Where the exchanges did not keep to Google's description. */
  readonly violations: string[] = [];
  readonly description = DescribedApi.find('google-drive.v3.discovery.json');
  private readonly accounts = new Map<string, DriveState>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    redirectUri: string,
  ) {
    this.authorization = new Authorization('client-id', redirectUri);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.serve(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  static async start(redirectUri = 'https://docfetch.test/oauth/callback', port = 0): Promise<FakeGoogleDrive> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new FakeGoogleDrive(server, (server.address() as AddressInfo).port, redirectUri);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** What a deployment is told of it. */
  get settings() {
    const { clientId, clientSecret } = this.authorization;
    return {
      google_drive: { client: { id: clientId, secret: clientSecret }, oauthBaseUrl: this.url, apiBaseUrl: this.url },
    };
  }

  /** The drive of an account; empty at first. */
  drive(email = this.authorization.account): DriveState {
    const known = this.accounts.get(email) ?? new DriveState();
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
    const route = `${request.method} ${url.pathname}`;
    if (route === 'GET /o/oauth2/v2/auth') return send(response, this.authorization.authorize(url.searchParams));
    if (route === 'POST /token') {
      return send(response, await this.authorization.token(new URLSearchParams(await text(request))));
    }
    if (route === 'POST /revoke') {
      const form = new URLSearchParams(await text(request));
      return send(response, this.authorization.revoke(form.get('token') ?? url.searchParams.get('token') ?? ''));
    }
    const { range } = request.headers;
    const asked: Request = { method: request.method!, path: url.pathname, query: url.searchParams, range };
    this.requests.push(asked);
    const grant = this.authorization.accepts(request.headers.authorization);
    if (!grant) return this.give(response, url, asked, refused(401, 'authError'));
    if (!grant.scopes.includes(SCOPE)) return this.give(response, url, asked, refused(403, 'insufficientPermissions'));
    const fault = this.fault(asked);
    const answer = fault?.answer ?? this.endpoints.answer(grant.account, url, range);
    this.give(response, url, asked, answer, fault);
  }

  private give(response: ServerResponse, url: URL, { method }: Request, answer: DriveAnswer, fault: Fault = {}): void {
    const json = 'json' in answer ? answer.json : undefined;
    const faults = this.description?.faults(method, url, answer.status < 300 ? json : undefined);
    this.violations.push(...(faults ?? []));
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
