import { createHash, randomBytes } from 'node:crypto';
import { SelectionNotFound, InvalidCredentials, Transient } from '../../../src/integrations/core/source-errors';
import { s3 } from '../../../src/integrations/s3/s3';
import { FaultProxy } from '../../fakes/fault-proxy';
import { listAll, read, sha256 } from '../imap/mailbox-session';
import { keysOf, NAMES, type StorageInput, StorageSessions } from '../storage/storage-sessions';
import { rejectionOf } from '../../harness/rejection-of';
import { PART_BYTES } from './s3-owner';
import { type Bucket, Swift } from './swift';
import { freePort } from '../../harness/free-port';

/** The server sets the dates of objects. Within the clock skew of fifteen minutes that a signature allows. */
const LATER = { aheadMs: 120_000 };

let server: Swift;
let bucket: Bucket;
let sessions: StorageSessions;

beforeAll(async () => {
  server = await Swift.start();
});
beforeEach(async () => {
  sessions = new StorageSessions(s3);
  bucket = await server.bucket();
});
afterEach(() => sessions.close());
afterAll(() => server?.stop());

const open = (given: Record<string, unknown> = {}, input: StorageInput = {}) =>
  sessions.open({ ...bucket.fields, ...given }, { ...LATER, ...input });

describe('The S3 connector with OpenStack Swift', () => {
  it('fetches a bucket with unchanged bytes, every kind of name and eight objects concurrently', async () => {
    const expected = new Set<string>();
    for (const [n, name] of [...NAMES, 'zeile\numbruch.pdf', '/vorn.pdf', 'a//b.pdf'].entries()) {
      const content = randomBytes(1 + n * 50_000);
      expected.add(sha256(content));
      await bucket.owner.put(name, content);
    }
    await bucket.owner.put('leer.pdf', '');
    const opened = open();
    const { documents, filteredBy } = await listAll(s3, opened);
    expect(filteredBy).toEqual({ EMPTY: 1 });
    const contents = await Promise.all(documents.map((ref) => read(s3, opened, ref)));
    expect(new Set(contents.map(sha256))).toEqual(expected);
    expect(documents.find(({ filename }) => filename === 'b.pdf')).toMatchObject({
      externalId: expect.stringMatching(/b\.pdf$/),
      metadata: { source: { kind: 'file', modified_at: expect.stringMatching(/^\d{4}-.*Z$/) } },
    });
  });

  it('lists 50,000 objects of one prefix, and only the new ones in a second fetch', async () => {
    await bucket.fillIndex('viele/', 50_000);
    const first = await listAll(s3, open());
    expect(new Set(keysOf(first.documents)).size).toBe(50_000);
    await bucket.owner.put('viele/neu.pdf', 'y');
    const second = await listAll(s3, open({}, { known: keysOf(first.documents) }), first.cursor);
    expect(second.documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
    expect(JSON.stringify(second.cursor).length).toBeLessThan(200);
  });

  it('distinguishes rejected keys from a missing bucket and an unavailable server', async () => {
    const host = `localhost:${server.port}`;
    expect(await s3.check(open())).toEqual({ id: `${host}/${bucket.name}`, display: `${bucket.name} (${host})` });
    for (const each of [{ secret_key: 'falsch' }, { access_key: 'anna:andere' }])
      expect(await rejectionOf(s3.check(open(each)))).toBeInstanceOf(InvalidCredentials);
    expect(await rejectionOf(s3.check(open({ bucket: 'andere' })))).toBeInstanceOf(SelectionNotFound);
    const nobody = `http://localhost:${await freePort()}`;
    expect(await rejectionOf(s3.check(open({ endpoint: nobody })))).toBeInstanceOf(Transient);
  });

  it('lists prefixes as folders, level by level', async () => {
    await bucket.owner.put('Büro/Rechnungen #1/a.pdf', 'x');
    await bucket.owner.put('Ablage/b.pdf', 'x');
    const opened = open();
    const tree = (await s3.step2!(opened)).find(({ id }) => id === 'folders')!;
    expect(tree.options!.map(({ value }) => value)).toEqual(['.', 'Ablage', 'Büro']);
    expect(await s3.options!(opened, 'folders', 'Büro')).toMatchObject([
      { value: 'Büro/Rechnungen #1', label: 'Rechnungen #1' },
    ]);
    expect(await s3.resolve!(opened, 'folders', ['Büro/Rechnungen #1', 'nicht da', 'Ablage/b.pdf'])).toMatchObject([
      { label: 'Büro/Rechnungen #1' },
      null,
      null,
    ]);
    const chosen = await listAll(s3, open({}, { step2: { folders: ['Büro'] } }));
    expect(chosen.documents.map(({ filename }) => filename)).toEqual(['a.pdf']);
  });

  it('lists the latest version of each object of a versioned bucket, and downloads that version or none', async () => {
    await bucket.owner.put('vorher.pdf', 'from before versions were kept');
    await bucket.owner.keepVersions();
    await bucket.owner.put('a.pdf', 'first');
    const opened = open();
    const first = await listAll(s3, opened);
    expect(first.documents.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'vorher.pdf']);
    const [listed] = first.documents.filter(({ filename }) => filename === 'a.pdf');
    expect((await read(s3, opened, listed!)).toString()).toBe('first');

    await bucket.owner.put('a.pdf', 'other');
    expect(await rejectionOf(read(s3, opened, listed!))).toMatchObject({
      name: 'DocumentUnavailable',
      permanent: true,
    });
    const second = await listAll(s3, open({}, { known: keysOf(first.documents) }), first.cursor);
    expect(second.documents).toHaveLength(1);
    expect(second.documents[0]!.dedupeKey).not.toBe(listed!.dedupeKey);
    expect((await read(s3, opened, second.documents[0]!)).toString()).toBe('other');
  });

  it('does not list a deleted object of a versioned bucket, and recognizes it when it is restored', async () => {
    await bucket.owner.keepVersions();
    await bucket.owner.put('a.pdf', 'content');
    await bucket.owner.put('b.pdf', 'b');
    const opened = open();
    const before = await listAll(s3, opened);
    await bucket.owner.delete('a.pdf');
    const without = await listAll(s3, open());
    expect(without.documents.map(({ filename }) => filename)).toEqual(['b.pdf']);
    const gone = before.documents.find(({ filename }) => filename === 'a.pdf')!;
    expect(await rejectionOf(read(s3, opened, gone))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    await bucket.owner.put('a.pdf', 'content');
    const again = await listAll(s3, open());
    expect(keysOf(again.documents).sort()).toEqual(keysOf(before.documents).sort());
  });

  it('streams an object that was uploaded in parts with unchanged bytes, over a connection that breaks three times', async () => {
    const content = randomBytes(4 * PART_BYTES + 12_345);
    await bucket.owner.putInParts('gross.pdf', content);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    try {
      const opened = open({ endpoint: `http://localhost:${proxy.port}` });
      const { documents } = await listAll(s3, opened);
      expect(documents).toMatchObject([{ filename: 'gross.pdf', size: content.length }]);
      proxy.cutAll();
      const [first] = [proxy.connections];
      proxy.faults((connection) => (connection <= first + 3 ? { cutAfter: 6_000_000 } : {}));
      const hash = createHash('sha256');
      for await (const chunk of (await s3.download(opened, documents[0]!)).stream) hash.update(chunk as Buffer);
      expect(hash.digest('hex')).toBe(sha256(content));
      expect(proxy.cuts).toBe(3);
    } finally {
      await proxy.stop();
    }
  });

  it('reports a transient failure when the connection breaks during a listing, and lists everything afterwards', async () => {
    await bucket.fillIndex('viele/', 2_500);
    const proxy = await FaultProxy.start({ host: '127.0.0.1', port: server.port });
    const endpoint = `http://localhost:${proxy.port}`;
    try {
      for (const cutAfter of [0, 300, 50_000, 150_000]) {
        proxy.faults(() => ({ cutAfter }));
        expect(await rejectionOf(listAll(s3, open({ endpoint })))).toBeInstanceOf(Transient);
        proxy.cutAll();
      }
      proxy.faults(() => ({}));
      expect((await listAll(s3, open({ endpoint }))).documents).toHaveLength(2_500);
    } finally {
      await proxy.stop();
    }
  });
});
