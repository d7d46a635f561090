import { randomBytes } from 'node:crypto';
import { FakeS3Server } from '../../../../test/fakes/s3/fake-s3-server';
import { eventually } from '../../../../test/harness/eventually';
import { BufferPool } from '../../../platform/buffers/buffer-pool';
import { Bucket } from '../../../platform/storage/bucket';
import { PART_BYTES, PART_CHUNKS, ENCRYPTED_BYTES, TailUpload } from './tail-upload';

describe('The chunks of a large document in one object', () => {
  let server: FakeS3Server;
  let bucket: Bucket;
  let upload: TailUpload;
  let parts: number;
  /** Counts the parts in memory. */
  class CountingPool extends BufferPool {
    most = 0;
    override acquire(): Buffer {
      this.most = Math.max(this.most, ++parts);
      return super.acquire();
    }
    override release(buffer: Buffer): void {
      parts--;
      super.release(buffer);
    }
  }
  let memory: CountingPool;

  beforeAll(async () => {
    server = await FakeS3Server.start();
    const endpoint = `http://localhost:${server.port}`;
    bucket = new Bucket({ ...server.keys, bucket: server.bucket, endpoint, addressing: 'path', prefix: '' });
  });
  beforeEach(() => {
    parts = 0;
    memory = new CountingPool(PART_BYTES, 2);
    upload = new TailUpload(bucket, 'a/tail', memory);
    server.objects.clear();
    server.requests.length = 0;
  });
  afterEach(() => {
    server.fault = () => undefined;
    server.hold = undefined;
    expect(server.uploads.open.size).toBe(0);
  });
  afterAll(async () => {
    await bucket.close();
    await server.stop();
  });

  /** As the document store does: up to four chunks at a time, the last one after all others. */
  const store = async (bytes: Buffer) => {
    const chunks = Math.max(1, Math.ceil(bytes.length / ENCRYPTED_BYTES));
    const at = (index: number) => Buffer.from(bytes.subarray(index * ENCRYPTED_BYTES, (index + 1) * ENCRYPTED_BYTES));
    const underWay: Promise<void>[] = [];
    for (let index = 0; index < chunks - 1; index++) {
      if (underWay.length === 4) await underWay.shift();
      underWay.push(upload.write(index, at(index)));
    }
    await Promise.all(underWay);
    await upload.end(chunks - 1, at(chunks - 1));
  };
  const stored = () => server.objects.get('a/tail')?.content;
  const requests = () =>
    server.requests.map(({ method, query }) =>
      `${method} ${query.get('partNumber') ?? [...query.keys()].join()}`.trim(),
    );

  it.each([1, ENCRYPTED_BYTES, PART_BYTES - 1, PART_BYTES])('is one request for %i bytes', async (size) => {
    const bytes = randomBytes(size);
    await store(bytes);
    expect(stored()!.equals(bytes)).toBe(true);
    expect(requests()).toEqual(['PUT']);
  });

  it.each([PART_BYTES + 1, 2 * PART_BYTES, 5 * PART_BYTES + 7])('is an upload in parts for %i bytes', async (size) => {
    const bytes = randomBytes(size);
    await store(bytes);
    expect(stored()!.equals(bytes)).toBe(true);
    const numbers = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, at) => `PUT ${at + 1}`);
    expect(requests().sort()).toEqual(['POST uploads', 'POST uploadId', ...numbers].sort());
    expect(memory.most).toBeLessThanOrEqual(2);
    expect(parts).toBe(0);
  });

  it('accepts chunks in another order', async () => {
    const bytes = randomBytes(PART_BYTES + 3);
    const at = (index: number) => bytes.subarray(index * ENCRYPTED_BYTES, (index + 1) * ENCRYPTED_BYTES);
    for (let index = PART_CHUNKS - 1; index >= 0; index--) await upload.write(index, at(index));
    await upload.end(PART_CHUNKS, at(PART_CHUNKS));
    expect(stored()!.equals(bytes)).toBe(true);
  });

  it('is complete when the answer to its last request was lost', async () => {
    server.uploads.losesAnswer = true;
    const bytes = randomBytes(PART_BYTES + 1);
    await store(bytes);
    expect(stored()!.equals(bytes)).toBe(true);
  });

  it('leaves neither parts nor an object when it is abandoned while a part is on its way', async () => {
    let release = () => {};
    server.hold = ({ query }) =>
      query.has('partNumber') ? new Promise((resolve) => (release = resolve)) : Promise.resolve();
    for (let index = 0; index < PART_CHUNKS; index++) await upload.write(index, randomBytes(ENCRYPTED_BYTES));
    await eventually(() => Promise.resolve(requests().includes('PUT 1')), 'the part is on its way');
    const abandoned = upload.abandon();
    await expect(upload.write(PART_CHUNKS, randomBytes(1))).rejects.toThrow('has failed');
    release();
    await abandoned;
    expect(requests()).toEqual(['POST uploads', 'PUT 1', 'DELETE uploadId']);
    expect(server.objects.size).toBe(0);
  });

  it('fails when a part is refused, and leaves nothing', async () => {
    server.fault = ({ query }) => (query.get('partNumber') === '2' ? { status: 403 } : undefined);
    await expect(store(randomBytes(3 * PART_BYTES))).rejects.toThrow('403');
    await upload.abandon();
    expect(server.objects.size).toBe(0);
  });
});
