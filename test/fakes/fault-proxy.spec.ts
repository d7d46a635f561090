import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FaultProxy } from './fault-proxy';

describe('a proxy that injects network faults', () => {
  let server: Server;
  let proxy: FaultProxy;
  const clients: Socket[] = [];
  /** Echoes its input. */
  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await FaultProxy.start({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.stop();
    server.close();
  });

  /** Sends the text and returns the bytes received when the expected number has arrived or the connection has closed. */
  async function echo(text: string, length = text.length): Promise<{ text: string; cut: boolean }> {
    const client = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
    clients.push(client);
    let received = '';
    let cut = false;
    client.on('error', () => (cut = true));
    client.on('data', (piece: unknown) => (received += String(piece)));
    client.write(text);
    while (received.length < length && !client.closed) {
      await Promise.race([once(client, 'data'), once(client, 'close')]).catch(() => undefined);
    }
    return { text: received, cut };
  }

  it('forwards everything unchanged', async () => {
    expect(await echo('Hello')).toEqual({ text: 'Hello', cut: false });
    expect([proxy.connections, proxy.cuts, proxy.open]).toEqual([1, 0, 1]);
  });

  it('resets each connection after its own number of bytes', async () => {
    proxy.faults((connection) => (connection === 1 ? { cutAfter: 3 } : {}));
    const first = await echo('Hello');
    expect(first.cut).toBe(true);
    expect('Hel'.startsWith(first.text)).toBe(true);
    expect(await echo('Hello')).toEqual({ text: 'Hello', cut: false });
    expect(proxy.cuts).toBe(1);
  });

  it('refuses connections', async () => {
    proxy.faults(() => ({ refuse: true }));
    expect(await echo('Hello')).toEqual({ text: '', cut: true });
  });

  it('stalls until all connections are reset', async () => {
    proxy.faults(() => ({ stallAfter: 2 }));
    expect(await echo('Hello', 2)).toEqual({ text: 'He', cut: false });
    expect(proxy.open).toBe(1);
    const closed = new Promise((resolve) => clients[0]!.once('close', resolve));
    proxy.cutAll();
    await closed;
    expect(proxy.open).toBe(0);
  });

  it('delays', async () => {
    proxy.faults(() => ({ delayMs: 20 }));
    expect(await echo('Hello')).toEqual({ text: 'Hello', cut: false });
  });
});
