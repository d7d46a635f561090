import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CHUNK_STORE, type ChunkStore, type ContentOwner } from '../../../src/documents/store/chunk-store';
import { CHUNK_BYTES, DocumentStore, type StoredContent } from '../../../src/documents/store/document-store';
import { ReencryptContent } from '../../../src/documents/store/reencrypt-content';
import { KeyRing } from '../../../src/platform/crypto/key-ring';
import type { BucketSettings } from '../../../src/platform/storage/storage-url';
import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { createDataKey } from '../../harness/encryption/create-data-key';
import { replaceDataKey } from '../../harness/encryption/replace-data-key';
import { useTestContext } from '../../harness/app/test-context';

const never = new AbortController().signal;

describe.each(['database', 'bucket'])('Content in the %s that is encrypted again', (place) => {
  let server: FakeS3Server;
  const settings = {} as { storage?: BucketSettings };
  beforeAll(async () => {
    server = await FakeS3Server.start();
    const endpoint = `http://localhost:${server.port}`;
    if (place === 'bucket') {
      settings.storage = { ...server.keys, bucket: server.bucket, endpoint, addressing: 'path', prefix: 'live/' };
    }
  });
  const context = useTestContext({ settings });
  afterAll(() => server.stop());
  afterEach(() => {
    jest.restoreAllMocks();
    server.fault = () => undefined;
  });

  const get = <T>(type: abstract new (...given: never[]) => T): T => context.app.app.get<T>(type, { strict: false });
  const chunkStore = () => context.app.app.get<ChunkStore>(CHUNK_STORE, { strict: false });
  const read = async (content: StoredContent, key: KeyRing) =>
    Buffer.concat((await get(DocumentStore).read(content, key).toArray()) as Buffer[]);

  /** Content under the first key of an owner, which is replaced then. */
  async function stored(size: number) {
    const owner: ContentOwner = { uuid: randomUUID(), environmentUuid: randomUUID() };
    const original = await createDataKey(context.app.app, owner);
    const bytes = randomBytes(size);
    const content = await get(DocumentStore).put(owner, original, Readable.from([bytes]), never);
    const key = await replaceDataKey(context.app.app, owner.uuid);
    return { owner, original, bytes, content, key, only: new KeyRing(key.current) };
  }
  const versionOf = async ({ uuid }: StoredContent) =>
    (await context.query<{ version: number }>('select key_version as version from content where uuid = $1', [uuid]))[0]!
      .version;

  it.each([1, CHUNK_BYTES, 3 * CHUNK_BYTES + 1, 20 * CHUNK_BYTES + 1, 45 * CHUNK_BYTES + 7])(
    'needs only the new key (%i bytes)',
    async (size) => {
      const { content, bytes, key, only } = await stored(size);
      await expect(read(content, only)).rejects.toThrow('has no version 1');
      expect(await get(ReencryptContent).reencrypt(content, key)).toBe(true);
      expect((await read(content, only)).equals(bytes)).toBe(true);
      expect(await versionOf(content)).toBe(2);
    },
  );

  it.each([12, 45])('continues where a process has ended (%i chunks)', async (chunks) => {
    const { content, bytes, key, only } = await stored(chunks * CHUNK_BYTES);
    const replacer = (await chunkStore().replacer(content.uuid))!;
    const replaced: number[] = [];
    const begin = jest.spyOn(chunkStore(), 'replacer').mockResolvedValueOnce({
      wholeFrom: replacer.wholeFrom,
      read: replacer.read,
      end: () => Promise.reject(new Error('It ends before.')),
      abandon: () => Promise.resolve(), // a killed process does nothing
      replace: async (index, ...given) => {
        if (index === 7) throw new Error('killed');
        await replacer.replace(index, ...given);
      },
    });
    await expect(get(ReencryptContent).reencrypt(content, key)).rejects.toThrow('killed');
    expect(await versionOf(content)).toBe(1);
    expect((await read(content, key)).equals(bytes)).toBe(true);
    await expect(read(content, only)).rejects.toThrow('has no version 1');

    begin.mockRestore();
    if (place === 'bucket') {
      expect(await get(ReencryptContent).reencrypt(content, key)).toBe(false); // the lease of the killed process
      await context.query(`update content set reencrypting_until = now() - interval '1 second' where uuid = $1`, [
        content.uuid,
      ]);
    }
    const next = (await chunkStore().replacer(content.uuid))!;
    const inner = next.replace.bind(next);
    next.replace = (index, ...given) => {
      replaced.push(index);
      return inner(index, ...given);
    };
    jest.spyOn(chunkStore(), 'replacer').mockResolvedValueOnce(next);
    expect(await get(ReencryptContent).reencrypt(content, key)).toBe(true);
    expect(replaced).toEqual(Array.from({ length: chunks - 7 }, (_, at) => at + 7));
    expect((await read(content, only)).equals(bytes)).toBe(true);
    expect(await versionOf(content)).toBe(2);
  });

  it('is read to the end by readers that began before', async () => {
    const { owner, content, bytes } = await stored(45 * CHUNK_BYTES);
    const ring = await replaceDataKey(context.app.app, owner.uuid); // version 3
    const reading = get(DocumentStore).parts(content, ring);
    const parts: Buffer[] = [Buffer.from((await reading.next()).value as Buffer)];
    const newest = await replaceDataKey(context.app.app, owner.uuid);
    expect(await get(ReencryptContent).reencrypt(content, newest)).toBe(true);
    for await (const part of reading) parts.push(Buffer.from(part));
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('is gone when it is deleted meanwhile', async () => {
    const { content, key } = await stored(3 * CHUNK_BYTES);
    const replacer = (await chunkStore().replacer(content.uuid))!;
    const inner = replacer.replace.bind(replacer);
    replacer.replace = async (index, ...given) => {
      if (index === 1) await context.query('delete from content where uuid = $1', [content.uuid]);
      await inner(index, ...given);
    };
    jest.spyOn(chunkStore(), 'replacer').mockResolvedValueOnce(replacer);
    expect(await get(ReencryptContent).reencrypt(content, key)).toBe(false);
    expect(await context.query('select from content_chunk where content_uuid = $1', [content.uuid])).toEqual([]);
    const removals = await context.query(
      `select due_at > now() + interval '23 hours' as late from object_deletion_queue where content_uuid = $1`,
      [content.uuid],
    );
    expect(removals).toEqual(place === 'bucket' ? [{ late: true }] : []);
  });

  it('takes several replacements at once, and two processes', async () => {
    const { owner, content, bytes } = await stored(12 * CHUNK_BYTES);
    const key = await replaceDataKey(context.app.app, owner.uuid);
    const done = await Promise.all([1, 2].map(() => get(ReencryptContent).reencrypt(content, key)));
    expect(done).toContain(true);
    expect((await read(content, new KeyRing(key.current))).equals(bytes)).toBe(true);
    expect(await versionOf(content)).toBe(3);
  });
});
