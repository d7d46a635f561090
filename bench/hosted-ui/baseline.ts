import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = '<!doctype html><html lang="en"><title>Baseline</title><script type="module" src="/baseline.js"></script>';
const SCRIPT = `document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Baseline' }));`;

/** The minimal page with a script: one line that inserts a heading. */
export class BaselinePage implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(): Promise<BaselinePage> {
    const server = createServer((request, response) => {
      const isScript = request.url === '/baseline.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? SCRIPT : PAGE);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BaselinePage(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
