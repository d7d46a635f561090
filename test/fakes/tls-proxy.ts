import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type Server, type TlsOptions } from 'node:tls';

/** A TLS server in front of one without TLS: with any kind of certificate, and a record of the data that clients send. */
export class TlsProxy {
  /** The decrypted data from clients. */
  received = '';
  /** The number of completed TLS handshakes. */
  connections = 0;
  /** Those of them that resumed a session. */
  resumed = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly cert: string,
  ) {}

  static async start(
    { key, cert }: { readonly key: string; readonly cert: string },
    target: number,
    port = 0,
    options: TlsOptions = {},
  ): Promise<TlsProxy> {
    const server = createServer({ ...options, key, cert });
    const front = new TlsProxy(server, cert);
    server.on('tlsClientError', () => undefined);
    server.on('connection', (socket: Socket) => front.keep(socket));
    server.on('secureConnection', (socket) => {
      front.connections += 1;
      if (socket.isSessionReused()) front.resumed += 1;
      const behind = front.keep(connect(target, '127.0.0.1'));
      socket.on('data', (bytes: Buffer) => void (front.received += bytes.toString('latin1')));
      socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('close', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return front;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** SHA-256 of the certificate, as browsers show it. */
  get fingerprint(): string {
    return new X509Certificate(this.cert).fingerprint256;
  }

  /** True when a client has sent the text, in plain text or base64. */
  hasReceived(secret: string): boolean {
    const encoded = Buffer.from(secret).toString('base64').replace(/=+$/, '');
    return this.received.includes(secret) || this.received.includes(encoded);
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    return socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
  }
}
