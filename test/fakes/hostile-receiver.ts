import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certified } from './imap/certificate';

/** The fault of one TCP connection. */
export type HostileBehavior = (line: Line) => unknown;

/** The interval at which a trickling response sends one byte. */
const TRICKLE_MS = 50;
const MEBI = 1024 * 1024;

/** A connection that one hostile behavior controls. */
export class Line {
  private head = '';
  private length = 0;
  private checkProgress = (): void => undefined;

  constructor(readonly socket: Socket) {
    socket.on('data', (data) => {
      if (!this.head.includes('\r\n\r\n')) this.head += data.toString('latin1');
      this.length += data.length;
      this.checkProgress();
    });
  }

  /** Resolves when the headers of the request have arrived. */
  async headers(): Promise<void> {
    await this.until(() => this.head.includes('\r\n\r\n'));
  }

  /** Resolves when this number of bytes of the request has been read. */
  async bytes(count: number): Promise<void> {
    await this.until(() => this.length >= count);
  }

  /** Resolves when the request has been read to the end of its body. */
  async request(): Promise<void> {
    await this.headers();
    const body = Number(/^content-length: (\d+)/im.exec(this.head)![1]);
    await this.bytes(this.head.indexOf('\r\n\r\n') + 4 + body);
  }

  send(text: string): void {
    if (!this.socket.destroyed) this.socket.write(text, 'latin1');
  }

  /** Sends byte after byte while the connection is open. */
  trickle(): void {
    const timer = setInterval(() => this.send('x'), TRICKLE_MS);
    this.socket.once('close', () => clearInterval(timer));
  }

  /** Never resolves if the other side gives up before. */
  private until(enough: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.checkProgress = () => {
        if (enough()) resolve();
      };
      this.checkProgress();
    });
  }
}

/** The hostile behaviors, by their visible effect. */
export const tricks = {
  /** Accepts the connection and never reads from it. */
  neverReads: (({ socket }) => socket.pause()) as HostileBehavior,
  /** Reads everything and never responds. */
  saysNothing: ((line) => line.request()) as HostileBehavior,
  tricklesHeaders: (async (line) => {
    await line.request();
    line.send('HTTP/1.1 200 OK\r\nX-Slow: ');
    line.trickle();
  }) as HostileBehavior,
  /** Sends interim responses repeatedly, and never a final one. */
  isStillProcessing: (async (line) => {
    await line.request();
    const timer = setInterval(() => line.send('HTTP/1.1 102 Processing\r\n\r\n'), TRICKLE_MS);
    line.socket.once('close', () => clearInterval(timer));
  }) as HostileBehavior,
  headersWithoutEnd: (async (line) => {
    await line.request();
    line.send('HTTP/1.1 200 OK\r\n');
    const more = () => {
      while (!line.socket.destroyed && line.socket.write(`X-More: ${'x'.repeat(1000)}\r\n`));
    };
    line.socket.on('drain', more);
    more();
  }) as HostileBehavior,
  speaksNoHttp: (async (line) => {
    await line.request();
    line.send('220 mail.example.com ESMTP ready\r\n');
  }) as HostileBehavior,
  hangsUp: (async (line) => {
    await line.request();
    line.socket.end();
  }) as HostileBehavior,
  resetsAtOnce: (({ socket }) => socket.resetAndDestroy()) as HostileBehavior,
  resetsAtHeaders: (async (line) => {
    await line.headers();
    line.socket.resetAndDestroy();
  }) as HostileBehavior,
  resetsInBody: (async (line) => {
    await line.bytes(MEBI / 2);
    line.socket.resetAndDestroy();
  }) as HostileBehavior,
  resetsAfterRequest: (async (line) => {
    await line.request();
    line.socket.resetAndDestroy();
  }) as HostileBehavior,
  resetsInAnswerHeaders: (async (line) => {
    await line.request();
    line.socket.write('HTTP/1.1 200 OK\r\nContent-Le', () => line.socket.resetAndDestroy());
  }) as HostileBehavior,
};

/** Reads the whole request and answers with a body shorter than declared, then closes the connection. */
export const breaksOffAnswer =
  (status: number): HostileBehavior =>
  async (line) => {
    await line.request();
    line.socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 1000\r\n\r\nhalf`, () => line.socket.destroySoon());
  };

/** Answers with a body that is sent byte by byte. */
export const tricklesBody =
  (status: number): HostileBehavior =>
  async (line) => {
    await line.request();
    line.send(`HTTP/1.1 ${status} X\r\nContent-Length: 1000000\r\n\r\n`);
    line.trickle();
  };

/** Answers after the headers and does not read the body. */
export const answersUnread =
  (status: number): HostileBehavior =>
  async (line) => {
    await line.headers();
    line.socket.pause();
    line.send(`HTTP/1.1 ${status} X\r\nContent-Length: 9\r\n\r\ntoo early`);
  };

/** Answers with this number of bytes, as fast as they are read. `taken` receives the number of bytes sent. */
export const answersMuch =
  (status: number, length: number, taken: (bytes: number) => void): HostileBehavior =>
  async (line) => {
    await line.request();
    const { socket } = line;
    line.send(`HTTP/1.1 ${status} X\r\nContent-Length: ${length}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024, 'x');
    let left = length;
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', more);
    socket.once('close', () => taken(socket.bytesWritten));
    more();
  };

/**
 * A client's endpoint that is faulty at the level of TCP, TLS or the bytes of HTTP: each hostile behavior gets one connection
 * of its own. All other connections are served correctly: read, recorded, answered with 200.
 */
export class HostileReceiver {
  /** The `Idempotency-Key` of every request that was answered correctly. */
  readonly served: string[] = [];
  /** The number of accepted connections, and of those with a hostile behavior that have been closed. */
  connections = 0;
  ended = 0;
  private readonly waiting: HostileBehavior[] = [];
  private always: HostileBehavior | null = null;
  private readonly sockets = new Set<Socket>();
  private readonly http: HttpServer;

  private constructor(
    private readonly listener: Server,
    private readonly scheme: 'http' | 'https',
  ) {
    this.http = createHttpServer((request, response) => {
      request.resume().once('end', () => {
        this.served.push(String(request.headers['idempotency-key']));
        response.end('ok');
      });
    });
  }

  /** Listens on the loopback interface; with a certificate it uses TLS, and behaviors start after the handshake. */
  static async start(certificate?: Certified): Promise<HostileReceiver> {
    const listener: Server = certificate ? createTlsServer(certificate) : createServer();
    const receiver = new HostileReceiver(listener, certificate ? 'https' : 'http');
    listener.on('tlsClientError', () => undefined);
    listener.on('connection', (socket: Socket) => {
      receiver.connections++;
      receiver.sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => receiver.sockets.delete(socket));
    });
    listener.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) => receiver.serve(socket));
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  url(host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}/documents`;
  }

  /** The behaviors for the next connections, in order. */
  next(...planned: HostileBehavior[]): void {
    this.waiting.push(...planned);
  }

  /** The behavior for all later connections; null for the correct one. */
  from(trick: HostileBehavior | null): void {
    this.always = trick;
  }

  /** Reads on where a behavior had stopped, which detects closed connections. */
  readOn(): void {
    for (const socket of this.sockets) socket.resume();
  }

  async stop(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket): void {
    socket.on('error', () => undefined);
    const trick = this.waiting.shift() ?? this.always;
    if (!trick) {
      this.http.emit('connection', socket);
      return;
    }
    socket.once('close', () => this.ended++);
    // These tests expect the other side to give up midway.
    void Promise.resolve(trick(new Line(socket))).catch(() => undefined);
  }
}

/** Listens with the shortest backlog, prints its port, and never accepts a connection. */
const LISTEN_AND_SLEEP = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, server.address().port + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** A port whose backlog is full: a further connection gets no reply, as behind a firewall that drops packets. */
export class FullBacklog {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly fillers: readonly Socket[],
  ) {}

  static async start(): Promise<FullBacklog> {
    const child = spawn(process.execPath, ['-e', LISTEN_AND_SLEEP], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(line.toString());
    const fillers: Socket[] = [];
    // The kernel decides the length of the shortest backlog, so connect until one connection has to wait.
    for (let full = false; !full;) {
      const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
      fillers.push(socket);
      const waits = new Promise<true>((resolve) => setTimeout(() => resolve(true), 500));
      full = await Promise.race([once(socket, 'connect').then(() => false), waits]);
    }
    return new FullBacklog(port, child, fillers);
  }

  async stop(): Promise<void> {
    for (const socket of this.fillers) socket.destroy();
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
