import { buffer } from 'node:stream/consumers';
import { FakeFtpServer } from '../../../test/fakes/ftp/fake-ftp-server';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/session/open-session';
import { validateFields } from '../core/validate-fields';
import { ftp } from './ftp';

const CONTENT = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `${n} `).join(''));
const network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
let server: FakeFtpServer;
let session: OpenSession;

beforeEach(async () => {
  server = await FakeFtpServer.start();
  server.put('a.pdf', CONTENT);
  const input = { host: 'localhost', port: server.port, security: 'NONE', user: 'anna', password: 'right' };
  const { values } = validateFields(ftp.step1, input);
  const { signal } = new AbortController();
  session = openSession({ fields: values, step2: {}, network, signal, now: () => new Date() });
});

afterEach(async () => {
  await session.close();
  await server.stop();
});
afterAll(() => network.close());

async function read(): Promise<Buffer> {
  for await (const { documents } of ftp.list(session, null, null)) {
    for (const ref of documents) return buffer((await ftp.download(session, ref)).stream);
  }
  throw new Error('There is no file.');
}

describe('A file on an FTP server', () => {
  it.each([
    '226 Transfer complete.',
    '426 Connection closed; transfer aborted.',
    '426 Connection closed; transfer aborted.\r\n226 Abort successful.',
  ])('is resumed when its transfer ends early with %j', async (answer) => {
    let transfers = 0;
    server.endAt = () => (++transfers <= 2 ? { position: 70_000 * transfers, answer } : undefined);
    expect((await read()).equals(CONTENT)).toBe(true);
    expect(server.commands.filter((command) => command.startsWith('REST'))).toEqual(['REST 70000', 'REST 140000']);
  });

  it('fails when every transfer ends early', async () => {
    server.endAt = () => ({ position: 70_000, answer: '226 Transfer complete.' });
    await expect(read()).rejects.toMatchObject({ name: 'DocumentUnavailable' });
  });

  it.each([
    '451 Restart not permitted, try again.',
    '504 Command not implemented for that parameter.',
    '550 REST not allowed.',
    '554 Requested action not taken: invalid REST parameter.',
  ])('is read from the beginning when the server answers "%s"', async (reply) => {
    server.refuse = (command) => (command.startsWith('REST') ? reply : undefined);
    let cuts = 0;
    server.cutAfter = () => (cuts++ < 1 ? 70_000 : undefined);
    expect((await read()).equals(CONTENT)).toBe(true);
  });

  it.each([
    ['550 a.pdf: Permission denied', false],
    ['550 a.pdf: No such file or directory', true],
  ])('is permanently unavailable only if the server reports it: %s', async (answer, permanent) => {
    server.refuse = (command) => (/^(MLST|RETR)/.test(command) ? answer : undefined);
    await expect(read()).rejects.toMatchObject({ name: 'DocumentUnavailable', permanent });
  });
});
