import { EntityManager } from '@mikro-orm/postgresql';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ContentOwner } from '../../../src/documents/store/chunk-store';
import { CHUNK_BYTES, DocumentStore, type StoredContent } from '../../../src/documents/store/document-store';
import { createDataKey } from '../../harness/encryption/create-data-key';
import { replaceDataKey } from '../../harness/encryption/replace-data-key';
import { useTestContext } from '../../harness/app/test-context';
import { KeyRing } from '../../../src/platform/crypto/key-ring';

const never = new AbortController().signal;

describe('the document store', () => {
  const context = useTestContext();
  let store: DocumentStore;
  let owner: ContentOwner;
  let key: KeyRing;

  const em = () => context.app.app.get(EntityManager, { strict: false }).fork();
  const put = (bytes: Buffer, signal = never) => store.put(owner, key, Readable.from([bytes]), signal);
  const read = async (ref: StoredContent, range?: { start: number; end: number }, by = key) =>
    Buffer.concat((await store.read(ref, by, range).toArray()) as Buffer[]);
  const chunks = (uuid: string) =>
    context.query<{ bytes: Buffer }>('select bytes from content_chunk where content_uuid = $1 order by index', [uuid]);

  beforeAll(async () => {
    store = context.app.app.get(DocumentStore, { strict: false });
    owner = { uuid: randomUUID(), environmentUuid: randomUUID() };
    key = await createDataKey(context.app.app, owner);
  });

  const around = (edge: number) => [edge - 1, edge, edge + 1];
  it.each([0, 1, ...around(CHUNK_BYTES), ...around(2 * CHUNK_BYTES), 5 * CHUNK_BYTES + 7])(
    'returns %i bytes unchanged',
    async (size) => {
      const bytes = randomBytes(size);
      const content = await put(bytes);
      expect(content).toMatchObject({
        size,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        chunks: Math.max(1, Math.ceil(size / CHUNK_BYTES)),
      });
      expect(Buffer.concat(content.start).equals(bytes.subarray(0, CHUNK_BYTES))).toBe(true);
      expect((await read(content)).equals(bytes)).toBe(true);
      const [row] = await context.query('select size, sha256, chunks, attached_at from content where uuid = $1', [
        content.uuid,
      ]);
      expect(row).toEqual({ size: String(size), sha256: content.sha256, chunks: content.chunks, attached_at: null });
    },
  );

  it('stores the same content regardless of how the bytes are split', async () => {
    const bytes = randomBytes(CHUNK_BYTES + 100);
    const portions = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      bytes.subarray(i * 1000, (i + 1) * 1000),
    );
    const content = await store.put(owner, key, Readable.from(portions), never);
    expect((await read(content)).equals(bytes)).toBe(true);
  });

  it('reads content of all versions of the data key, and of no other', async () => {
    const its: ContentOwner = { uuid: randomUUID(), environmentUuid: randomUUID() };
    const original = await createDataKey(context.app.app, its);
    const bytes = randomBytes(CHUNK_BYTES + 5);
    const before = await store.put(its, original, Readable.from([bytes]), never);
    const replaced = await replaceDataKey(context.app.app, its.uuid);
    const after = await store.put(its, replaced, Readable.from([bytes]), never);
    const rows = 'select uuid, key_version from content where owner_uuid = $1 order by key_version';
    expect(await context.query(rows, [its.uuid])).toEqual([
      { uuid: before.uuid, key_version: 1 },
      { uuid: after.uuid, key_version: 2 },
    ]);
    for (const content of [before, after]) expect((await read(content, undefined, replaced)).equals(bytes)).toBe(true);
    await expect(read(before, undefined, new KeyRing(replaced.current))).rejects.toThrow('has no version 1');
    await expect(read(after, undefined, original)).rejects.toThrow('has no version 2');
  });

  it('stores only encrypted bytes', async () => {
    const content = await put(Buffer.from('a very secret sentence'.repeat(50)));
    for (const { bytes } of await chunks(content.uuid)) expect(bytes.includes('secret')).toBe(false);
  });

  describe('reading a part', () => {
    const bytes = randomBytes(3 * CHUNK_BYTES + 10);
    let content: StoredContent;
    beforeAll(async () => {
      content = await put(bytes);
    });

    it.each([
      [0, 0],
      [0, bytes.length - 1],
      [CHUNK_BYTES - 1, CHUNK_BYTES],
      [CHUNK_BYTES, CHUNK_BYTES],
      [CHUNK_BYTES, 2 * CHUNK_BYTES - 1],
      [10, 3 * CHUNK_BYTES + 5],
      [bytes.length - 1, bytes.length - 1],
    ])('returns the bytes %i to %i', async (start, end) => {
      expect((await read(content, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
    });
  });

  describe('reading modified content', () => {
    let content: StoredContent;
    beforeEach(async () => {
      content = await put(randomBytes(2 * CHUNK_BYTES + 10));
    });
    const swap =
      'update content_chunk set index = case index when 0 then 1 else 0 end + 100 where content_uuid = $1 and index < 2';

    it.each<[string, string[]]>([
      [
        'a changed bit',
        [
          'update content_chunk set bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) where content_uuid = $1 and index = 1',
        ],
      ],
      ['a missing chunk', ['delete from content_chunk where content_uuid = $1 and index = 1']],
      ['a missing last chunk', ['delete from content_chunk where content_uuid = $1 and index = 2']],
      [
        'swapped chunks',
        [swap, 'update content_chunk set index = index - 100 where content_uuid = $1 and index >= 100'],
      ],
      [
        'a duplicated chunk',
        [
          'update content_chunk c set bytes = (select bytes from content_chunk where content_uuid = $1 and index = 0) where content_uuid = $1 and index = 1',
        ],
      ],
      ['an emptied chunk', ["update content_chunk set bytes = '' where content_uuid = $1 and index = 0"]],
    ])('returns nothing after %s', async (_, statements) => {
      for (const statement of statements) await context.query(statement, [content.uuid]);
      await expect(read(content)).rejects.toThrow();
    });

    it('does not accept truncated content as complete', async () => {
      await context.query('delete from content_chunk where content_uuid = $1 and index = 2', [content.uuid]);
      await expect(read({ ...content, chunks: 2, size: 2 * CHUNK_BYTES })).rejects.toThrow();
    });

    it('does not accept a chunk of another document', async () => {
      const other = await put(randomBytes(2 * CHUNK_BYTES + 10));
      await context.query(
        `update content_chunk c set bytes = o.bytes from content_chunk o
         where c.content_uuid = $1 and o.content_uuid = $2 and o.index = c.index`,
        [content.uuid, other.uuid],
      );
      await expect(read(content)).rejects.toThrow();
    });

    it('cannot be decrypted with another key', async () => {
      await expect(read(content, undefined, new KeyRing({ version: 1, key: randomBytes(32) }))).rejects.toThrow();
    });
  });

  it('fails with the stream and leaves no partial content', async () => {
    const before = await context.query("select uuid from content where sha256 <> ''");
    const broken = function* () {
      yield randomBytes(CHUNK_BYTES + 1);
      throw new Error('The source broke off.');
    };
    await expect(store.put(owner, key, Readable.from(broken()), never)).rejects.toThrow('The source broke off.');
    expect(await context.query("select uuid from content where sha256 <> ''")).toHaveLength(before.length);
  });

  it('stops when its signal is aborted', async () => {
    const reason = new Error('The service shuts down.');
    await expect(put(randomBytes(3 * CHUNK_BYTES), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('becomes unreadable without its data key', async () => {
    const gone = { uuid: randomUUID(), environmentUuid: randomUUID() };
    const itsKey = await createDataKey(context.app.app, gone);
    const content = await store.put(gone, itsKey, Readable.from([randomBytes(10)]), never);
    await context.query('delete from data_key where owner_uuid = $1', [gone.uuid]);
    expect(await chunks(content.uuid)).toEqual([]);
    await expect(store.put(gone, itsKey, Readable.from([randomBytes(10)]), never)).rejects.toThrow();
  });

  it('deletes old content without a record, up to a limit', async () => {
    await context.query('delete from content');
    const attached = await put(Buffer.from('attached'));
    expect(await store.attach(em(), randomUUID(), [attached.uuid])).toBe(false);
    expect(await store.attach(em(), owner.environmentUuid, [attached.uuid])).toBe(true);
    for (let i = 0; i < 3; i++) await put(Buffer.from('orphan'));
    const later = context.app.clock.in(60);
    expect(await store.sweep(context.app.clock.in(-60), 10)).toBe(0);
    expect(await store.sweep(later, 2)).toBe(2);
    expect(await store.sweep(later, 2)).toBe(1);
    expect(await store.sweep(later, 2)).toBe(0);
    expect((await read(attached)).toString()).toBe('attached');
    expect(await context.query('select count(*)::int as n from content_chunk')).toEqual([{ n: 1 }]);
  });

  it('reports that content to be attached no longer exists', async () => {
    const content = await put(Buffer.from('x'));
    await store.remove(em(), [content.uuid]);
    expect(await store.attach(em(), owner.environmentUuid, [content.uuid])).toBe(false);
    await expect(read(content)).rejects.toThrow('missing');
  });
});
