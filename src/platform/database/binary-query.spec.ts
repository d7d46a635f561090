import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { Client, DatabaseError } from 'pg';
import { BinaryQuery } from './binary-query';

function message(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
function row(value: Buffer | null): Buffer {
  const before = Buffer.alloc(6);
  before.writeInt16BE(1);
  before.writeInt32BE(value ? value.length : -1, 2);
  return message('D', before, value ?? Buffer.alloc(0));
}
const READY = message('Z', Buffer.from('I'));
const BEGUN = [message('1'), message('2')];
const DONE = [message('C', Buffer.from('SELECT 1\0')), READY];
const NOTICE = message('N', Buffer.from('SNOTICE\0VNOTICE\0C00000\0Mfor the driver\0\0'));
const ERROR = message('E', Buffer.from('SERROR\0VERROR\0C22012\0Mdivision by zero\0\0'));
const VALUE = randomBytes(40);

/** A server controlled by the test: its messages arrive in exactly the pieces in which they are sent. */
class Server extends Duplex {
  readonly received: string[] = [];
  answer: (received: string) => readonly Buffer[] = () => [];

  static async client(): Promise<{ server: Server; client: Client }> {
    const server = new Server();
    const client = new Client({ stream: () => server, user: 'somebody' });
    client.on('error', () => undefined);
    await client.connect();
    return { server, client };
  }

  connect(): void {
    queueMicrotask(() => this.emit('connect'));
  }
  setNoDelay(): void {}
  override _read(): void {}
  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    done();
    this.send(bytes);
  }
  override _writev(chunks: readonly { chunk: Buffer }[], done: () => void): void {
    done();
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
  }

  private send(bytes: Buffer): void {
    const first = this.received.length === 0;
    this.received.push(first ? 'start' : bytes.toString('latin1').replace(/[^A-Z]/g, ''));
    const responses = first ? [message('R', Buffer.alloc(4)), READY] : this.answer(bytes.toString('latin1'));
    setImmediate(() => responses.forEach((piece) => this.push(piece)));
  }
}

async function ask(client: Client, memory: Buffer = Buffer.alloc(100), name = 'name'): Promise<Buffer | null> {
  const query = new BinaryQuery(name, 'select bytes', ['1'], memory);
  await client.query(query).done;
  return query.result();
}

async function asked(pieces: readonly Buffer[], memory?: Buffer): Promise<Buffer | null> {
  const { server, client } = await Server.client();
  server.answer = () => pieces;
  return ask(client, memory);
}

describe('A statement that reads its value into given memory', () => {
  const whole = Buffer.concat([...BEGUN, NOTICE, row(VALUE), ...DONE]);

  it('reads it from a response that is split in two anywhere', async () => {
    for (let at = 0; at <= whole.length; at++) {
      const memory = Buffer.alloc(100);
      const found = await asked(
        [whole.subarray(0, at), whole.subarray(at)].filter(({ length }) => length),
        memory,
      );
      expect([at, found?.equals(VALUE), found?.buffer === memory.buffer]).toEqual([at, true, true]);
    }
  });

  it.each([1, 2, 3, 5, 7, 11])('reads it from a response that arrives %i bytes at a time', async (step) => {
    const pieces = Array.from({ length: Math.ceil(whole.length / step) }, (_, n) =>
      whole.subarray(n * step, (n + 1) * step),
    );
    expect((await asked(pieces))?.equals(VALUE)).toBe(true);
  });

  it('forwards every other message to the driver in its own memory', async () => {
    const { server, client } = await Server.client();
    const notices: string[] = [];
    client.on('notice', ({ message: text }) => notices.push(text!));
    const memory = Buffer.from(whole);
    server.answer = () => [memory.subarray(0, 20), memory.subarray(20, 40), memory.subarray(40)];
    const listeners = server.listeners('data');
    await ask(client);
    memory.fill(0); // like the buffer of a socket, at its next read
    expect(notices).toEqual(['for the driver']);
    expect(server.listeners('data')).toEqual(listeners);
  });

  it('prepares the statement once for each connection', async () => {
    const { server, client } = await Server.client();
    server.answer = (received) => (received.startsWith('P') ? [whole] : [whole.subarray(5)]);
    await ask(client);
    await ask(client);
    // The start-up message of the connection, and one packet for each execution.
    expect(server.received.map((received) => received[0])).toEqual(['s', 'P', 'B']);
  });

  it('without a name parses the statement for each execution, because a pooler may have passed on the session', async () => {
    const { server, client } = await Server.client();
    server.answer = () => [whole];
    for (let execution = 0; execution < 2; execution++)
      expect((await ask(client, undefined, ''))?.equals(VALUE)).toBe(true);
    expect(server.received.map((received) => received[0])).toEqual(['s', 'P', 'P']);
  });

  it('forwards everything after its response to the driver, and frees the connection', async () => {
    const { server, client } = await Server.client();
    const notices: unknown[] = [];
    client.on('notice', (notice) => notices.push(notice));
    server.answer = () => [Buffer.concat([whole, NOTICE])];
    await ask(client);
    expect(notices).toHaveLength(2);
    const text = [message('T', Buffer.from([0, 0])), message('C', Buffer.from('SELECT 0\0')), READY];
    server.answer = () => text;
    expect((await client.query('select')).rowCount).toBe(0);
  });

  it.each([
    ['no row', []],
    ['a null', [row(null)]],
  ])('returns null for %s', async (_, rows) => {
    expect(await asked([...BEGUN, ...rows, ...DONE])).toBeNull();
  });

  it('returns an empty value', async () => {
    expect(await asked([...BEGUN, row(Buffer.alloc(0)), ...DONE])).toHaveLength(0);
  });

  it('fails when the memory is too small, and does not write after its end', async () => {
    const memory = Buffer.alloc(100);
    await expect(asked([...BEGUN, row(VALUE), ...DONE], memory.subarray(0, 39))).rejects.toThrow(RangeError);
    expect(memory.equals(Buffer.alloc(100))).toBe(true);
  });

  it('fails when there is more than one row', async () => {
    await expect(asked([...BEGUN, row(VALUE), row(VALUE), ...DONE])).rejects.toThrow('one row');
  });

  it('fails with a server error in the middle of a response, and the connection can be used again', async () => {
    const { server, client } = await Server.client();
    server.answer = () => [...BEGUN, row(VALUE), ERROR, READY];
    await expect(ask(client)).rejects.toThrow(DatabaseError);
    server.answer = () => [whole.subarray(5)];
    expect((await ask(client))?.equals(VALUE)).toBe(true);
  });

  it('fails alone when its value does not fit, and the connection can be used again', async () => {
    const { server, client } = await Server.client();
    server.answer = () => [whole];
    await expect(ask(client, Buffer.alloc(39))).rejects.toThrow(RangeError);
    server.answer = () => [whole.subarray(5)];
    expect((await ask(client, Buffer.alloc(40)))?.equals(VALUE)).toBe(true);
  });

  it('fails when the connection is lost in the middle of a value', async () => {
    const { server, client } = await Server.client();
    server.answer = () => [whole.subarray(0, whole.length - 40)];
    const answered = ask(client);
    setImmediate(() => setImmediate(() => server.destroy()));
    await expect(answered).rejects.toThrow('Connection terminated');
    await expect(ask(client)).rejects.toThrow('not queryable');
  });
});
