import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Shutdown } from '../../availability/shutdown';
import { eventually } from '../../../../test/harness/eventually';
import { drainConnections } from './drain-connections';
import { KEEP_ALIVE_MS } from './server-timeouts';

/** A server whose responses end only when the test lets them. */
class HeldServer {
  readonly shutdown = new Shutdown();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly arrivals: (() => void)[] = [];
  private constructor(private readonly server: Server) {}

  /** @param sendsHeaders whether the headers are sent at once, before the body */
  static async start(sendsHeaders = false): Promise<HeldServer> {
    const server = createServer((_, response) => {
      if (sendsHeaders) response.flushHeaders();
      held.release = () => response.end('whole');
      held.arrivals.splice(0).forEach((arrived) => arrived());
    });
    const held = new HeldServer(server);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    drainConnections(server, held.shutdown);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return held;
  }

  release: () => void = () => undefined;

  /** Resolves when the request is in flight, with its response. */
  async request(): Promise<{ readonly response: Promise<IncomingMessage> }> {
    const arrived = new Promise<void>((resolve) => this.arrivals.push(resolve));
    const { port } = this.server.address() as AddressInfo;
    const response = once(get({ host: '127.0.0.1', port, agent: this.agent }), 'response') as Promise<
      [IncomingMessage]
    >;
    await arrived;
    return { response: response.then(([message]) => message) };
  }

  /** Opens a connection, by default ahead, without a request, and sends what is given. */
  async connect(sent = ''): Promise<Socket> {
    const socket = connect((this.server.address() as AddressInfo).port, '127.0.0.1');
    const [[accepted]] = (await Promise.all([once(this.server, 'connection'), once(socket, 'connect')])) as [
      [Socket],
      [],
    ];
    socket.write(sent);
    await eventually(async () => accepted.bytesRead === sent.length, 'the server has received it');
    return socket;
  }

  /** Resolves when the last connection has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  end(): void {
    this.agent.destroy();
  }
}

describe('A server that is shut down', () => {
  let server: HeldServer;
  afterEach(() => server.end());

  it('completes the request in flight and closes its connection, which the client keeps alive', async () => {
    server = await HeldServer.start();
    const { response } = await server.request();
    server.shutdown.begin();
    const closed = server.close();
    server.release();
    const answer = await response;
    expect(answer.headers.connection).toBe('close');
    expect(await text(answer)).toBe('whole');
    await closed; // long before the keep-alive timeout
  });

  it('closes the connection of a response whose headers had been sent', async () => {
    server = await HeldServer.start(true);
    const answer = await (await server.request()).response;
    server.shutdown.begin();
    const closed = server.close();
    server.release();
    expect(answer.headers.connection).toBe('keep-alive');
    expect(await text(answer)).toBe('whole');
    await closed;
  });

  it('closes connections that have brought no request', async () => {
    server = await HeldServer.start();
    const socket = await server.connect();
    server.shutdown.begin();
    await Promise.all([server.close(), once(socket.resume(), 'close')]);
  });

  it('closes the connection of a request that does not continue', async () => {
    server = await HeldServer.start();
    const sockets = [
      await server.connect('GET / HTTP/1.1\r\nHost: '),
      await server.connect('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf'),
    ];
    server.shutdown.begin();
    await Promise.all([server.close(), ...sockets.map((socket) => once(socket.resume(), 'close'))]);
  });

  it('begins to drain when the application is closed', async () => {
    server = await HeldServer.start();
    const socket = await server.connect();
    server.shutdown.beforeApplicationShutdown();
    await Promise.all([server.close(), once(socket.resume(), 'close')]);
  });

  it('still answers requests until it is closed, each with the last response of its connection', async () => {
    server = await HeldServer.start();
    server.shutdown.begin();
    const { response } = await server.request();
    server.release();
    const answer = await response;
    expect(answer.headers.connection).toBe('close');
    expect(await text(answer)).toBe('whole');
    await server.close();
  });

  it('keeps connections alive before that', async () => {
    server = await HeldServer.start();
    const { response } = await server.request();
    server.release();
    const answer = await response;
    expect(answer.headers.connection).toBe('keep-alive');
    await text(answer);
    server.shutdown.begin();
    await server.close();
  });
});
