import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { FakeImapServer } from '../fake-imap-server';

export interface Tampering {
  /** Replaces this data by that of a faulty server. */
  readonly answer?: (text: string) => string;
  /** Replaces a command to the server; null closes the connection. */
  readonly command?: (text: string) => string | null;
}

/** A proxy that modifies a server's responses or the commands to it. */
export class TamperingProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly listener: Server) {}

  static async start(
    { host, port }: FakeImapServer,
    { answer = (text) => text, command = (text) => text }: Tampering,
  ): Promise<TamperingProxy> {
    const proxy: TamperingProxy = new TamperingProxy(
      createServer((client) => {
        const upstream = connect(port, host);
        for (const socket of [client, upstream]) {
          proxy.sockets.add(socket);
          socket.on('error', () => undefined);
        }
        client.on('data', (data) => {
          const altered = command(data.toString('latin1'));
          if (altered === null) client.destroy();
          else upstream.write(altered, 'latin1');
        });
        upstream.on('data', (data) => client.write(answer(data.toString('latin1')), 'latin1'));
        upstream.on('close', () => client.destroy());
        client.on('close', () => upstream.destroy());
      }).listen(0, '127.0.0.1'),
    );
    await once(proxy.listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.listener.close(closed));
  }
}
