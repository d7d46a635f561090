import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { freePort } from '../harness/free-port';
import { PushLog } from './push-log';

/** `refuses`: nothing listens; `resets`: the connection is reset when the headers have arrived; `hangs`: no answer until the mode changes. */
export const ENDPOINT_MODES = ['accepts', 'fails', 'hangs', 'resets', 'refuses'] as const;
export type EndpointMode = (typeof ENDPOINT_MODES)[number];

/** A client's provisioning endpoint, whose behavior the test changes. */
export class PushEndpoint {
  readonly log = new PushLog();
  mode: EndpointMode = 'accepts';
  /** How long it takes to accept a document, in milliseconds. */
  acceptMs = 0;
  /** Sees each request. */
  onRequest: (request: IncomingMessage) => void = () => undefined;
  private readonly sockets = new Set<Socket>();
  private readonly held: (() => void)[] = [];
  private readonly changed = new EventEmitter().setMaxListeners(0);
  private readonly server: Server;

  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {
    this.server = createServer((request, response) => this.serve(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        this.changed.emit('closed');
      });
    });
  }

  static async start(host: string): Promise<PushEndpoint> {
    const endpoint = new PushEndpoint(host, await freePort());
    await endpoint.listen();
    return endpoint;
  }

  get url(): string {
    return `http://${this.host}:${this.port}/documents`;
  }

  async setMode(mode: EndpointMode): Promise<void> {
    if (mode === 'refuses') await this.close();
    else if (!this.server.listening) await this.listen();
    this.mode = mode;
    if (mode !== 'hangs') for (const answer of this.held.splice(0)) answer();
  }

  /** Resolves when that many more requests have arrived, or after three seconds. */
  async waitForRequests(count: number): Promise<void> {
    const signal = AbortSignal.timeout(3_000);
    const enough = this.log.requests + count;
    while (this.log.requests < enough && !signal.aborted) {
      await once(this.changed, 'arrived', { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the sockets of a killed worker are closed: later requests are from the next one. */
  async waitForClosedSockets(): Promise<void> {
    const signal = AbortSignal.timeout(30_000);
    await this.acceptAll(signal);
    while (this.sockets.size > 0) await once(this.changed, 'closed', { signal });
  }

  /** Connections are accepted in order: when a new one is, none of the earlier ones is waiting any more. */
  private async acceptAll(signal: AbortSignal): Promise<void> {
    if (!this.server.listening) return;
    const own = connect(this.port, this.host);
    try {
      await once(own, 'connect', { signal });
      while (![...this.sockets].some(({ remotePort }) => remotePort === own.localPort)) {
        await once(this.server, 'connection', { signal });
      }
    } finally {
      own.destroy();
    }
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async listen(): Promise<void> {
    this.server.listen(this.port, this.host);
    await once(this.server, 'listening');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const key = String(request.headers['idempotency-key']);
    this.log.arrived(key);
    this.onRequest(request);
    this.changed.emit('arrived');
    let isOpen = true;
    const end = (accepted: boolean) => {
      if (isOpen) this.log.ended(key, accepted);
      isOpen = false;
    };
    response.once('close', () => end(false));
    request.on('error', () => undefined).resume();
    if (this.mode === 'resets') {
      request.socket.resetAndDestroy();
      return;
    }
    const answer = () => this.answer(response, () => end(true));
    request.once('end', () => (this.acceptMs === 0 ? answer() : setTimeout(answer, this.acceptMs)));
  }

  private answer(response: ServerResponse, accepted: () => void): void {
    if (this.mode === 'hangs') {
      this.held.push(() => this.answer(response, accepted));
      return;
    }
    if (this.mode === 'accepts') response.writeHead(200).end('ok', accepted);
    else response.writeHead(500).end('no');
  }
}
