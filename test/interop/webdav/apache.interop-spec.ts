import { createHash, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidCredentials, Transient } from '../../../src/integrations/core/source-errors';
import { webdav } from '../../../src/integrations/webdav/webdav';
import { GuardedNetwork } from '../../../src/platform/network/guarded-network';
import { FaultProxy } from '../../fakes/fault-proxy';
import { listAll, read, sha256 } from '../imap/mailbox-session';
import { keysOf, NAMES, StorageSessions } from '../storage/storage-sessions';
import { rejectionOf } from '../../harness/rejection-of';
import { Apache } from './apache';

let server: Apache;
let sessions: StorageSessions;

beforeEach(async () => {
  sessions = new StorageSessions(webdav);
  server = await Apache.start();
});

afterEach(async () => {
  await sessions.close();
  await server?.stop();
});

describe('The WebDAV connector with Apache', () => {
  it('fetches a tree with unchanged bytes, every kind of name and four files concurrently', async () => {
    const expected = new Set<string>();
    for (const [n, name] of [...NAMES, 'zeile\numbruch.pdf'].entries()) {
      const content = randomBytes(1 + n * 50_000);
      expected.add(sha256(content));
      await server.put(name, content);
    }
    await server.put('leer.pdf', '');
    const opened = sessions.open(server.fields);
    const { documents, filteredBy } = await listAll(webdav, opened);
    expect(filteredBy).toEqual({ EMPTY: 1 });
    const contents = await Promise.all(documents.map((ref) => read(webdav, opened, ref)));
    expect(new Set(contents.map(sha256))).toEqual(expected);
    expect(documents.map(({ filename }) => filename)).toContain('#1 100% [x]+y=z?.pdf');
    expect(documents.find(({ filename }) => filename === 'b.pdf')!.metadata.source).toMatchObject({
      kind: 'file',
      path: 'tief/er/noch/b.pdf',
    });
  });

  it('lists 50,000 files of one folder, and downloads nothing in a second fetch', async () => {
    for (let n = 0; n < 50_000; n += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, i) => server.put(`viele/${n + i}.pdf`, 'x')));
    }
    const first = await listAll(webdav, sessions.open(server.fields));
    expect(new Set(keysOf(first.documents)).size).toBe(50_000);
    await server.put('viele/neu.pdf', 'y');
    await rename(join(server.root, 'dav/viele/7.pdf'), join(server.root, 'dav/viele/sieben.pdf'));
    const known = keysOf(first.documents);
    const second = await listAll(webdav, sessions.open(server.fields, { known }), first.cursor);
    expect(second.documents.map(({ filename }) => filename).sort()).toEqual(['neu.pdf', 'sieben.pdf']);
    expect(JSON.stringify(second.cursor)).toHaveLength(JSON.stringify(first.cursor).length);
  }, 300_000);

  it('distinguishes login errors from an unavailable server', async () => {
    expect(await webdav.check(sessions.open(server.fields))).toEqual({
      id: `anna@localhost:${server.port}`,
      display: `anna@localhost:${server.port}`,
    });
    for (const each of [{ password: 'falsch' }, { user: 'niemand' }]) {
      expect(await rejectionOf(webdav.check(sessions.open({ ...server.fields, ...each })))).toBeInstanceOf(
        InvalidCredentials,
      );
    }
    const elsewhere = { ...server.fields, url: `http://localhost:${server.port}/woanders/` };
    expect(await rejectionOf(webdav.check(sessions.open(elsewhere)))).toMatchObject({
      name: 'EndpointNotFound',
      field: 'url',
    });
    const later = sessions.open(server.fields);
    await server.stop();
    expect(await rejectionOf(webdav.check(later))).toBeInstanceOf(Transient);
  });

  it('logs in to a server that supports Digest only, also with a stale nonce', async () => {
    await server.stop();
    server = await Apache.start({ withDigest: true });
    for (let n = 0; n < 40; n++) await server.put(`Büro & Co/${n % 7}/#${n}?.pdf`, `%PDF-1.7 ${n}`);
    const opened = sessions.open(server.fields);
    const { documents } = await listAll(webdav, opened);
    expect(documents).toHaveLength(40);
    await server.nonceEnds();
    const contents = await Promise.all(documents.map((ref) => read(webdav, opened, ref)));
    expect(new Set(contents.map(String)).size).toBe(40);
    const wrong = webdav.check(sessions.open({ ...server.fields, password: 'falsch' }));
    expect(await rejectionOf(wrong)).toBeInstanceOf(InvalidCredentials);
    const url = `http://localhost:${server.port}/frueher/`;
    expect((await listAll(webdav, sessions.open({ ...server.fields, url }))).documents).toHaveLength(40);
  });

  it('follows a redirect to the moved files, and accepts a URL without the trailing slash', async () => {
    await server.put('a.pdf', 'x');
    for (const path of ['/dav', '/frueher', '/frueher/']) {
      const url = `http://localhost:${server.port}${path}`;
      expect((await listAll(webdav, sessions.open({ ...server.fields, url }))).documents).toHaveLength(1);
    }
  });

  it('skips a folder that only another user may read', async () => {
    for (const path of ['a.pdf', 'nur-bob/b.pdf', 'tief/c.pdf']) await server.put(path, 'x');
    const { documents } = await listAll(webdav, sessions.open(server.fields));
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'c.pdf']);
  });

  it('lists the folders level by level', async () => {
    await server.put('Büro/Rechnungen #1/a.pdf', 'x');
    await server.put('Ablage/b.pdf', 'x');
    const opened = sessions.open(server.fields);
    const tree = (await webdav.step2!(opened)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ value }) => value)).toEqual(['.', 'Ablage', 'Büro']);
    expect(await webdav.options!(opened, 'folders', 'Büro')).toMatchObject([
      { value: 'Büro/Rechnungen #1', label: 'Rechnungen #1' },
    ]);
    expect(
      await webdav.resolve!(opened, 'folders', ['Büro/Rechnungen #1', 'nicht da', 'Ablage/b.pdf', '.']),
    ).toMatchObject([{ label: 'Büro/Rechnungen #1' }, null, null, { value: '.' }]);
  });

  it('reports a changed or deleted file instead of delivering parts of two versions', async () => {
    await server.put('a.pdf', randomBytes(500_000));
    await server.put('b.pdf', randomBytes(500_000));
    const opened = sessions.open(server.fields);
    const { documents } = await listAll(webdav, opened);
    await server.put('a.pdf', randomBytes(500_000), new Date());
    await rename(join(server.root, 'dav/b.pdf'), join(server.root, 'dav/c.pdf'));
    for (const ref of documents)
      expect(await rejectionOf(read(webdav, opened, ref))).toMatchObject({
        name: 'DocumentUnavailable',
        permanent: true,
      });
  });

  it('streams 100 MB with unchanged bytes over a connection that breaks three times', async () => {
    const content = randomBytes(100_000_000);
    await server.put('gross.pdf', content);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    try {
      const opened = sessions.open({ ...server.fields, url: `http://localhost:${proxy.port}/dav/` });
      const { documents } = await listAll(webdav, opened);
      proxy.cutAll();
      const [first] = [proxy.connections];
      proxy.faults((connection) => (connection <= first + 3 ? { cutAfter: 30_000_000 } : {}));
      const hash = createHash('sha256');
      for await (const chunk of (await webdav.download(opened, documents[0]!)).stream) hash.update(chunk as Buffer);
      expect(hash.digest('hex')).toBe(sha256(content));
      expect(proxy.cuts).toBe(3);
    } finally {
      await proxy.stop();
    }
  });

  it('reports a transient failure when the connection breaks during a listing, and lists everything afterwards', async () => {
    for (let n = 0; n < 300; n++) await server.put(`${n}.pdf`, `${n}`);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    const fields = { ...server.fields, url: `http://localhost:${proxy.port}/dav/` };
    try {
      for (const cutAfter of [0, 300, 5_000, 50_000]) {
        proxy.faults(() => ({ cutAfter }));
        expect(await rejectionOf(listAll(webdav, sessions.open(fields)))).toBeInstanceOf(Transient);
        proxy.cutAll();
      }
      proxy.faults(() => ({}));
      expect((await listAll(webdav, sessions.open(fields))).documents).toHaveLength(300);
    } finally {
      await proxy.stop();
    }
  });

  it('uses TLS, and rejects servers with an untrusted certificate', async () => {
    await server.stop();
    server = await Apache.start({ withTls: true });
    await server.put('a.pdf', '%PDF-1.7 a');
    expect(await rejectionOf(webdav.check(sessions.open(server.fields)))).toBeInstanceOf(Transient);
    const trusting = new GuardedNetwork({ allow: ['127.0.0.0/8', '::1/128'], ca: server.ca! });
    try {
      const opened = sessions.open(server.fields, { through: trusting });
      const { documents } = await listAll(webdav, opened);
      expect((await read(webdav, opened, documents[0]!)).toString()).toBe('%PDF-1.7 a');
    } finally {
      await trusting.close();
    }
  });
});
