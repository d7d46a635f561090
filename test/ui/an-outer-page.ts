import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of somebody's that shows another page in a frame: `?show=…`. */
export class AnOuterPage {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<AnOuterPage> {
    const server = createServer((request, response) => {
      const shown = new URL(request.url!, 'http://any').searchParams.get('show') ?? 'about:blank';
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .end(
          `<!doctype html><html lang="en"><title>Outer</title><h1>Outer page</h1><iframe title="Documents" width="700" height="800" src="${shown.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
        );
    }).listen(0, 'localhost');
    await once(server, 'listening');
    return new AnOuterPage(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  around(address: string): string {
    return `${this.origin}/?show=${encodeURIComponent(address)}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
