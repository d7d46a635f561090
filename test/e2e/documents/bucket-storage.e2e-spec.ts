import { EntityManager } from '@mikro-orm/postgresql';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { verifyStorage } from '../../../src/documents/store/verify-storage';
import type { ContentOwner } from '../../../src/documents/store/chunk-store';
import { CHUNK_BYTES, DocumentStore, type StoredContent } from '../../../src/documents/store/document-store';
import { CONTENT_BUCKET } from '../../../src/documents/store/bucket/content-bucket';
import { ReencryptContent } from '../../../src/documents/store/reencrypt-content';
import { RemoveObjects } from '../../../src/documents/store/bucket/remove-objects';
import { createDataKey } from '../../harness/encryption/create-data-key';
import { StorageUnavailable } from '../../../src/platform/availability/storage-unavailable';
import type { Bucket } from '../../../src/platform/storage/bucket';
import type { BucketSettings } from '../../../src/platform/storage/storage-url';
import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { eventually } from '../../harness/eventually';
import { useTestContext } from '../../harness/app/test-context';
import { startApp } from '../../harness/app/start-app';
import { KeyRing, keyVersionOf, MAX_ENCRYPTION_OVERHEAD } from '../../../src/platform/crypto/key-ring';
import { ENCRYPTED_BYTES } from '../../../src/documents/store/bucket/tail-upload';
import { replaceDataKey } from '../../harness/encryption/replace-data-key';

const never = new AbortController().signal;
const DAY = 86_400;

describe('The document store in a bucket (decisions 8)', () => {
  let server: FakeS3Server;
  const settings = {} as { storage: BucketSettings };
  const options = { settings };
  beforeAll(async () => {
    server = await FakeS3Server.start();
    const endpoint = `http://localhost:${server.port}`;
    settings.storage = { ...server.keys, bucket: server.bucket, endpoint, addressing: 'path', prefix: 'live/' };
  });
  const context = useTestContext(options);
  afterAll(() => server.stop());

  let store: DocumentStore;
  let remover: RemoveObjects;
  let owner: ContentOwner;
  let key: KeyRing;

  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const anOwner = async () => {
    const made: ContentOwner = { uuid: randomUUID(), environmentUuid: randomUUID() };
    return [made, await createDataKey(context.app.app, made)] as const;
  };
  const put = (bytes: Buffer) => store.put(owner, key, Readable.from([bytes]), never);
  const read = async (ref: StoredContent, range?: { start: number; end: number }) =>
    Buffer.concat((await store.read(ref, key, range).toArray()) as Buffer[]);
  const objects = () => [...server.objects.keys()].sort();
  const namesOf = ({ uuid, chunks }: StoredContent) =>
    Array.from({ length: chunks }, (_, index) => `live/${uuid}/${index}`);
  const removals = () => context.query('select content_uuid, chunks from object_deletion_queue');

  beforeAll(async () => {
    store = context.app.app.get(DocumentStore, { strict: false });
    remover = context.app.app.get(RemoveObjects, { strict: false });
  });
  beforeEach(async () => {
    [owner, key] = await anOwner();
  });
  afterEach(async () => {
    server.fault = () => undefined;
    await context.query('delete from content');
    await context.query('delete from object_deletion_queue');
    server.objects.clear();
    server.uploads.open.clear();
    server.actions.clear();
  });

  const LARGE = 45 * CHUNK_BYTES + 7;
  const large = () => randomBytes(LARGE);
  const broken = function* (bytes: number) {
    yield randomBytes(bytes);
    throw new Error('The source broke off.');
  };
  const isAborted = () =>
    Promise.resolve(server.actions.has('s3:AbortMultipartUpload') && server.uploads.open.size === 0);
  const around = (edge: number) => [edge - 1, edge, edge + 1];
  it.each([0, 1, ...around(CHUNK_BYTES), ...around(2 * CHUNK_BYTES), 11 * CHUNK_BYTES + 7])(
    'returns %i bytes unchanged, with one object per chunk',
    async (size) => {
      const bytes = randomBytes(size);
      const content = await put(bytes);
      expect(content).toMatchObject({ size, sha256: createHash('sha256').update(bytes).digest('hex') });
      expect(objects()).toEqual(namesOf(content).sort());
      expect((await read(content)).equals(bytes)).toBe(true);
      const row = 'select size, sha256, chunks, location, attached_at from content where uuid = $1';
      expect(await context.query(row, [content.uuid])).toEqual([
        {
          size: String(size),
          sha256: content.sha256,
          chunks: content.chunks,
          location: 'belege/live/',
          attached_at: null,
        },
      ]);
      expect(await context.query('select from content_chunk where content_uuid = $1', [content.uuid])).toEqual([]);
    },
  );

  describe('with a document of more than 5 MiB', () => {
    const tailsOf = ({ uuid }: StoredContent) => [
      ...Array.from({ length: 20 }, (_, index) => `live/${uuid}/${index}`),
      `live/${uuid}/tail`,
    ];

    it.each(around(20 * CHUNK_BYTES).concat(around(40 * CHUNK_BYTES), LARGE))(
      'returns %i bytes unchanged, whole and in ranges',
      async (size) => {
        const bytes = randomBytes(size);
        const content = await put(bytes);
        expect(objects()).toEqual((content.chunks > 20 ? tailsOf(content) : namesOf(content)).sort());
        expect((await read(content)).equals(bytes)).toBe(true);
        const range = { start: 19 * CHUNK_BYTES + 5, end: size - 2 };
        expect((await read(content, range)).equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
      },
    );

    it('detects changed, swapped or missing bytes', async () => {
      const content = await put(large());
      const name = `live/${content.uuid}/tail`;
      const { content: stored } = server.objects.get(name)!;
      const chunk = stored.length - (stored.length % 7) - 1;
      const changed = Buffer.from(stored);
      changed[chunk]! ^= 1;
      const half = stored.length / 2;
      for (const wrong of [changed, stored.subarray(0, -1), Buffer.concat([stored.subarray(half), stored])]) {
        server.put(name, wrong);
        await expect(read(content)).rejects.toThrow();
      }
      server.objects.delete(name);
      await expect(read(content)).rejects.toThrow('missing');
    });

    it('names the version of the data key in each chunk, so that chunks have their places with every key', async () => {
      const bytes = large();
      const before = await put(bytes);
      const replaced = await replaceDataKey(context.app.app, owner.uuid);
      const after = await store.put(owner, replaced, Readable.from([bytes]), never);
      const tails = [before, after].map(({ uuid }) => server.objects.get(`live/${uuid}/tail`)!.content);
      const versions = tails.map((tail) =>
        Array.from({ length: 26 }, (_, index) => keyVersionOf(tail.subarray(index * ENCRYPTED_BYTES))),
      );
      expect(versions).toEqual([Array(26).fill(1), Array(26).fill(2)]);
      expect(tails.map(({ length }) => length)).toEqual(
        Array(2).fill(25 * ENCRYPTED_BYTES + 7 + MAX_ENCRYPTION_OVERHEAD),
      );
      for (const content of [before, after]) {
        const found = (await store.read(content, replaced).toArray()) as Buffer[];
        expect(Buffer.concat(found).equals(bytes)).toBe(true);
      }
    });

    it('leaves no unfinished upload when its source breaks off', async () => {
      await expect(store.put(owner, key, Readable.from(broken(LARGE)), never)).rejects.toThrow('The source broke off.');
      await eventually(isAborted, 'the upload has been aborted');
      expect(objects().filter((name) => name.endsWith('tail'))).toEqual([]);
    });

    it('needs no memory for parts beyond four documents at a time, and stores further ones in chunks', async () => {
      const bytes = Array.from({ length: 6 }, large);
      const contents = await Promise.all(bytes.map(put));
      const tails = objects().filter((name) => name.endsWith('tail'));
      expect(tails.length).toBeGreaterThanOrEqual(4);
      for (const [at, content] of contents.entries()) expect((await read(content)).equals(bytes[at]!)).toBe(true);
      await store.remove(
        em(),
        contents.map(({ uuid }) => uuid),
      );
      expect(await remover.removeDue()).toBe(6);
      expect(objects()).toEqual([]);
    });

    it('deletes its objects, and the uploads that a process has left', async () => {
      const content = await put(large());
      const bucket = context.app.app.get<Bucket>(CONTENT_BUCKET, { strict: false });
      await bucket.uploads.begin(`${content.uuid}/tail`);
      await store.remove(em(), [content.uuid]);
      expect(await remover.removeDue()).toBe(1);
      expect([objects(), server.uploads.open.size]).toEqual([[], 0]);
    });

    it('is encrypted with a new key without the uploads that a process has left, which fail from then on', async () => {
      const bytes = large();
      const content = await put(bytes);
      const bucket = context.app.app.get<Bucket>(CONTENT_BUCKET, { strict: false });
      const left = await bucket.uploads.begin(`${content.uuid}/tail`);
      const etag = await bucket.uploads.put(left, 1, randomBytes(100));
      const replaced = await replaceDataKey(context.app.app, owner.uuid);
      const reencrypt = context.app.app.get(ReencryptContent, { strict: false });
      expect(await reencrypt.reencrypt(content, replaced)).toBe(true);
      expect(server.uploads.open.size).toBe(0);
      expect(await bucket.uploads.complete(left, [etag])).toBe(false);
      key = new KeyRing(replaced.current);
      expect((await read(content)).equals(bytes)).toBe(true);
    });

    it('needs exactly the permissions that the documentation lists', async () => {
      server.actions.clear();
      await verifyStorage(context.app.databaseUrl, settings.storage);
      const content = await put(large());
      await read(content);
      await expect(store.put(owner, key, Readable.from(broken(LARGE)), never)).rejects.toThrow();
      await eventually(isAborted, 'the upload has been aborted');
      await store.remove(em(), [content.uuid]);
      await remover.removeDue();
      const documentation = await readFile('docs/operate/operations.md', 'utf8');
      const [, policy] = /```json\n(\s*\{\s+"Version": "2012-10-17".+?)\n\s*```/s.exec(documentation)!;
      const { Statement } = JSON.parse(policy!) as { Statement: { Action: string[] }[] };
      expect([...server.actions].sort()).toEqual(Statement.flatMap(({ Action }) => Action).sort());
    });
  });

  it('reads only the chunks of a requested range', async () => {
    const bytes = randomBytes(8 * CHUNK_BYTES + 10);
    const content = await put(bytes);
    server.requests.length = 0;
    const range = { start: 3 * CHUNK_BYTES - 1, end: 4 * CHUNK_BYTES };
    expect((await read(content, range)).equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
    expect(server.requests.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(['2', '3', '4']);
  });

  it('stores only encrypted bytes, and detects changed, swapped or missing chunks', async () => {
    const content = await put(Buffer.from('a very secret sentence'.repeat(50_000)));
    const [first, second] = namesOf(content) as [string, string];
    for (const { content: encrypted } of server.objects.values()) expect(encrypted.includes('secret')).toBe(false);
    const [one, two] = [server.objects.get(first)!.content, server.objects.get(second)!.content];
    const changed = Buffer.from(one);
    changed[40]! ^= 1;
    for (const wrong of [changed, two, one.subarray(0, -1), Buffer.concat([one, one])]) {
      server.put(first, wrong);
      await expect(read(content)).rejects.toThrow();
    }
    server.objects.delete(first);
    await expect(read(content)).rejects.toThrow('missing');
  });

  it('writes and reads up to four chunks of one document concurrently', async () => {
    const bytes = randomBytes(9 * CHUNK_BYTES);
    let most = 0;
    let left = 0;
    const waiting: (() => void)[] = [];
    // Requests are answered only after the maximum number has arrived.
    server.hold = async () => {
      const held = new Promise<void>((go) => waiting.push(go));
      if (waiting.length === Math.min(4, left)) {
        await turn();
        most = Math.max(most, waiting.length);
        left -= waiting.length;
        for (const go of waiting.splice(0)) go();
      }
      return held;
    };
    const mostOf = async (work: () => Promise<unknown>) => {
      [most, left] = [0, 9];
      await work();
      return most;
    };
    try {
      let content: StoredContent | undefined;
      expect(await mostOf(async () => (content = await put(bytes)))).toBe(4);
      expect(await mostOf(async () => expect((await read(content!)).equals(bytes)).toBe(true))).toBe(4);
    } finally {
      server.hold = undefined;
    }
  });

  it('writes its row durably before the first object, so that a crash leaves no unknown object', async () => {
    let rows: unknown;
    let asked: Promise<void> | undefined;
    server.hold = ({ path }) => {
      asked ??= context
        .query('select chunks from content where uuid = $1', [path.split('/').at(-2)])
        .then((found) => void (rows = found));
      return asked;
    };
    try {
      await put(randomBytes(10));
    } finally {
      server.hold = undefined;
    }
    expect(rows).toEqual([{ chunks: 0 }]);
  });

  describe('deletes the objects', () => {
    it.each<[string, (content: StoredContent) => Promise<unknown>]>([
      ['of content that is removed', ({ uuid }) => store.remove(em(), [uuid])],
      [
        'of an owner whose key is deleted',
        () => context.query('delete from data_key where owner_uuid = $1', [owner.uuid]),
      ],
      ['of content without a record', () => store.sweep(context.app.clock.in(60), 10)],
    ])('%s, and keeps those of others', async (_, remove) => {
      const content = await put(randomBytes(3 * CHUNK_BYTES));
      await store.attach(em(), owner.environmentUuid, []);
      const [otherOwner, otherKey] = await anOwner();
      const other = await store.put(otherOwner, otherKey, Readable.from([randomBytes(10)]), never);
      await store.attach(em(), otherOwner.environmentUuid, [other.uuid]);
      await remove(content);
      expect(await removals()).toEqual([{ content_uuid: content.uuid, chunks: 3 }]);
      expect(await remover.removeDue()).toBe(1);
      expect(objects()).toEqual(namesOf(other));
      expect(await removals()).toEqual([]);
    });

    it('of an incomplete document, a day after its row was deleted', async () => {
      const broken = function* () {
        yield randomBytes(2 * CHUNK_BYTES + 1);
        throw new Error('The source broke off.');
      };
      await expect(store.put(owner, key, Readable.from(broken()), never)).rejects.toThrow('The source broke off.');
      await eventually(() => Promise.resolve(objects().length === 2), 'what was under way has been written');
      await context.query('delete from data_key where owner_uuid = $1', [owner.uuid]);
      expect(await remover.removeDue()).toBe(0);
      context.app.clock.advance(DAY + 60);
      expect(await remover.removeDue()).toBe(1);
      expect([objects(), await removals()]).toEqual([[], []]);
    });

    it('of a process that was killed during an upload in parts, a day after its row was deleted', async () => {
      // The process cannot abort its upload.
      server.fault = ({ method, query }) =>
        method === 'DELETE' && query.has('uploadId') ? { status: 403 } : undefined;
      await expect(store.put(owner, key, Readable.from(broken(LARGE)), never)).rejects.toThrow('The source broke off.');
      await eventually(() => Promise.resolve(server.uploads.open.size === 1), 'the upload has begun');
      await eventually(
        () => Promise.resolve(server.requests.at(-1)?.method === 'DELETE'),
        'the process has tried to abort it',
      );
      server.fault = () => undefined;
      await context.query('delete from data_key where owner_uuid = $1', [owner.uuid]);
      context.app.clock.advance(DAY + 60);
      expect(await remover.removeDue()).toBe(1);
      expect([objects(), server.uploads.open.size]).toEqual([[], 0]);
    });

    it('later, when the bucket is unavailable', async () => {
      const content = await put(randomBytes(2 * CHUNK_BYTES));
      await store.remove(em(), [content.uuid]);
      server.fault = ({ method }) => (method === 'DELETE' ? { status: 403 } : undefined);
      await expect(remover.removeDue()).rejects.toThrow(StorageUnavailable);
      server.fault = () => undefined;
      expect(await removals()).toHaveLength(1);
      context.app.clock.advance(600);
      expect(await remover.removeDue()).toBe(1);
      expect(objects()).toEqual([]);
    });

    it('of all others, when one cannot be deleted', async () => {
      const contents = await Promise.all(Array.from({ length: 5 }, () => put(randomBytes(2 * CHUNK_BYTES))));
      await store.remove(
        em(),
        contents.map(({ uuid }) => uuid),
      );
      const [kept] = contents;
      server.fault = ({ method, path }) =>
        method === 'DELETE' && path.endsWith(`${kept!.uuid}/1`) ? { status: 403 } : undefined;
      await expect(remover.removeDue()).rejects.toThrow(StorageUnavailable);
      expect(objects()).toEqual([`live/${kept!.uuid}/1`]);
      expect(await removals()).toEqual([{ content_uuid: kept!.uuid, chunks: 2 }]);
    });

    it('of very many contents once each, even with two concurrent runs', async () => {
      const contents = await Promise.all(Array.from({ length: 120 }, () => put(randomBytes(10))));
      await store.remove(
        em(),
        contents.map(({ uuid }) => uuid),
      );
      server.requests.length = 0;
      const removed = await Promise.all([remover.removeDue(), remover.removeDue()]);
      expect(removed[0] + removed[1]).toBe(120);
      expect(server.requests).toHaveLength(120);
      expect(objects()).toEqual([]);
    });
  });

  it("reports a bucket failure as the service's own", async () => {
    const content = await put(randomBytes(10));
    server.fault = () => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    await expect(put(randomBytes(3 * CHUNK_BYTES))).rejects.toThrow(StorageUnavailable);
    await expect(read(content)).rejects.toThrow(StorageUnavailable);
  });

  describe('with documents in the database', () => {
    it('reads documents that were stored before the bucket was configured', async () => {
      const before = await startApp({ databaseUrl: context.app.databaseUrl });
      const bytes = randomBytes(2 * CHUNK_BYTES);
      const old = await before.app.get(DocumentStore, { strict: false }).put(owner, key, Readable.from([bytes]), never);
      await before.stop();
      expect((await read(old)).equals(bytes)).toBe(true);
      await store.remove(em(), [old.uuid]);
      expect(await removals()).toEqual([]);
    });

    it('attributes the error to the settings of a process without the bucket, not to the document', async () => {
      const content = await put(randomBytes(10));
      const other = await startApp({ databaseUrl: context.app.databaseUrl });
      const there = other.app.get(DocumentStore, { strict: false });
      await expect(there.read(content, key).toArray()).rejects.toThrow(StorageUnavailable);
      await other.stop();
    });

    it('starts only with the bucket that contains the documents', async () => {
      const fits = (storage: BucketSettings | null) => verifyStorage(context.app.databaseUrl, storage);
      const { storage } = settings;
      expect(await fits(null)).toBeNull();
      await put(randomBytes(10));
      expect(await fits(storage)).toBeNull();
      await expect(fits(null)).rejects.toThrow(
        'documents are stored in the bucket and prefix "belege/live/", and STORAGE_URL is not set.',
      );
      await expect(fits({ ...storage, prefix: '' })).rejects.toThrow('and STORAGE_URL names "belege/".');
      await expect(fits({ ...storage, secretKey: 'wrong' })).rejects.toThrow('403 SignatureDoesNotMatch');
      await context.query('delete from content');
      await expect(fits(null)).rejects.toThrow('and STORAGE_URL is not set.'); // objects to delete
      server.fault = () => ({ status: 503 });
      expect(await fits(storage)).toBe('the bucket "belege" cannot be used: 503');
    });
  });
});
