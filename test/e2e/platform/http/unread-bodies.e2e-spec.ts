import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../../../harness/eventually';
import { useTestContext } from '../../../harness/app/test-context';

const MIB = 1024 * 1024;

describe('An unexpected request body (decisions 1)', () => {
  const context = useTestContext();
  const server = () => context.app.app.getHttpServer();

  /** A connection that has sent the headers of a POST without its body; `answer` is the response so far. */
  async function begun(headers: Record<string, string>, path = '/v1/identities') {
    const socket = connect((server().address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => received.push(bytes)).on('error', () => undefined); // a reset is an end, too
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const lines = Object.entries({ Host: 'docfetch', ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return { socket, closed, answer: () => Buffer.concat(received).toString() };
  }

  /** Writes as fast as the client reads, until it closes. Returns the number of bytes. */
  async function flood(socket: Socket, frame: (bytes: Buffer) => Buffer | string): Promise<number> {
    const part = Buffer.alloc(64 * 1024, 0x20);
    let sent = 0;
    while (!socket.destroyed && sent < 200 * MIB) {
      if (!socket.write(frame(part))) {
        await new Promise<void>((resolve) => socket.once('drain', resolve).once('close', resolve));
      }
      sent += part.length;
    }
    return sent;
  }

  it.each([
    ['without credentials', {}, 'MISSING_CREDENTIALS'],
    ['with a wrong key', { 'X-API-KEY': 'letmein' }, 'INVALID_API_KEY'],
  ])('is rejected before it is received, %s', async (_, credentials, code) => {
    const { closed, answer } = await begun({ ...credentials, 'Content-Length': String(200 * MIB) });
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer()).toMatch(/^Connection: close\r$/m);
    expect(answer()).toContain(code);
  });

  it('of 200 MB without credentials is aborted', async () => {
    const { socket, closed } = await begun({ 'Content-Length': String(200 * MIB) });
    const sent = await flood(socket, (bytes) => bytes);
    await closed;
    expect(sent).toBeLessThan(20 * MIB);
  });

  it('that arrives slowly without credentials is aborted', async () => {
    const { socket, closed, answer } = await begun({ 'Transfer-Encoding': 'chunked' });
    const trickle = setInterval(() => socket.write('1\r\n \r\n'), 20);
    await closed.finally(() => clearInterval(trickle));
    expect(answer()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('at an unknown path is aborted', async () => {
    const { closed, answer } = await begun({ 'Content-Length': String(200 * MIB) }, '/nowhere');
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('announced as larger than 1 MiB is rejected before it is received', async () => {
    const { closed, answer } = await begun({
      'X-API-KEY': context.client.apiKey,
      'Content-Length': String(MIB + 1),
    });
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer()).toMatch(/^Connection: close\r$/m);
  });

  it.each(['identity', 'gzip'])('of unknown length (%s) is rejected when it exceeds 1 MiB', async (coding) => {
    const { socket, closed, answer } = await begun({
      'X-API-KEY': context.client.apiKey,
      'Transfer-Encoding': 'chunked',
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    });
    const sent = await flood(socket, (bytes) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
    );
    await closed;
    expect(sent).toBeLessThan(20 * MIB);
    expect(answer()).toMatch(coding === 'identity' ? /^HTTP\/1\.1 413 / : /^HTTP\/1\.1 422 /);
    expect(answer()).toMatch(/^Connection: close\r$/m);
  });

  it('that was received keeps the connection open, for longer than a load balancer keeps it idle', async () => {
    const { socket, answer } = await begun({ 'X-API-KEY': context.client.apiKey, 'Content-Length': '2' });
    socket.write('{}');
    await eventually(async () => answer().includes('MISSING_REQUIRED_FIELDS'), 'the answer is here');
    expect(answer()).toMatch(/^Connection: keep-alive\r$/m);
    expect(Number(/^Keep-Alive: timeout=(\d+)\r$/m.exec(answer())?.[1])).toBeGreaterThan(60);
    expect(server().headersTimeout).toBeGreaterThan(server().keepAliveTimeout);
    expect(server().requestTimeout).toBeGreaterThanOrEqual(server().headersTimeout);
    socket.destroy();
  });
});
