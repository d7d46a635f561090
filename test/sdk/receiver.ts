import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A developer's endpoint, which can be stopped and started again at the same port. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  /** The answers to the next requests, then 200. */
  readonly answers: { status: number; body?: string; headers?: Record<string, string> }[] = [];
  private server: Server | null = null;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      void buffer(request).then((body) => {
        this.requests.push({ path: request.url ?? '', headers: request.headers, body });
        const { status, body: text = 'ok', headers } = this.answers.shift() ?? { status: 200 };
        response.writeHead(status, headers).end(text);
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      if (!this.server) return resolve(null);
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
    this.server = null;
  }
}
