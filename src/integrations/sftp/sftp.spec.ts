import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FakeSftpServer, HOME, newKey } from '../../../test/fakes/sftp/fake-sftp-server';
import { step1Session } from '../../../test/harness/connectors/step1-session';
import { AddressNotAllowed } from '../../platform/network/network';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { type OpenSession, openSession } from '../core/session/open-session';
import type { DocumentRef } from '../core/source-document';
import { InvalidCredentials, Transient } from '../core/source-errors';
import { STABILITY_CHECK } from '../shared/tree-sync/new-file-pages';
import { readPrivateKey } from './keys/private-key';
import { sftp } from './sftp';
import { rejectionOf } from '../../../test/harness/rejection-of';

const SAMPLES = join(__dirname, '../../../test/samples/ssh-keys');

let server: FakeSftpServer;
const network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
const sessions: OpenSession[] = [];
const { pauseMs } = STABILITY_CHECK;

function session(given: Record<string, unknown> = {}, through = network): OpenSession {
  const input = { host: 'localhost', port: server.port, user: 'anna', password: 'right', ...given };
  const trusted = step1Session(sftp, { ...input, trusted_fingerprint: server.fingerprint });
  const { signal } = new AbortController();
  const opened = openSession({ ...trusted, step2: {}, network: through, signal, now: () => new Date() });
  sessions.push(opened);
  return opened;
}

async function listed(opened: OpenSession, documents: DocumentRef[] = []): Promise<DocumentRef[]> {
  for await (const page of sftp.list(opened, null, null)) documents.push(...page.documents);
  return documents;
}

beforeAll(() => {
  STABILITY_CHECK.pauseMs = 50;
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.close();
  await server.stop();
});
afterAll(async () => {
  STABILITY_CHECK.pauseMs = pauseMs;
  await network.close();
});

describe('Logging in to an SFTP server', () => {
  it('sends the password by an offered method, and only once', async () => {
    server = await FakeSftpServer.start({ onlyDialogue: true });
    await sftp.check(session());
    expect(await rejectionOf(sftp.check(session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    expect(server.logins).toEqual(['keyboard-interactive', 'keyboard-interactive']);
  });

  it('does not retry a wrong password', async () => {
    server = await FakeSftpServer.start();
    expect(await rejectionOf(sftp.check(session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    expect(server.logins).toEqual(['password']);
  });

  it('reports an expired password as invalid credentials', async () => {
    server = await FakeSftpServer.start({ isExpired: true });
    expect(await rejectionOf(sftp.check(session()))).toBeInstanceOf(InvalidCredentials);
    expect(server.logins).toEqual(['password']);
  });

  it('logs in with an encrypted key, and not with a former password', async () => {
    const key = newKey('geheim ü');
    server = await FakeSftpServer.start({ publicKey: key.public });
    const login = { login: 'key', private_key: key.private, passphrase: 'geheim ü' };
    await sftp.check(session(login));
    expect(await rejectionOf(sftp.check(session({ ...login, private_key: newKey().private })))).toBeInstanceOf(
      InvalidCredentials,
    );
    expect(server.logins).not.toContain('password');
  });

  it('logs in with keys in the formats of PuTTY and OpenSSL', async () => {
    const [putty, publicKey] = ['ppk', 'pub'].map((end) => readFileSync(join(SAMPLES, `rsa-locked.${end}`), 'utf8'));
    server = await FakeSftpServer.start({ publicKey: publicKey! });
    await sftp.check(session({ login: 'key', private_key: putty, passphrase: 'geheim ü' }));
    await server.stop();

    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const own = (await readPrivateKey(pem, undefined)).getPublicSSH();
    server = await FakeSftpServer.start({ publicKey: `ssh-rsa ${own.toString('base64')}` });
    await sftp.check(session({ login: 'key', private_key: pem }));
    expect(server.logins).toEqual(['publickey']);
  });

  it('does not report a disconnect during the login as a rejection', async () => {
    server = await FakeSftpServer.start();
    const { port } = server;
    await server.stop();
    server = await FakeSftpServer.start();
    expect(await rejectionOf(sftp.check(session({ port })))).toBeInstanceOf(Transient);
  });

  it('does not connect to addresses that the network guard rejects', async () => {
    server = await FakeSftpServer.start();
    const closed = new GuardedNetwork({ allow: [] });
    expect(await rejectionOf(sftp.check(session({ host: '127.0.0.1' }, closed)))).toBeInstanceOf(AddressNotAllowed);
    expect(server.connections).toBe(0);
    await closed.close();
  });
});

describe('Reading from an SFTP server', () => {
  it('fails as transient after repeated disconnects, and continues with other files', async () => {
    server = await FakeSftpServer.start();
    server.put('a.pdf', '%PDF-1.7 a');
    server.put('b.pdf', '%PDF-1.7 b');
    const opened = session();
    const [a, b] = await listed(opened);
    server.onRead = (path) => path.endsWith(a!.filename);
    expect(await rejectionOf(sftp.download(opened, a!))).toBeInstanceOf(Transient);
    expect((await buffer((await sftp.download(opened, b!)).stream)).toString()).toBe('%PDF-1.7 b');
  });

  it('fails when a file was truncated', async () => {
    server = await FakeSftpServer.start();
    const node = server.put('a.pdf', Buffer.alloc(200_000, 'x'));
    const opened = session();
    const [ref] = await listed(opened);
    node.content = node.content.subarray(0, 100_000);
    const read = async () => buffer((await sftp.download(opened, ref!)).stream);
    expect(await rejectionOf(read())).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
  });

  it('reads at most one megabyte ahead', async () => {
    server = await FakeSftpServer.start();
    server.put('a.pdf', Buffer.alloc(10_000_000, 'x'));
    const opened = session();
    const [ref] = await listed(opened);
    const { stream } = await sftp.download(opened, ref!);
    for await (const chunk of stream) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(server.reads).toBeLessThan(80);
  });

  it('resumes after repeated disconnects', async () => {
    server = await FakeSftpServer.start();
    const content = randomBytes(300_000);
    server.put('a.pdf', content);
    const opened = session();
    const [ref] = await listed(opened);
    server.onRead = () => server.reads % 3 === 0;
    expect((await buffer((await sftp.download(opened, ref!)).stream)).equals(content)).toBe(true);
    expect(server.reads).toBeGreaterThan(12);
  });

  it.each(['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com', 'aes256-ctr'] as const)(
    'reads every byte with %s, of many files concurrently, during key exchanges',
    async (cipher) => {
      server = await FakeSftpServer.start({ cipher });
      const contents = new Map(Array.from({ length: 12 }, (_, n) => [`${n}.pdf`, randomBytes(1 + n * 45_000)]));
      for (const [name, content] of contents) server.put(name, content);
      const opened = session();
      const refs = await listed(opened);
      let reads = 0;
      server.onRead = () => {
        if (++reads % 40 === 0) server.changeKeys();
        return false;
      };
      const read = await Promise.all(refs.map(async (ref) => buffer((await sftp.download(opened, ref)).stream)));
      const same = refs.map(({ filename }, n) => contents.get(filename)!.equals(read[n]!));
      expect(same).toEqual(refs.map(() => true));
      expect([server.logins.length, server.keyChanges > 0]).toEqual([1, true]);
    },
  );

  it('releases the memory of a document on request', async () => {
    server = await FakeSftpServer.start();
    server.put('a.pdf', Buffer.alloc(100_000, 'x'));
    const opened = session();
    const [ref] = await listed(opened);
    const source = await sftp.download(opened, ref!);
    const parts = (await source.stream.toArray()) as Buffer[];
    expect(parts.map(({ length }) => length)).toEqual([100_000]);
    source.releaseBuffers!();
    expect(parts.map(({ length }) => length)).toEqual([0]);
  });
});

/** A Latin-1 name as ssh2 decodes it, by which no server finds the file. */
const GARBLED = 'M\uFFFDrz.pdf';

describe('A non-UTF-8 name on an SFTP server', () => {
  /** Lists the entries of a folder under other names. */
  function garble(folder: string): void {
    const entries = server.files.entries.bind(server.files);
    server.files.entries = (path) =>
      entries(path)?.map((entry) => (path === folder ? { ...entry, filename: GARBLED } : entry));
  }

  it.each([
    ['folder', () => void server.put('b/ab/d.pdf', '%PDF-1.7 d')],
    ['link', () => server.files.link(`${HOME}/b/ab`, `${HOME}/c.pdf`)],
  ])('of a %s is reported after all other files', async (kind, make) => {
    server = await FakeSftpServer.start();
    server.put('c.pdf', '%PDF-1.7 c');
    make();
    server.put('z/e.pdf', '%PDF-1.7 e');
    garble(`${HOME}/b`);
    const documents: DocumentRef[] = [];
    const error = await rejectionOf(listed(session(), documents));
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['c.pdf', 'e.pdf']);
    const message = expect.stringContaining(`${kind} b/${GARBLED}`) as string;
    expect(error).toMatchObject({ name: 'UnexpectedResponse', message });
  });

  it.each([
    ['old', new Date(Date.now() - 3_600_000)],
    ['changed a moment ago', new Date()],
    ['from the future', new Date(Date.now() + 3_600_000)],
  ])('of a file is listed as an unavailable document (%s)', async (_, modified) => {
    server = await FakeSftpServer.start();
    server.put('b/ab', '%PDF-1.7 b', modified);
    garble(`${HOME}/b`);
    const opened = session();
    const [ref] = await listed(opened);
    expect(ref).toMatchObject({ filename: GARBLED });
    expect(await rejectionOf(sftp.download(opened, ref!))).toMatchObject({ name: 'DocumentRefused' });
  });
});

describe.each([
  ['permissions without the kind of a file', (mode: number) => mode & 0o7777],
  ['no permissions', () => undefined],
])('An SFTP server that reports %s', (_, reportedMode) => {
  it('is synchronized by the types in its `ls` lines', async () => {
    server = await FakeSftpServer.start();
    const { files } = server;
    server.put('a.pdf', '%PDF-1.7 a', new Date());
    server.put('b/c/d.pdf', '%PDF-1.7 d');
    files.link(`${HOME}/link.pdf`, `${HOME}/b/c/d.pdf`);
    files.link(`${HOME}/b/kreis`, HOME);
    const without = <Entry extends { attrs: { mode: number } }>(entry: Entry): Entry => ({
      ...entry,
      attrs: { ...entry.attrs, mode: reportedMode(entry.attrs.mode) },
    });
    const [entries, attributes] = [files.entries.bind(files), files.attributes.bind(files)];
    files.entries = (path) => entries(path)?.map(without);
    files.attributes = (path) => {
      const attrs = attributes(path);
      return attrs && without({ attrs }).attrs;
    };
    const opened = session();
    const documents = await listed(opened);
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'd.pdf', 'link.pdf']);
    for (const ref of documents) expect((await buffer((await sftp.download(opened, ref)).stream)).length).toBe(10);
    const tree = (await sftp.step2!(opened)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ value }) => value)).toContain('b');
    expect(await sftp.resolve!(opened, 'folders', ['b', 'a.pdf'])).toMatchObject([{ value: 'b' }, null]);
  });
});
