import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The download host with pre-authorized URLs; requests must not contain a token. */
export class DownloadHost {
  /** The URLs that were requested with a token, or that were never issued. */
  readonly violations: string[] = [];
  /** Closes the connection once, after this number of bytes. */
  cutOnceAfter: number | null = null;
  /** Answers with this status instead. */
  status: number | null = null;
  private readonly files = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.serve(request, response));
  }

  static async start(): Promise<DownloadHost> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DownloadHost(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A download URL for these bytes. */
  addressOf(bytes: Buffer): string {
    const ticket = randomBytes(12).toString('hex');
    this.files.set(ticket, bytes);
    return `${this.url}/download?tempauth=${ticket}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, this.url);
    if (request.headers.authorization !== undefined) this.violations.push(`A token was shown to ${url.pathname}`);
    const content = this.files.get(url.searchParams.get('tempauth') ?? '');
    if (!content || this.status !== null) return void response.writeHead(this.status ?? 401).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const part = content.subarray(from);
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': part.length,
      ...(from > 0 && range),
    });
    const cut = this.cutOnceAfter;
    this.cutOnceAfter = null;
    if (cut === null) response.end(part);
    else response.write(part.subarray(0, cut), () => response.destroy());
  }
}
