import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { FakeFtpServer, type FakeFtpOptions, HOME } from '../../../test/fakes/ftp/fake-ftp-server';
import { makeCertificate } from '../../../test/fakes/imap/certificate';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { AddressNotAllowed } from '../../platform/network/network';
import { type OpenSession, openSession } from '../core/open-session';
import type { DocumentRef } from '../core/source-document';
import { InvalidCredentials, Transient } from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { STABILITY_CHECK } from '../shared/tree-sync/new-file-pages';
import { ftp } from './ftp';

let server: FakeFtpServer;
const network = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'] });
const sessions: OpenSession[] = [];
const { pauseMs } = STABILITY_CHECK;

function session(given: Record<string, unknown> = {}, through = network): OpenSession {
  const input = { host: 'localhost', port: server.port, security: 'NONE', user: 'anna', password: 'right', ...given };
  const { values, invalidFields } = validateFields(ftp.step1, input);
  expect(invalidFields).toEqual([]);
  const { signal } = new AbortController();
  const opened = openSession({ fields: values, step2: {}, network: through, signal, now: () => new Date() });
  sessions.push(opened);
  return opened;
}

async function listed(
  opened: OpenSession,
  startdate: string | null = null,
  documents: DocumentRef[] = [],
): Promise<DocumentRef[]> {
  for await (const page of ftp.list(opened, null, startdate)) documents.push(...page.documents);
  return documents;
}

const start = async (options: FakeFtpOptions = {}) => (server = await FakeFtpServer.start(options));
const read = async (opened: OpenSession, ref: DocumentRef) => buffer((await ftp.download(opened, ref)).stream);
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error,
  );

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

describe('Logging in to an FTP server', () => {
  it('distinguishes a rejected password from a full server and one that requires TLS', async () => {
    await start();
    const logins = () => server.commands.filter((command) => command === 'PASS').length;
    expect(await failure(ftp.check(session({ password: 'wrong' })))).toBeInstanceOf(InvalidCredentials);
    expect(logins()).toBe(1);
    for (const reply of [
      '530 Sorry, the maximum number of clients (5) are already connected.',
      '421 Too many connections (5) from this IP',
      '530 Non-anonymous sessions must use encryption.',
      '451 Internal error',
      '332 Need account for login.',
    ]) {
      server.refuse = (command) => (command.startsWith('USER') ? reply : undefined);
      const error = await failure(ftp.check(session()));
      expect([reply, error]).toEqual([reply, expect.any(Transient)]);
      expect(String(error)).not.toContain(reply.slice(4));
    }
    server.refuse = (command) => (command.startsWith('USER') ? '530 Permission denied.' : undefined);
    expect(await failure(ftp.check(session()))).toBeInstanceOf(InvalidCredentials);
  });

  it.each(['EXPLICIT', 'IMPLICIT'])('uses TLS (%s), also for data, with trusted servers only', async (security) => {
    const { ca, ...certified } = makeCertificate();
    await start({ tls: { ...certified, isImplicit: security === 'IMPLICIT' } });
    server.put('a.pdf', '%PDF-1.7 a');
    expect(await failure(ftp.check(session({ security })))).toBeInstanceOf(Transient);
    expect(server.commands).not.toContain('PASS');
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, ca]);
    try {
      const opened = session({ security });
      const [ref] = await listed(opened);
      expect((await read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
      expect(server.commands).toContain('PROT P');
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('sends no password without the required TLS', async () => {
    await start();
    expect(await failure(ftp.check(session({ security: 'EXPLICIT' })))).toBeInstanceOf(Transient);
    expect(server.commands.filter((command) => command !== 'QUIT')).toEqual(['AUTH TLS']);
  });

  it('does not connect to addresses that the network guard rejects', async () => {
    await start();
    const closed = new GuardedNetwork({ allow: [] });
    expect(await failure(ftp.check(session({ host: '127.0.0.1' }, closed)))).toBeInstanceOf(AddressNotAllowed);
    expect(server.commands).toEqual([]);
    await closed.close();
  });

  it.each(['127.0.0.1', '0.0.0.0', '192.168.1.2', '169.254.169.254'])(
    'uses the same address for data connections when the server supports PASV only and answers %s',
    async (host) => {
      await start();
      server.put('a.pdf', '%PDF-1.7 a');
      server.refuse = (command) => (command === 'EPSV' ? '500 ?' : undefined);
      server.passiveHost = host;
      const opened = session();
      const [ref] = await listed(opened);
      expect((await read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
    },
  );

  it('does not send commands contained in names', async () => {
    await start();
    const opened = session();
    const folders = ['a\r\nDELE b', 'a\nDELE b'];
    expect(await ftp.resolve!(opened, 'folders', folders)).toEqual([null, null]);
    for (const folder of folders) {
      const error = await failure(ftp.options!(opened, 'folders', folder));
      expect(error).toMatchObject({ name: 'SelectionNotFound' });
    }
    const locator = { path: folders[0]!, size: 1, version: 'x' };
    const error = await failure(read(opened, { filename: 'a', locator } as never));
    expect(error).toMatchObject({ name: 'DocumentUnavailable' });
    expect(server.commands.join('\n')).not.toContain('DELE');
  });

  it.each([1, 2])('works with the number of connections that the server allows (%i)', async (mostLines) => {
    await start({ mostLines });
    for (let n = 0; n < 12; n++) server.put(`${n}.pdf`, `%PDF-1.7 ${n}`.padEnd(50_000));
    const opened = session();
    const documents = await listed(opened);
    const contents = await Promise.all(documents.map((ref) => read(opened, ref)));
    expect(new Set(contents.map((content) => content.toString().trim())).size).toBe(12);
  });
});

describe.each([
  ['with exact listings', true],
  ['without', false],
])('Reading from an FTP server %s', (_, hasFacts) => {
  it('supports all characters in names', async () => {
    await start({ hasFacts });
    const names = [
      'Büro & Co/Rechnung #1 100%.pdf',
      '[x]*.pdf/a.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      '-la/b.pdf',
      '🧾; type=dir;.pdf',
      'mit  zwei -> x.pdf',
    ];
    for (const name of names) server.put(name, `%PDF-1.7 ${name}`);
    const opened = session();
    const documents = await listed(opened);
    const contents = await Promise.all(documents.map(async (ref) => (await read(opened, ref)).toString()));
    expect(contents.sort()).toEqual(names.map((name) => `%PDF-1.7 ${name}`).sort());
  });

  it('keeps the keys of files, and changes those of changed files', async () => {
    await start({ hasFacts });
    server.put('a.pdf', 'first', new Date('2026-03-04T05:06:07Z'));
    server.put('b.pdf', 'first');
    const keys = async () => (await listed(session())).map(({ dedupeKey }) => dedupeKey).sort();
    const before = await keys();
    expect(await keys()).toEqual(before);
    server.put('a.pdf', 'other', new Date('2026-03-05T05:06:07Z'));
    const after = await keys();
    expect(after.filter((key) => before.includes(key))).toHaveLength(1);
  });

  it('excludes files older than the start date, and returns the change times of others', async () => {
    await start({ hasFacts });
    server.put('alt.pdf', 'x', new Date('2019-03-04T05:06:07Z'));
    const recently = new Date(Math.floor(Date.now() / 1000) * 1000 - 7_200_000);
    server.put('neu.pdf', 'y', recently);
    const documents = await listed(session(), '2020-01-01');
    expect(documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
    const modified = recently.toISOString().replace('.000Z', 'Z');
    expect(documents[0]!.metadata.source).toMatchObject({ path: 'neu.pdf', modified_at: modified });
  });

  it('defers files that are still being written', async () => {
    await start({ hasFacts });
    const node = server.put('a.pdf', 'half', new Date());
    server.put('b.pdf', 'whole', new Date());
    server.refuse = () => {
      if (node.content.length < 1000) node.content = Buffer.concat([node.content, Buffer.from('.')]);
      return undefined;
    };
    expect((await listed(session())).map(({ filename }) => filename)).toEqual(['b.pdf']);
  });

  it('resumes after a broken connection, with REST if supported', async () => {
    for (const cannotRestart of [false, true]) {
      await server?.stop().catch(() => undefined);
      await start({ hasFacts, cannotRestart });
      const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
      server.put('a.pdf', content);
      const opened = session();
      const [ref] = await listed(opened);
      let cuts = 0;
      server.cutAfter = () => (cuts++ < 2 ? 150_000 : undefined);
      expect((await read(opened, ref!)).equals(content)).toBe(true);
      expect(server.commands.some((command) => command.startsWith('REST'))).toBe(true);
    }
  });

  it('reports a truncated listing after yielding its files', async () => {
    await start({ hasFacts, mostNames: 3 });
    for (const name of ['a', 'b', 'c', 'd']) server.put(`viele/${name}.pdf`, `%PDF-1.7 ${name}`);
    server.put('wenige/e.pdf', '%PDF-1.7 e');
    const documents: DocumentRef[] = [];
    const error = await failure(listed(session(), null, documents));
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'e.pdf']);
    expect(error).toMatchObject({ name: 'UnexpectedResponse', message: expect.stringContaining('viele') as string });
  });

  it('fails a file after repeated disconnects, and continues with other files', async () => {
    await start({ hasFacts });
    server.put('a.pdf', '%PDF-1.7 a'.padEnd(100_000));
    server.put('b.pdf', '%PDF-1.7 b');
    const opened = session();
    const [a, b] = (await listed(opened)).sort((one, other) => one.filename.localeCompare(other.filename));
    server.cutAfter = (path) => (path.endsWith('a.pdf') ? 0 : undefined);
    expect(await failure(read(opened, a!))).toBeInstanceOf(Transient);
    expect((await read(opened, b!)).toString()).toBe('%PDF-1.7 b');
  });

  it('fails for changed, deleted and inaccessible files', async () => {
    await start({ hasFacts });
    for (const name of ['a', 'b', 'c']) server.put(`${name}.pdf`, `%PDF-1.7 ${name}`.padEnd(100_000));
    const opened = session();
    const [a, b, c] = (await listed(opened)).sort((one, other) => one.filename.localeCompare(other.filename));
    server.put('a.pdf', '%PDF-1.7 shorter', new Date());
    server.files.remove('/home/anna/b.pdf');
    server.files.node('/home/anna/c.pdf')!.isClosed = true;
    expect(await failure(read(opened, a!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await failure(read(opened, b!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await failure(read(opened, c!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
  });

  it.each(['425 Cannot open data connection.', '426 Connection closed; transfer aborted.'])(
    'repeats a listing with a command that has succeeded before when the server answers "%s"',
    async (failed) => {
      await start({ hasFacts });
      for (const name of ['a', 'b']) server.put(`${name}/1.pdf`, `%PDF-1.7 ${name}`);
      const before = (await listed(session())).map(({ dedupeKey }) => dedupeKey);
      let listings = 0;
      server.refuse = (command) => (/^(MLSD|LIST)/.test(command) && ++listings === 1 ? failed : undefined);
      const opened = session();
      const documents = await listed(opened);
      expect(documents.map(({ dedupeKey }) => dedupeKey)).toEqual(before);
      const contents = await Promise.all(documents.map(async (ref) => (await read(opened, ref)).toString()));
      expect(contents.sort()).toEqual(['%PDF-1.7 a', '%PDF-1.7 b']);
      expect(server.commands.some((command) => command.startsWith('LIST'))).toBe(!hasFacts);
    },
  );

  it('logs in again when the server has closed an idle connection', async () => {
    await start({ hasFacts });
    server.put('a.pdf', '%PDF-1.7 a');
    const opened = session();
    const [ref] = await listed(opened);
    server.cut();
    expect((await read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
    server.cut();
    expect(await ftp.options!(opened, 'folders')).toHaveLength(1);
  });
});

describe('The start date on an FTP server whose listings have no time zone', () => {
  const HOUR_MS = 3_600_000;
  const names = async (startdate: string, zone: string) =>
    (await listed(session({ time_zone: zone }), startdate)).map(({ filename }) => filename).sort();

  it('is compared with exact times when a listing has days only', async () => {
    await start({ hasFacts: false });
    server.put('abends.pdf', 'x', new Date('2026-01-10T20:00:00Z'));
    server.put('nachts.pdf', 'y', new Date('2026-01-10T04:00:00Z')); // still the 9th in New York
    server.put('lange-vorher.pdf', 'z', new Date('2025-12-10T04:00:00Z'));
    expect(await names('2026-01-10', 'America/New_York')).toEqual(['abends.pdf']);
    expect(server.commands.filter((command) => command.startsWith('MDTM'))).toHaveLength(2);
  });

  it('is compared with exact times when a listing has local times', async () => {
    await start({ hasFacts: false });
    const day = new Date(Date.now() - 30 * 24 * HOUR_MS).toISOString().slice(0, 10);
    server.put('vorher.pdf', 'x', new Date(Date.parse(day) - HOUR_MS));
    server.put('nachher.pdf', 'y', new Date(Date.parse(day) + HOUR_MS));
    expect(await names(day, 'UTC')).toEqual(['nachher.pdf']);
  });

  it('includes files that may be newer when the server has no exact times', async () => {
    await start({ hasFacts: false });
    server.refuse = (command) => (command.startsWith('MDTM') ? '500 ?' : undefined);
    server.put('tags.pdf', 'x', new Date('2026-01-10T20:00:00Z'));
    server.put('lange-vorher.pdf', 'z', new Date('2026-01-08T04:00:00Z'));
    expect(await names('2026-01-10', 'America/New_York')).toEqual(['tags.pdf']);
  });
});

it('fetches every file that is a link, however many a folder has, and checks no link when it lists folders', async () => {
  await start();
  server.put('ziel.pdf', '%PDF-1.7 z');
  for (let n = 0; n < 300; n++) server.files.link(`${HOME}/links/${n}.pdf`, `${HOME}/ziel.pdf`);
  expect(await listed(session())).toHaveLength(301);
  server.commands.splice(0);
  await ftp.options!(session(), 'folders', 'links');
  expect(server.commands.filter((command) => /^(MLST|SIZE)/.test(command))).toEqual([]);
});

describe.each([
  ['that lists with facts but without `unique`', true],
  ['that lists as `ls -l` would', false],
])('An FTP server %s and lists links as their targets', (_, hasFacts) => {
  beforeEach(() => start({ hasFacts, hidesLinks: true }));
  const shown = async () => (await listed(session())).map(({ metadata }) => metadata.source!.path).sort();
  const visits = () => server.commands.filter((command) => /^(MLSD|LIST)/.test(command)).length;

  it('is traversed without cycles, and no file is listed twice', async () => {
    server.put('a/1.pdf', '%PDF-1.7 1');
    server.put('b/tief/2.pdf', '%PDF-1.7 2');
    for (const name of ['hoch', 'auf']) server.files.link(`${HOME}/a/${name}`, HOME);
    server.files.link(`${HOME}/a/selbst`, `${HOME}/a`);
    server.files.link(`${HOME}/b/tief/hoch`, `${HOME}/b`);
    server.files.link(`${HOME}/b/drüben`, `${HOME}/a`);
    expect(await shown()).toEqual(['a/1.pdf', 'b/drüben/1.pdf', 'b/tief/2.pdf']);
    expect(visits()).toBeLessThan(60);
  });

  it('may have any number of folders that resemble their parents', async () => {
    server.put('x/x/x/x/1.pdf', '%PDF-1.7 1');
    server.put('y/y/2.pdf', '%PDF-1.7 2');
    expect(await shown()).toEqual(['x/x/x/x/1.pdf', 'y/y/2.pdf']);
  });
});
