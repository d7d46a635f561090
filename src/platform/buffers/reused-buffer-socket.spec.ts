import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createReusedBufferSocket, interceptData } from './reused-buffer-socket';

describe('A reused-buffer socket', () => {
  const bytes = randomBytes(3_000_000);
  let server: Server;
  let other: Socket;
  let socket: Socket;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    socket = createReusedBufferSocket().connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    [other] = await connected;
  });

  afterEach(() => {
    socket.destroy();
    other.destroy();
    server.close();
  });

  it('emits copies of the received bytes, like any socket', async () => {
    const arrived: Buffer[] = [];
    socket.on('data', (part: Buffer) => arrived.push(part));
    other.end(bytes);
    await once(socket, 'end');
    expect(Buffer.concat(arrived).equals(bytes)).toBe(true);
  });

  it('stops reading while it is paused, and loses nothing', async () => {
    const arrived: Buffer[] = [];
    socket.on('data', (part: Buffer) => {
      arrived.push(part);
      if (arrived.length % 7 !== 0) return;
      socket.pause();
      setImmediate(() => socket.resume());
    });
    other.end(bytes);
    await once(socket, 'end');
    expect(Buffer.concat(arrived).equals(bytes)).toBe(true);
  });

  it('passes the same memory to the consumer each time, and forwarded bytes to the listeners', async () => {
    const all = Promise.withResolvers<void>();
    const reused: Buffer[] = [];
    let length = 0;
    const memories = new Set<ArrayBufferLike>();
    const received: Buffer[] = [];
    socket.on('data', (part: Buffer) => received.push(part));
    const { forward, restore } = interceptData(socket, (part) => {
      memories.add(part.buffer);
      reused.push(Buffer.from(part));
      if (reused.length === 1) forward(part);
      length += part.length;
      if (length < bytes.length) return;
      restore();
      all.resolve();
    });
    other.write(bytes);
    await all.promise;
    other.end('behind');
    await once(socket, 'end');
    expect(Buffer.concat(reused).equals(bytes)).toBe(true);
    expect(memories.size).toBe(1);
    expect(received.map(String)).toEqual([String(reused[0]), 'behind']);
  });

  it('closes with a consumer, too', async () => {
    interceptData(socket, () => undefined);
    other.end(bytes);
    await once(socket, 'close');
  });
});
