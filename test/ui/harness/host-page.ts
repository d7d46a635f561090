import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const quoted = (text: string) => `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;

/** A page that embeds another page in a frame with the given `sandbox` permissions: `?show=…&sandbox=…`. */
export class HostPage {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<HostPage> {
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://any');
      const shown = searchParams.get('show') ?? 'about:blank';
      const sandbox = searchParams.get('sandbox');
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .end(
          `<!doctype html><html lang="en"><title>Outer</title><h1>Outer page</h1><iframe title="Documents" width="700" height="800" ${sandbox === null ? '' : `sandbox=${quoted(sandbox)} `}src=${quoted(shown)}></iframe>`,
        );
    }).listen(0, 'localhost');
    await once(server, 'listening');
    return new HostPage(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  urlFor(embeddedUrl: string, sandbox?: string): string {
    const query = new URLSearchParams({ show: embeddedUrl, ...(sandbox === undefined ? {} : { sandbox }) });
    return `${this.origin}/?${query.toString()}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
