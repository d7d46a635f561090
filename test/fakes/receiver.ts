import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request as it arrived. `body` is null until all of it has been read, and stays null when the behavior does not read it. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  body: Buffer | null;
}

/** Handles one request; `read` reads the body to its end and stores it. */
export type ReceiverBehavior = (exchange: {
  readonly received: Received;
  readonly response: ServerResponse;
  readonly read: () => Promise<Buffer>;
}) => unknown;

/** Reads the request, then answers. */
export function answer(
  status: number,
  headers: Record<string, string> = {},
  body: string | Buffer = 'ok',
): ReceiverBehavior {
  return async ({ response, read }) => {
    await read();
    response.writeHead(status, headers).end(body);
  };
}

/** Reads the request and never answers. */
export const silence: ReceiverBehavior = ({ read }) => read();

/** Closes the connection with a TCP reset as soon as the request's headers have arrived. */
export const reset: ReceiverBehavior = ({ response }) => response.socket?.resetAndDestroy();

/**
 * Answers without reading the body. It closes its own direction only, so that
 * no reset overtakes the answer (RFC 9112 9.6).
 */
export function answerUnread(status: number): ReceiverBehavior {
  return ({ response }) => {
    response.socket?.end(`HTTP/1.1 ${status} Early\r\nconnection: close\r\ncontent-length: 9\r\n\r\ntoo early`);
  };
}

/** Answers with an endless body, as fast as the client reads it. */
export function endless(status: number): ReceiverBehavior {
  return async ({ response, read }) => {
    await read();
    response.writeHead(status);
    const chunk = Buffer.alloc(16 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
}

/** Sends the status and the beginning of a body, then stalls. */
export function stall(status: number, beginning = 'wait for it'): ReceiverBehavior {
  return async ({ response, read }) => {
    await read();
    response.writeHead(status, { 'content-length': '1000000' }).write(beginning);
  };
}

/** Holds requests until they are released; then each is answered with the status. */
export class Gate {
  private readonly gate = Promise.withResolvers<void>();
  /** Resolves when it is open. */
  readonly opened = this.gate.promise;
  readonly behavior: ReceiverBehavior;

  constructor(status = 200) {
    this.behavior = async ({ response, read }) => {
      await read();
      await this.opened;
      response.writeHead(status).end();
    };
  }

  open(): void {
    this.gate.resolve();
  }
}

/** A client's provisioning endpoint on a loopback socket: records requests and responds as scripted. */
export class Receiver {
  /** Every request, in the order of arrival. */
  readonly requests: Received[] = [];
  /** The total number of TCP connections. */
  connections = 0;
  private readonly events = new EventEmitter().setMaxListeners(0);
  private readonly queue: ReceiverBehavior[] = [];
  private readonly rules: { readonly matches: (received: Received) => boolean; readonly behavior: ReceiverBehavior }[] =
    [];
  private usual: ReceiverBehavior = answer(200);
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.serve(request, response));
    this.server.on('connection', () => this.connections++);
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/documents'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The default behavior for requests. Initially: answer 200. */
  always(behavior: ReceiverBehavior): void {
    this.usual = behavior;
  }

  /** The behaviors for the next requests, in order. */
  next(...behaviors: ReceiverBehavior[]): void {
    this.queue.push(...behaviors);
  }

  /** The behavior for matching requests; has precedence. */
  when(matches: (received: Received) => boolean, behavior: ReceiverBehavior): void {
    this.rules.unshift({ matches, behavior });
  }

  /** Requests whose body has arrived. */
  get whole(): (Received & { body: Buffer })[] {
    return this.requests.filter((received): received is Received & { body: Buffer } => received.body !== null);
  }

  /** The transaction uuids of all requests, in the order of arrival. */
  get keys(): string[] {
    return this.requests.map(({ headers }) => String(headers['idempotency-key']));
  }

  /** Resolves when the given number of requests has arrived in total. */
  async waitForRequests(count: number, timeoutMs = 20_000): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (this.requests.length < count) await once(this.events, 'arrived', { signal });
  }

  /** Clears the recorded requests and the scripted responses. */
  clear(): void {
    this.requests.length = 0;
    this.queue.length = 0;
    this.rules.length = 0;
    this.usual = answer(200);
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    const received: Received = { method, path, headers, body: null };
    const rule = this.rules.find(({ matches }) => matches(received));
    const behavior = rule?.behavior ?? this.queue.shift() ?? this.usual;
    this.requests.push(received);
    this.events.emit('arrived');
    const read = async (): Promise<Buffer> => (received.body = await buffer(request));
    // A client that disconnects midway is not a fault of the endpoint.
    Promise.resolve(behavior({ received, response, read })).catch(() => response.destroy());
  }
}
