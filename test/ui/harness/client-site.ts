import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The client application's site: the page that users return to. */
export class ClientSite {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<ClientSite> {
    const server = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .end('<!doctype html><title>Muster</title><h1>Muster</h1>');
    }).listen(0, 'localhost');
    await once(server, 'listening');
    return new ClientSite(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  get returnUrl(): string {
    return `${this.origin}/back?tab=2`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
