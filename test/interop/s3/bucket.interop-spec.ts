import { randomBytes } from 'node:crypto';
import { PART_BYTES, PART_CHUNKS, ENCRYPTED_BYTES, TailUpload } from '../../../src/documents/store/bucket/tail-upload';
import { BufferPool } from '../../../src/platform/buffers/buffer-pool';
import { Bucket } from '../../../src/platform/storage/bucket';
import { StorageUnavailable } from '../../../src/platform/availability/storage-unavailable';
import { parseStorageUrl } from '../../../src/platform/storage/storage-url';
import { type Bucket as SwiftBucket, Swift } from './swift';

let server: Swift;
let there: SwiftBucket;
let bucket: Bucket;

/** The configuration of an operator. */
const urlOf = ({ fields }: SwiftBucket, changes: Readonly<Record<string, string>> = {}) => {
  const { bucket: name, ...others } = { ...fields, ...changes } as Record<string, string>;
  const query = Object.entries(others).map(([parameter, value]) => `${parameter}=${value}`);
  return `s3://${name}/live/2026?${query.join('&')}`;
};

beforeAll(async () => {
  server = await Swift.start();
});
beforeEach(async () => {
  there = await server.bucket();
  bucket = new Bucket(parseStorageUrl(urlOf(there)));
});
afterEach(() => bucket.close());
afterAll(() => server?.stop());

describe('The bucket of STORAGE_URL in OpenStack Swift', () => {
  it('passes the check, and is empty afterwards', async () => {
    await bucket.check();
    expect(await bucket.list('')).toEqual([]);
  });

  it('stores, returns, lists and deletes objects of every length', async () => {
    const sizes = [0, 1, 262_172, 262_173];
    const memory = Buffer.alloc(300_000);
    const objects = sizes.map((size, at) => [`content/${at}`, randomBytes(size)] as const);
    await Promise.all(objects.map(([key, bytes]) => bucket.put(key, bytes)));
    for (const [key, bytes] of objects) expect((await bucket.get(key, memory))!.equals(bytes)).toBe(true);
    await bucket.put('other/0', randomBytes(1));
    expect(await bucket.list('content/')).toEqual(objects.map(([key]) => key));
    await bucket.delete('content/1');
    await bucket.delete('content/1');
    expect(await bucket.get('content/1', memory)).toBeNull();
    expect(await bucket.list('content/')).toEqual(['content/0', 'content/2', 'content/3']);
  });

  it('deletes many objects at a time', async () => {
    const memory = () => Buffer.alloc(100_000);
    const objects = Array.from({ length: 60 }, (_, at) => [`many/${at}`, randomBytes(90_000)] as const);
    await Promise.all(objects.map(([key, bytes]) => bucket.put(key, bytes)));
    const read = await Promise.all(objects.map(([key]) => bucket.get(key, memory())));
    expect(read.every((bytes, at) => bytes!.equals(objects[at]![1]))).toBe(true);
  });

  it('stores a document of 104 MiB in parts, and returns it', async () => {
    const tail = new TailUpload(bucket, 'large/tail', new BufferPool(PART_BYTES, 2));
    const chunk = randomBytes(ENCRYPTED_BYTES);
    const numbered = (index: number) => {
      chunk.writeUInt32BE(index);
      return chunk;
    };
    const last = 416;
    for (let index = 0; index < last; index++) await tail.write(index, numbered(index));
    await tail.end(last, numbered(last).subarray(0, 1000));
    expect(await bucket.uploads.list('large/tail')).toEqual([]);
    const memory = Buffer.alloc(ENCRYPTED_BYTES);
    for (const index of [0, 19, 20, 21, 399, 400, last - 1]) {
      const read = await bucket.getRange('large/tail', index * ENCRYPTED_BYTES, memory);
      expect(read!.equals(numbered(index))).toBe(true);
    }
    expect((await bucket.getRange('large/tail', last * ENCRYPTED_BYTES, memory))!.length).toBe(1000);
    expect(await bucket.getRange('large/tail', last * ENCRYPTED_BYTES + 1000, memory)).toBeNull();
    await bucket.delete('large/tail');
    expect(await bucket.list('')).toEqual([]);
  });

  it('leaves no unfinished upload when a document breaks off in the middle, or its process is killed', async () => {
    const tail = new TailUpload(bucket, 'broken/tail', new BufferPool(PART_BYTES, 2));
    for (let index = 0; index < 2 * PART_CHUNKS; index++) await tail.write(index, Buffer.alloc(ENCRYPTED_BYTES));
    await tail.abandon();
    expect(await bucket.uploads.list('broken/tail')).toEqual([]);
    const left = await bucket.uploads.begin('killed/tail');
    await bucket.uploads.put(left, 1, Buffer.alloc(PART_BYTES));
    expect(await bucket.uploads.list('killed/tail')).toEqual([left]);
    await bucket.uploads.abortAll('killed/tail');
    expect([await bucket.uploads.list('killed/tail'), await bucket.list('')]).toEqual([[], []]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a secret', { secret_key: 'falsch' }, /403 SignatureDoesNotMatch$/],
    ['a key', { access_key: 'anna:andere' }, /403 (?:InvalidAccessKeyId|SignatureDoesNotMatch)$/],
    ['a bucket', { bucket: 'nicht-da' }, /404 NoSuchBucket$/],
    ['a region', { region: 'eu-west-1' }, /400 AuthorizationHeaderMalformed: it is in region eu-central-1$/],
  ])('reports immediately when %s is wrong', async (_, changes, message) => {
    const wrong = new Bucket(parseStorageUrl(urlOf(there, changes)));
    const error: unknown = await wrong.check().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(error).toMatchObject({ isTransient: false, message: expect.stringMatching(message) });
    await wrong.close();
  });
});
