import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** Runs before a request is forwarded; returns true when it has answered the request. */
export type RequestInterceptor = (asked: IncomingMessage, answer: ServerResponse) => boolean | void;

/** A proxy in front of the service that records each request, and may answer it. */
export class Gateway {
  readonly requests: IncomingMessage[] = [];
  intercept: RequestInterceptor = () => undefined;
  private readonly server: Server;

  private constructor(private readonly target: string) {
    this.server = createServer((asked, answer) => this.forward(asked, answer));
  }

  static async start(target: string): Promise<Gateway> {
    const gateway = new Gateway(target);
    gateway.server.listen(0, '127.0.0.1');
    await once(gateway.server, 'listening');
    return gateway;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    this.requests.push(asked);
    if (this.intercept(asked, answer)) return;
    const { method, headers } = asked;
    const forwarded = request(`${this.target}${asked.url}`, { method, headers }, (answered) => {
      if (answer.destroyed) return void answered.destroy();
      answer.writeHead(answered.statusCode!, answered.headers);
      pipeline(answered, answer, () => undefined);
    });
    pipeline(asked, forwarded, (error) => error && answer.destroy());
  }
}
