import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { types } from 'node:util';
import { ftp } from '../../../src/integrations/ftp/ftp';
import { InvalidCredentials, Transient } from '../../../src/integrations/core/source-errors';
import { FaultProxy } from '../../fakes/fault-proxy';
import { listAll, read, sha256 } from '../imap/mailbox-session';
import { keysOf, NAMES, StorageSessions } from '../storage/storage-sessions';
import { rejectionOf } from '../../harness/rejection-of';
import { type RealFtp, type Security, startProftpd } from './ftp-servers';

// In Jest, socket errors belong to another realm's class than the one that the code under test checks.
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, error: unknown) {
    return this === Error ? types.isNativeError(error) : Function.prototype[Symbol.hasInstance].call(this, error);
  },
});

const trusted = getCACertificates('default');
let server: RealFtp | undefined;
let sessions: StorageSessions;

beforeEach(() => {
  sessions = new StorageSessions(ftp);
});

afterEach(async () => {
  setDefaultCACertificates(trusted);
  await sessions.close();
  await server?.stop();
  server = undefined;
});

async function use(starting: Promise<RealFtp>): Promise<RealFtp> {
  server = await starting;
  setDefaultCACertificates([...trusted, server.ca]);
  return server;
}

describe.each([
  ['with exact listings', true],
  ['with listings as `ls -l` shows them', false],
])('The FTP connector with ProFTPD %s', (_, hasFacts) => {
  const start = (security: Security) => startProftpd(hasFacts, security);

  it.each(['EXPLICIT', 'IMPLICIT', 'NONE'] as const)(
    'fetches a tree with unchanged bytes, every kind of name and several files concurrently (%s)',
    async (security) => {
      const { put, fields } = await use(start(security));
      const expected = new Set<string>();
      for (const [n, path] of NAMES.entries()) {
        const content = randomBytes(1 + n * 50_000);
        expected.add(sha256(content));
        await put(path, content);
      }
      await put('leer.pdf', '');
      const opened = sessions.open(fields);
      const { documents, filteredBy } = await listAll(ftp, opened);
      expect(filteredBy).toEqual({ EMPTY: 1 });
      const contents = await Promise.all(documents.map((ref) => read(ftp, opened, ref)));
      expect(new Set(contents.map(sha256))).toEqual(expected);
      expect(documents.find(({ filename }) => filename === 'b.pdf')!.metadata.source).toMatchObject({
        kind: 'file',
        path: 'tief/er/noch/b.pdf',
        modified_at: expect.stringMatching(/^\d{4}-/),
      });
    },
  );

  it('fetches files with non-UTF-8 names and folders, and decodes their names', async () => {
    const { put, fields, root } = await use(start('EXPLICIT'));
    const content = randomBytes(200_000);
    await put('Büro/ü.pdf', 'a');
    const raw = (path: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
    await mkdir(raw('B\xfcro'));
    await writeFile(raw('B\xfcro/M\xe4rz.pdf'), content);
    await writeFile(raw('B\xfcro/\xa0.pdf'), 'b');
    await chmod(raw('B\xfcro'), 0o777);
    const old = new Date('2026-03-04T05:06:07Z');
    for (const name of ['M\xe4rz', '\xa0']) await utimes(raw(`B\xfcro/${name}.pdf`), old, old);

    const all = sessions.open(fields);
    const tree = (await ftp.step2!(all)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ label }) => label).slice(1)).toEqual(['Büro', 'Büro']);
    const values = tree.options!.slice(1).map(({ value }) => value);
    expect(await ftp.resolve!(all, 'folders', values)).toMatchObject([{ label: 'Büro' }, { label: 'Büro' }]);
    const { documents } = await listAll(ftp, all);
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['März.pdf', '\xa0.pdf', 'ü.pdf'].sort());

    const folder = values.find((value) => value !== 'Büro')!;
    const chosen = sessions.open(fields, { step2: { folders: [folder], include: 'märz*' } });
    const [found, ...others] = (await listAll(ftp, chosen)).documents;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ filename: 'März.pdf', metadata: { source: { path: 'Büro/März.pdf' } } });
    expect(await read(ftp, chosen, found!)).toEqual(content);
  });

  it('lists 50,000 files of one folder, and downloads nothing in a second fetch', async () => {
    const { put, fields, root } = await use(start('NONE'));
    const old = new Date('2026-03-04T05:06:07Z');
    for (let n = 0; n < 50_000; n += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, i) => put(`viele/${n + i}.pdf`, 'x', old)));
    }
    const first = await listAll(ftp, sessions.open(fields));
    expect(new Set(keysOf(first.documents)).size).toBe(50_000);
    await put('viele/neu.pdf', 'y', old);
    await rename(join(root, 'viele/7.pdf'), join(root, 'viele/sieben.pdf'));
    const second = await listAll(ftp, sessions.open(fields, { known: keysOf(first.documents) }), first.cursor);
    expect(second.documents.map(({ filename }) => filename).sort()).toEqual(['neu.pdf', 'sieben.pdf']);
  }, 300_000);

  it('rejects servers with an untrusted certificate', async () => {
    const { fields } = await use(start('EXPLICIT'));
    expect(await ftp.check(sessions.open(fields))).toMatchObject({ display: `${String(fields['user'])}@localhost` });
    setDefaultCACertificates(trusted);
    expect(await rejectionOf(ftp.check(sessions.open(fields)))).toBeInstanceOf(Transient);
  });

  it('lists the folders level by level', async () => {
    const { put, fields } = await use(start('EXPLICIT'));
    await put('Büro/Rechnungen [1]/a.pdf', 'x');
    await put('Ablage/b.pdf', 'x');
    const opened = sessions.open(fields);
    const tree = (await ftp.step2!(opened)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ value }) => value)).toEqual(['.', 'Ablage', 'Büro']);
    expect(await ftp.options!(opened, 'folders', 'Büro')).toMatchObject([
      { value: 'Büro/Rechnungen [1]', label: 'Rechnungen [1]' },
    ]);
    expect(
      await ftp.resolve!(opened, 'folders', ['Büro/Rechnungen [1]', 'nicht da', 'Ablage/b.pdf', '.']),
    ).toMatchObject([{ label: 'Büro/Rechnungen [1]' }, null, null, { value: '.' }]);
    expect(await rejectionOf(ftp.options!(opened, 'folders', 'nicht da'))).toMatchObject({ name: 'SelectionNotFound' });
  });

  it('reports a changed or deleted file instead of delivering parts of two versions', async () => {
    const { put, fields, root } = await use(start('EXPLICIT'));
    await put('a.pdf', randomBytes(500_000));
    await put('b.pdf', randomBytes(500_000));
    const opened = sessions.open(fields);
    const { documents } = await listAll(ftp, opened);
    await put('a.pdf', randomBytes(400_000), new Date());
    await rename(join(root, 'b.pdf'), join(root, 'c.pdf'));
    for (const ref of documents)
      expect(await rejectionOf(read(ftp, opened, ref))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    await put('a.pdf', 'closed');
    const [closed] = (await listAll(ftp, opened)).documents.filter(({ filename }) => filename === 'a.pdf');
    await chmod(join(root, 'a.pdf'), 0o000);
    expect(await rejectionOf(read(ftp, opened, closed!))).toMatchObject({
      name: 'DocumentUnavailable',
      permanent: false,
    });
  });

  it('streams 100 MB with unchanged bytes', async () => {
    const { put, fields } = await use(start('EXPLICIT'));
    const content = randomBytes(100_000_000);
    await put('gross.pdf', content);
    const opened = sessions.open(fields);
    const { documents } = await listAll(ftp, opened);
    const hash = createHash('sha256');
    for await (const chunk of (await ftp.download(opened, documents[0]!)).stream) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(sha256(content));
  });

  it('reports a transient failure when the connection is lost during login or listing, and lists everything afterwards', async () => {
    const { put, fields, port } = await use(start('EXPLICIT'));
    for (let n = 0; n < 300; n++) await put(`${n}.pdf`, `${n}`);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port });
    try {
      for (const cutAfter of [0, 10, 100, 1_000, 2_000]) {
        proxy.faults(() => ({ cutAfter }));
        const error = await rejectionOf(listAll(ftp, sessions.open({ ...fields, port: proxy.port })));
        expect([cutAfter, error]).toEqual([cutAfter, expect.any(Transient)]);
      }
      // A lost idle connection is detected only when it is used.
      proxy.faults(() => ({}));
      const opened = sessions.open({ ...fields, port: proxy.port });
      const { documents } = await listAll(ftp, opened);
      expect(documents).toHaveLength(300);
      proxy.cutAll();
      expect((await read(ftp, opened, documents[0]!)).toString()).toMatch(/^\d+$/);
    } finally {
      await proxy.stop();
    }
  });

  it('distinguishes a rejected login from an unavailable server', async () => {
    const { fields, stop } = await use(start('EXPLICIT'));
    for (const wrong of [{ password: 'falsch' }, { user: 'niemand' }]) {
      expect(await rejectionOf(ftp.check(sessions.open({ ...fields, ...wrong })))).toBeInstanceOf(InvalidCredentials);
    }
    // It requires TLS, which does not depend on the password.
    expect(await rejectionOf(ftp.check(sessions.open({ ...fields, security: 'NONE' })))).toBeInstanceOf(Transient);
    const later = sessions.open(fields);
    await stop();
    expect(await rejectionOf(ftp.check(later))).toBeInstanceOf(Transient);
  });
});

describe('The FTP connector with ProFTPD that resolves symbolic links', () => {
  it('detects symbolic link cycles, and lists folders that resemble their parent', async () => {
    const { put, fields, root } = await use(startProftpd(true, 'NONE', ['ShowSymlinks off']));
    await put('a/1.pdf', 'x');
    await put('gleich/gleich/gleich/2.pdf', 'y');
    await symlink('..', join(root, 'a/up'));
    await symlink('.', join(root, 'a/self'));
    await symlink('../a', join(root, 'gleich/a'));
    const old = new Date('2026-03-04T05:06:07Z');
    for (const path of ['gleich/gleich/gleich', 'gleich/gleich', 'gleich', '.'])
      await utimes(join(root, path), old, old);
    const { documents } = await listAll(ftp, sessions.open(fields));
    expect(documents.map(({ metadata }) => metadata.source!.path).sort()).toEqual([
      'a/1.pdf',
      'gleich/a/1.pdf',
      'gleich/gleich/gleich/2.pdf',
    ]);
  });
});
