import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body of a POST. */
  readonly body: unknown;
}

export interface JsonAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or the bytes of a file. */
  readonly body?: unknown;
}

/** A server whose answers each test defines. */
export class JsonServer {
  readonly requests: JsonRequest[] = [];
  answer: (request: JsonRequest) => JsonAnswer = () => ({ status: 404 });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<JsonServer> {
    const server = createServer();
    const started = new JsonServer(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const url = new URL(request.url!, 'http://server.test');
        const text = Buffer.concat(parts).toString('utf8');
        const asked: JsonRequest = {
          method: request.method!,
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          body: text === '' ? undefined : JSON.parse(text),
        };
        started.requests.push(asked);
        const { status = 200, headers = {}, body = {} } = started.answer(asked);
        const isFile = Buffer.isBuffer(body);
        response.writeHead(status, { 'content-type': isFile ? 'application/pdf' : 'application/json', ...headers });
        response.end(isFile ? body : JSON.stringify(body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
