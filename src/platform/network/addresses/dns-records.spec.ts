import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { DnsRecords } from './dns-records';

const MX = 15;
const opened: Socket[] = [];

/** A name server on 127.0.0.1 that answers every query with these records, or not at all. */
async function nameServer(answer?: (name: Buffer) => Buffer[]): Promise<string> {
  const socket = createSocket('udp4');
  opened.push(socket);
  socket.on('message', (query, { port, address }) => {
    if (!answer) return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const records = answer(question);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

/** A record of the name in the question. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const nameOf = (host: string) =>
  Buffer.concat([
    ...host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);
const mx = (priority: number, host: string) =>
  record(MX, Buffer.concat([Buffer.from([0, priority]), host ? nameOf(host) : Buffer.from([0])]));
const srv = (priority: number, port: number, host: string) =>
  record(
    33,
    Buffer.concat([Buffer.from([0, priority, 0, 0, port >> 8, port & 0xff]), host ? nameOf(host) : Buffer.from([0])]),
  );

describe('DnsRecords', () => {
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.close();
  });

  it('lists mail exchanges by preference, in lower case, without the null record', async () => {
    const server = await nameServer(() => [mx(20, 'backup.example.com'), mx(5, ''), mx(10, 'MX.example.com')]);
    const found = await new DnsRecords({ servers: [server] }).mailExchanges('example.com');
    expect(found).toEqual(['mx.example.com', 'backup.example.com']);
  });

  it('lists the addresses of a service by preference, without those that are not available', async () => {
    const server = await nameServer(() => [srv(9, 1993, 'b.example.com'), srv(0, 0, ''), srv(1, 993, 'a.example.com')]);
    expect(await new DnsRecords({ servers: [server] }).services('_imaps._tcp.example.com')).toEqual([
      { host: 'a.example.com', port: 993 },
      { host: 'b.example.com', port: 1993 },
    ]);
  });

  it('finds nothing when there are no records, when nobody listens, and when the server never answers', async () => {
    const empty = await nameServer(() => []);
    const silent = await nameServer();
    for (const server of [empty, silent, '127.0.0.1:1']) {
      const dns = new DnsRecords({ servers: [server], timeoutMs: 300 });
      expect(await dns.mailExchanges('example.com')).toEqual([]);
      expect(await dns.services('_imaps._tcp.example.com')).toEqual([]);
    }
  });
});
