import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The fault of one connection through the proxy. Default: none. */
export interface Fault {
  /** Resets the connection immediately, like a server that does not listen. */
  readonly refuse?: boolean;
  /** Resets the connection (TCP reset on both sides) after this number of bytes from the server. */
  readonly cutAfter?: number;
  /** Stalls both directions after this number of bytes from the server; the connection stays open. */
  readonly stallAfter?: number;
  /** Delays every chunk from the server by this number of milliseconds. */
  readonly delayMs?: number;
}

/**
 * A TCP proxy in front of a real server that injects the faults that a test selects: it resets, stalls, delays and
 * refuses connections. It does not interpret the data.
 */
export class FaultProxy {
  /** The number of accepted connections, and of those that a fault has ended. */
  connections = 0;
  cuts = 0;
  private readonly sockets = new Set<Socket>();
  private readonly listener: Server;
  private next: (connection: number) => Fault = () => ({});
  private clientDataListener: (bytes: Buffer) => void = () => undefined;

  private constructor(private readonly target: { readonly host: string; readonly port: number }) {
    this.listener = createServer({ noDelay: true }, (client) => this.serve(client));
  }

  /** Listens on a port of the loopback interface. Stop it with `stop`. */
  static async start(target: { host: string; port: number }): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.listener.listen(0, '127.0.0.1');
    await once(proxy.listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** The open connections. */
  get open(): number {
    return Math.ceil(this.sockets.size / 2);
  }

  /** Returns the fault of each later connection, counted from 1. */
  faults(next: (connection: number) => Fault): void {
    this.next = next;
  }

  /** Calls the listener with everything that clients send from now on. */
  onClientData(listener: (bytes: Buffer) => void): void {
    this.clientDataListener = listener;
  }

  /** Resets all open connections. */
  cutAll(): void {
    for (const socket of this.sockets) reset(socket);
  }

  async stop(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    this.cutAll();
    await closed;
  }

  private serve(client: Socket): void {
    const fault = this.next(++this.connections);
    client.on('error', () => undefined);
    if (fault.refuse) {
      this.cuts++;
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: this.target.host, port: this.target.port, noDelay: true });
    server.on('error', () => undefined);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        // Delayed data still arrives.
        setTimeout(() => other.destroySoon(), fault.delayMs ?? 0);
      });
    }
    let stalled = false;
    client.on('data', (bytes) => {
      this.clientDataListener(bytes);
      if (!stalled) server.write(bytes);
    });
    let passed = 0;
    server.on('data', (bytes) => {
      if (stalled) return;
      const { cutAfter = Infinity, stallAfter = Infinity, delayMs } = fault;
      const piece = bytes.subarray(0, Math.min(cutAfter, stallAfter) - passed);
      passed += bytes.length;
      const forward = () => {
        if (!client.destroyed) client.write(piece);
        if (passed >= cutAfter) this.cut(client, server);
      };
      stalled = passed >= stallAfter;
      if (delayMs === undefined) forward();
      else setTimeout(forward, delayMs);
    });
  }

  private cut(client: Socket, server: Socket): void {
    if (client.destroyed) return;
    this.cuts++;
    reset(client);
    reset(server);
  }
}

/** A socket that is already ending is closed without a reset; otherwise Node would do neither, and the process could not exit. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
