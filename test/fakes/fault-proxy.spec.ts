import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FaultProxy } from './fault-proxy';

describe('a proxy on an unreliable network', () => {
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

  /** Sends the text and answers what has come back when so much has, or when the connection is gone. */
  async function said(text: string, length = text.length): Promise<{ text: string; cut: boolean }> {
    const client = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
    clients.push(client);
    let heard = '';
    let cut = false;
    client.on('error', () => (cut = true));
    client.on('data', (piece: unknown) => (heard += String(piece)));
    client.write(text);
    while (heard.length < length && !client.closed) {
      await Promise.race([once(client, 'data'), once(client, 'close')]).catch(() => undefined);
    }
    return { text: heard, cut };
  }

  it('lets everything pass', async () => {
    expect(await said('Hello')).toEqual({ text: 'Hello', cut: false });
    expect([proxy.connections, proxy.cuts, proxy.open]).toEqual([1, 0, 1]);
  });

  it('cuts after so many bytes, each connection as it is told', async () => {
    proxy.faults((connection) => (connection === 1 ? { cutAfter: 3 } : {}));
    const first = await said('Hello');
    expect(first.cut).toBe(true);
    expect('Hel'.startsWith(first.text)).toBe(true);
    expect(await said('Hello')).toEqual({ text: 'Hello', cut: false });
    expect(proxy.cuts).toBe(1);
  });

  it('refuses', async () => {
    proxy.faults(() => ({ refuse: true }));
    expect(await said('Hello')).toEqual({ text: '', cut: true });
  });

  it('stalls, until everything is cut', async () => {
    proxy.faults(() => ({ stallAfter: 2 }));
    expect(await said('Hello', 2)).toEqual({ text: 'He', cut: false });
    expect(proxy.open).toBe(1);
    const closed = new Promise((resolve) => clients[0]!.once('close', resolve));
    proxy.cutAll();
    await closed;
    expect(proxy.open).toBe(0);
  });

  it('delays', async () => {
    proxy.faults(() => ({ delayMs: 20 }));
    expect(await said('Hello')).toEqual({ text: 'Hello', cut: false });
  });
});
