import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { FakeS3Server, type Fault } from '../../../test/fakes/s3/fake-s3-server';
import { freePort } from '../../../test/harness/free-port';
import { UnusableObject } from './bucket-response';
import { Bucket } from './bucket';
import type { BucketRequest } from './bucket-requests';
import { isUnavailable, StorageUnavailable } from '../availability/storage-unavailable';
import type { BucketSettings } from './storage-url';

const errorResponse = (status: number, code: string): Fault => ({
  status,
  body: `<Error><Code>${code}</Code></Error>`,
});

const SHORT_RETRY_MS = 300;

describe('The bucket of the deployment', () => {
  let server: FakeS3Server;
  let settings: BucketSettings;
  let bucket: Bucket;
  let asked: BucketRequest[];
  const bytes = randomBytes(300_000);
  const memory = Buffer.alloc(400_000);

  beforeAll(async () => {
    server = await FakeS3Server.start();
  });
  beforeEach(() => {
    const endpoint = `http://localhost:${server.port}`;
    settings = { ...server.keys, bucket: server.bucket, endpoint, addressing: 'path', prefix: 'docs/live/' };
    asked = [];
    bucket = new Bucket(settings, (request) => asked.push(request), 5_000);
    server.objects.clear();
    server.uploads.open.clear();
    server.requests.length = 0;
    server.fault = () => undefined;
    server.hold = undefined;
  });
  afterEach(() => bucket.close());
  afterAll(() => server.stop());

  /** Answers the first requests with these faults. */
  const first = (...faults: readonly Fault[]) => {
    const left = [...faults];
    server.fault = () => left.shift();
  };
  /** Runs work on a bucket with a short retry time. */
  const withShortTimeouts = async (
    work: (bucket: Bucket) => Promise<unknown>,
    changes: Partial<BucketSettings> = {},
  ) => {
    const other = new Bucket({ ...settings, ...changes }, undefined, SHORT_RETRY_MS);
    try {
      return await work(other);
    } finally {
      await other.close();
    }
  };
  const away = async (work: Promise<unknown>): Promise<StorageUnavailable> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(isUnavailable(error)).toBe(true);
    expect((error as Error).message).not.toContain(settings.secretKey);
    return error as StorageUnavailable;
  };

  it('stores, lists, reads and deletes objects below its prefix', async () => {
    await bucket.put('a/0', bytes);
    await bucket.put('a/1', Buffer.from('x'));
    await bucket.put('b/0', Buffer.from('y'));
    expect([...server.objects.keys()].sort()).toEqual(['docs/live/a/0', 'docs/live/a/1', 'docs/live/b/0']);
    expect(await bucket.list('a/')).toEqual(['a/0', 'a/1']);
    expect((await bucket.get('a/0', memory))!.equals(bytes)).toBe(true);
    await bucket.delete('a/0');
    await bucket.delete('a/0');
    expect(await bucket.get('a/0', memory)).toBeNull();
    expect(bucket.location).toBe('belege/docs/live/');
  });

  it('reports the result of each request', async () => {
    first(errorResponse(503, 'SlowDown'));
    await bucket.put('a', bytes);
    await bucket.get('b', memory);
    expect(asked.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual(['PUT failed', 'PUT ok', 'GET missing']);
    expect(asked.every(({ seconds }) => seconds > 0 && seconds < 10)).toBe(true);
  });

  it.each<[string, Fault]>([
    ['it is overloaded', errorResponse(503, 'SlowDown')],
    ['it has an internal error', errorResponse(500, 'InternalError')],
    ['it requests a pause', errorResponse(429, '')],
    ['it timed out', errorResponse(400, 'RequestTimeout')],
    ['a proxy fails', { status: 502, body: '<html>' }],
  ])('retries when %s', async (_, fault) => {
    first(fault, fault);
    await bucket.put('a', bytes);
    first(fault, fault);
    expect((await bucket.get('a', memory))!.equals(bytes)).toBe(true);
    first(fault);
    await bucket.delete('a');
    expect(server.objects.size).toBe(0);
  });

  it('reads an object again when the connection is lost in the middle of it', async () => {
    await bucket.put('a', bytes);
    first({ cutAfter: 100_000 }, { cutAfter: 1 });
    expect((await bucket.get('a', memory))!.equals(bytes)).toBe(true);
  });

  it('retries a request without a response after its time limit', async () => {
    const patient = new Bucket(settings, undefined, undefined, 1_000);
    server.hold = () => {
      server.hold = undefined;
      return new Promise(() => undefined);
    };
    await patient.put('a', bytes);
    expect(server.requests).toHaveLength(2);
    await patient.close();
  });

  it('does not mistake the 404 of a proxy for a missing object', async () => {
    await bucket.put('a', bytes);
    first({ status: 404, body: '404 page not found' });
    expect((await bucket.get('a', memory))!.equals(bytes)).toBe(true);
    server.fault = () => ({ status: 404 });
    for (const work of [(one: Bucket) => one.get('a', memory), (one: Bucket) => one.delete('a')]) {
      expect(await away(withShortTimeouts(work))).toMatchObject({ isTransient: true });
    }
    expect(server.objects.size).toBe(1);
  });

  it('attributes the error to an archived object, not to the bucket', async () => {
    server.put('docs/live/a', 'x').isArchived = true;
    await expect(bucket.get('a', memory)).rejects.toThrow(UnusableObject);
  });

  it('stops retrying after its time limit and reports a transient error', async () => {
    let now = 0;
    const time = jest.spyOn(performance, 'now').mockImplementation(() => now);
    server.fault = () => {
      now += 0.4 * SHORT_RETRY_MS;
      return errorResponse(503, 'SlowDown');
    };
    try {
      const error = await away(withShortTimeouts((one) => one.put('a', bytes)));
      expect(error).toMatchObject({ message: 'the bucket "belege" cannot be used: 503 SlowDown', isTransient: true });
    } finally {
      time.mockRestore();
    }
    expect(server.requests).toHaveLength(3);
  });

  it.each<[string, Partial<BucketSettings>, RegExp]>([
    ['its access key is unknown', { accessKey: 'AKIAOTHER' }, /403 InvalidAccessKeyId$/],
    ['its secret is wrong', { secretKey: 'wrong' }, /403 SignatureDoesNotMatch$/],
    ['it is in another region', { region: 'us-east-1' }, /: it is in region eu-central-1$/],
    ['it does not exist', { bucket: 'andere' }, /404 NoSuchBucket$/],
  ])('does not retry when %s, and reports it', async (_, other, message) => {
    const wrong = new Bucket({ ...settings, ...other });
    for (const work of [
      () => wrong.put('a', bytes),
      () => wrong.get('a', memory),
      () => wrong.delete('a'),
      () => wrong.list(''),
    ]) {
      expect(await away(work())).toMatchObject({ message: expect.stringMatching(message), isTransient: false });
    }
    expect(server.requests).toHaveLength(4);
    await wrong.close();
  });

  it('does not follow redirects', async () => {
    server.fault = () => ({ status: 307, headers: { location: 'http://169.254.169.254/' } });
    expect(await away(bucket.get('a', memory))).toMatchObject({ isTransient: false });
    expect(server.requests).toHaveLength(1);
  });

  it('rejects an object that exceeds the memory', async () => {
    await bucket.put('a', bytes);
    await expect(bucket.get('a', Buffer.alloc(100))).rejects.toThrow(UnusableObject);
    expect((await bucket.get('a', memory))!.equals(bytes)).toBe(true);
  });

  it('is unavailable when the server does not listen, or is not an S3 server', async () => {
    const put = (one: Bucket) => one.put('a', bytes);
    const nobody = { endpoint: `http://localhost:${await freePort()}` };
    expect(await away(withShortTimeouts(put, nobody))).toMatchObject({
      isTransient: true,
      message: expect.stringMatching(/ECONNREFUSED/),
    });
    const mute = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const other = { endpoint: `http://localhost:${(mute.address() as { port: number }).port}` };
    expect(await away(withShortTimeouts(put, other))).toMatchObject({ isTransient: true });
    mute.close();
  });

  describe('an upload in parts', () => {
    const part = randomBytes(5 * 1024 * 1024);

    it('becomes one object, of which ranges are read', async () => {
      const upload = await bucket.uploads.begin('a/tail');
      const etags = [await bucket.uploads.put(upload, 1, part), await bucket.uploads.put(upload, 2, bytes)];
      expect(await bucket.uploads.list('a/tail')).toEqual([upload]);
      expect(await bucket.uploads.complete(upload, etags)).toBe(true);
      expect(server.objects.get('docs/live/a/tail')!.content.equals(Buffer.concat([part, bytes]))).toBe(true);
      const read = await bucket.getRange('a/tail', part.length - 1, memory.subarray(0, 3));
      expect(read!.equals(Buffer.concat([part.subarray(-1), bytes.subarray(0, 2)]))).toBe(true);
      expect(await bucket.getRange('a/tail', part.length + bytes.length, memory)).toBeNull();
      expect(await bucket.getRange('b/tail', 0, memory)).toBeNull();
    });

    it('repeats parts and their joining after transient errors, also those that follow the status', async () => {
      const upload = await bucket.uploads.begin('a/tail');
      first(errorResponse(503, 'SlowDown'), errorResponse(500, 'InternalError'));
      const etag = await bucket.uploads.put(upload, 1, part);
      first({ ...errorResponse(200, 'InternalError') });
      expect(await bucket.uploads.complete(upload, [etag])).toBe(true);
      expect(server.objects.size).toBe(1);
    });

    it('is not complete when a part differs, or is too small', async () => {
      const upload = await bucket.uploads.begin('a/tail');
      const etag = await bucket.uploads.put(upload, 1, bytes);
      const other = await bucket.uploads.put(upload, 2, part);
      expect(await away(bucket.uploads.complete(upload, [other, etag]))).toMatchObject({ isTransient: false });
      expect(await away(bucket.uploads.complete(upload, [etag, other]))).toMatchObject({
        message: expect.stringMatching(/400 EntityTooSmall$/),
      });
      expect(server.objects.size).toBe(0);
      await bucket.uploads.abortAll('a/tail');
      await bucket.uploads.abort(upload);
      expect(server.uploads.open.size).toBe(0);
      expect(await bucket.uploads.complete(upload, [etag])).toBe(false);
    });

    it('has at most 10,000 parts', async () => {
      const upload = await bucket.uploads.begin('a/tail');
      await bucket.uploads.put(upload, 10_000, bytes);
      await expect(bucket.uploads.put(upload, 10_001, bytes)).rejects.toThrow('at most 10000 parts');
    });
  });

  describe('the start-up check', () => {
    it('accepts a bucket that can be written, read, listed and emptied', async () => {
      await bucket.check();
      expect(server.requests.map(({ method, query }) => (query.has('prefix') ? 'LIST' : method))).toEqual([
        'PUT',
        'GET',
        'LIST',
        'DELETE',
        'GET',
        'POST',
        'PUT',
        'LIST',
        'DELETE',
      ]);
      expect([server.objects.size, server.uploads.open.size]).toEqual([0, 0]);
    });

    it.each(['PUT', 'GET', 'DELETE'])('rejects a bucket that does not allow %s', async (refused) => {
      server.fault = ({ method }) => (method === refused ? errorResponse(403, 'AccessDenied') : undefined);
      expect(await away(bucket.check())).toMatchObject({
        message: 'the bucket "belege" cannot be used: 403 AccessDenied',
        isTransient: false,
      });
    });

    it.each<[string, (query: URLSearchParams, method: string) => boolean]>([
      ['beginning', (query, method) => query.has('uploads') && method === 'POST'],
      ['listing', (query, method) => query.has('uploads') && method === 'GET'],
      ['aborting', (query, method) => query.has('uploadId') && method === 'DELETE'],
    ])('rejects a bucket that does not allow %s uploads', async (_, isRefused) => {
      server.fault = ({ query, method }) => (isRefused(query, method) ? errorResponse(403, 'AccessDenied') : undefined);
      expect(await away(bucket.check())).toMatchObject({
        message: 'the bucket "belege" cannot be used: 403 AccessDenied (uploads in parts)',
        isTransient: false,
      });
    });

    it('leaves no object in a rejected bucket', async () => {
      server.fault = ({ method }) => (method === 'GET' ? errorResponse(403, 'AccessDenied') : undefined);
      await away(bucket.check());
      expect(server.objects.size).toBe(0);
    });

    it('rejects a bucket that keeps deleted objects', async () => {
      server.fault = ({ method }) => (method === 'DELETE' ? { status: 204 } : undefined);
      expect(await away(bucket.check())).toMatchObject({ message: expect.stringMatching(/still there$/) });
    });

    it('rejects a bucket that loses objects', async () => {
      server.fault = ({ method }) => (method === 'PUT' ? { status: 200 } : undefined);
      expect(await away(bucket.check())).toMatchObject({ message: expect.stringMatching(/not found again$/) });
    });
  });
});
