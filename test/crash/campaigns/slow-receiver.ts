import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from './seeded-random';

/** A request of a worker, as received. */
export interface ReceivedRequest {
  /** `Idempotency-Key` of a push, `webhook-id` of an event. */
  readonly key: string;
  /** The number of the worker, that is, the number of kills before it. */
  readonly worker: number;
  /** The hash of the complete body; null before it has arrived. */
  sha256: string | null;
  /** The `transaction_uuid` in the body. */
  transaction: string | null;
  /** Whether it has been answered. */
  answered: boolean;
}

/** The maximum response time: workers are killed while they wait. */
const SLOWEST_ANSWER_MS = 60;

/** A client's endpoint that answers 200 to every request after a delay, and records the requests. */
export class SlowReceiver {
  readonly pushes: ReceivedRequest[] = [];
  readonly events: ReceivedRequest[] = [];
  private worker = 0;
  private readonly sockets = new Set<Socket>();
  private readonly changed = new EventEmitter().setMaxListeners(0);
  private readonly server: Server;

  private constructor(private readonly random: SeededRandom) {
    this.server = createServer((request, response) => {
      void this.serve(request, response).catch(() => response.destroy()); // the worker is dead
    });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        this.changed.emit('change');
      });
    });
  }

  static async start(random: SeededRandom): Promise<SlowReceiver> {
    const receiver = new SlowReceiver(random);
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  url(path: 'documents' | 'events'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path}`;
  }

  get requestCount(): number {
    return this.pushes.length + this.events.length;
  }

  /** Resolves when the given number of requests has arrived in total. */
  async waitForRequests(count: number): Promise<void> {
    const signal = AbortSignal.timeout(120_000);
    while (this.requestCount < count) await once(this.changed, 'change', { signal });
  }

  /** Resolves when all sockets of the killed worker are closed: later requests are from the next one. */
  async waitForClosedSockets(): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    while (this.sockets.size > 0) await once(this.changed, 'change', { signal });
    this.worker++;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isPush = request.url === '/documents';
    const key = String(request.headers[isPush ? 'idempotency-key' : 'webhook-id']);
    const arrival: ReceivedRequest = { key, worker: this.worker, sha256: null, transaction: null, answered: false };
    (isPush ? this.pushes : this.events).push(arrival);
    this.changed.emit('change');
    const body = await buffer(request);
    arrival.sha256 = createHash('sha256').update(body).digest('hex');
    arrival.transaction = /"transaction_uuid":"([^"]+)"/.exec(body.toString('latin1'))![1]!;
    await pause(this.random.next() * SLOWEST_ANSWER_MS);
    response.end('ok', () => (arrival.answered = true));
  }
}
