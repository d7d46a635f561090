import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { etagOf, type FakeObject, refuse } from './fake-object';
import { actionOf, FakeUploads } from './fake-uploads';
import { wrongSignature } from './verify-signature';

/** The fault of one request. Default: none. */
export interface Fault {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection after this number of bytes of the response body. */
  readonly cutAfter?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** An S3 server on a real socket, with one bucket in memory and faults on command. It checks signatures. */
export class FakeS3Server {
  readonly bucket = 'belege';
  readonly keys = { accessKey: 'AKIAFAKE', secretKey: 'right/+secret', region: 'eu-central-1' };
  /** Keys with a session token that are accepted as well. */
  readonly temporaryKeys = new Map<string, { secretKey: string; sessionToken: string; isExpired?: boolean }>();
  readonly objects = new Map<string, FakeObject>();
  readonly requests: SeenRequest[] = [];
  readonly uploads = new FakeUploads((key, content) => void this.put(key, content, new Date()));
  /** The permissions that the requests have needed. */
  readonly actions = new Set<string>();
  /** The keys of a page at most. */
  pageSize = 1000;
  /** Called for every request before it is answered. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  /** Awaited before a request is answered. */
  hold?: ((request: SeenRequest) => Promise<void>) | undefined;
  private readonly sockets = new Set<Socket>();
  private sorted: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, answer) => {
      // A client that disconnects midway, as when its process is killed, is not a fault of the storage.
      this.serve(request, answer).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
        answer.destroy();
      });
    });
  }

  static async start(): Promise<FakeS3Server> {
    const server = createServer({ keepAliveTimeout: 4_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeS3Server(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Step-1 input that logs in. */
  get fields(): Record<string, unknown> {
    const { accessKey: access_key, secretKey: secret_key, region } = this.keys;
    return { endpoint: `http://localhost:${this.port}`, region, bucket: this.bucket, access_key, secret_key };
  }

  /** Last changed an hour ago by default. */
  put(key: string, content: string | Buffer, modified = new Date(Date.now() - 3_600_000)): FakeObject {
    const object = { content: Buffer.from(content), modified };
    this.objects.set(key, object);
    return object;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [path, search = ''] = request.url!.split('?') as [string, string?];
    const { method, headers } = request;
    const seen = { method: method!, path, query: new URLSearchParams(search), headers };
    this.requests.push(seen);
    await this.hold?.(seen);
    const fault = this.fault(seen) ?? {};
    if (fault.status !== undefined) return void answer.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    const wrong = this.wrongKeys(request);
    if (wrong === 'ExpiredToken' || wrong === 'InvalidToken') return refuse(answer, 400, wrong);
    if (wrong === 'AuthorizationHeaderMalformed') {
      return refuse(answer, 400, wrong, { 'x-amz-bucket-region': this.keys.region });
    }
    if (wrong) return refuse(answer, 403, wrong);
    const [, bucket, ...rest] = path.split('/');
    if (bucket !== this.bucket) return refuse(answer, 404, 'NoSuchBucket');
    const isBucket = rest.length === 0 || (rest.length === 1 && rest[0] === '');
    this.actions.add(actionOf(isBucket, seen));
    if (isBucket) return seen.query.has('uploads') ? this.uploads.list(seen, answer) : this.list(seen, answer, fault);
    const key = rest.map(decodeURIComponent).join('/');
    const body = await buffer(request);
    if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256'])
      return refuse(answer, 400, 'XAmzContentSHA256Mismatch');
    if (this.uploads.serve(key, seen, body, answer)) return;
    if (method === 'PUT') return this.keep(key, body, answer);
    if (method === 'DELETE') return this.delete(key, answer);
    this.get(key, seen, answer, fault);
  }

  private wrongKeys(request: IncomingMessage) {
    const { authorization = '', 'x-amz-security-token': token } = request.headers;
    const accessKey = /Credential=([^/]+)\//.exec(authorization)?.[1] ?? '';
    const temporary = this.temporaryKeys.get(accessKey);
    if (!temporary) return token === undefined ? wrongSignature(request, this.keys) : 'InvalidToken';
    if (temporary.isExpired) return 'ExpiredToken';
    if (token !== temporary.sessionToken || !/SignedHeaders=[^,]*x-amz-security-token/.test(authorization))
      return 'InvalidToken';
    return wrongSignature(request, { ...this.keys, accessKey, secretKey: temporary.secretKey });
  }

  private keep(key: string, content: Buffer, answer: ServerResponse): void {
    answer.writeHead(200, { etag: `"${etagOf(this.put(key, content, new Date()))}"` }).end();
  }

  /** The response is the same whether or not the object existed. */
  private delete(key: string, answer: ServerResponse): void {
    this.objects.delete(key);
    answer.writeHead(204).end();
  }

  private list({ query }: SeenRequest, answer: ServerResponse, fault: Fault): void {
    if (query.get('list-type') !== '2') return refuse(answer, 501, 'NotImplemented');
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
    const most = Math.min(this.pageSize, Number(query.get('max-keys') ?? 1000));
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const rows = new Map<string, FakeObject | null>();
    if (this.sorted.length !== this.objects.size || !this.sorted.every((key) => this.objects.has(key))) {
      this.sorted = [...this.objects.keys()].sort();
    }
    for (const key of this.sorted) {
      if (!key.startsWith(prefix)) continue;
      const object = this.objects.get(key)!;
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      if (end < 0) rows.set(key, object);
      else rows.set(key.slice(0, end + 1), null);
    }
    const all = [...rows].filter(([name]) => name > after);
    const shown = all.slice(0, most);
    const encode = (name: string) => encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%20', '+');
    const isTruncated = shown.length < all.length;
    const lines = shown.map(([name, object]) =>
      object
        ? `<Contents><Key>${encode(name)}</Key><LastModified>${object.modified.toISOString()}</LastModified><ETag>&quot;${etagOf(object)}&quot;</ETag><Size>${object.content.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
        : `<CommonPrefixes><Prefix>${encode(name)}</Prefix></CommonPrefixes>`,
    );
    const next = Buffer.from(shown.at(-1)?.[0] ?? '').toString('base64');
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket}</Name><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${lines.join('')}</ListBucketResult>`;
    answer.writeHead(200, { 'content-type': 'application/xml' });
    this.send(answer, Buffer.from(body), fault);
  }

  private get(key: string, { headers }: SeenRequest, answer: ServerResponse, fault: Fault): void {
    const object = this.objects.get(key);
    if (!object) return refuse(answer, 404, 'NoSuchKey');
    if (object.isArchived) return refuse(answer, 403, 'InvalidObjectState');
    const etag = `"${etagOf(object)}"`;
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag) {
      return refuse(answer, 412, 'PreconditionFailed');
    }
    const { length } = object.content;
    const [, first, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const from = Number(first ?? 0);
    if (first !== undefined && from >= length) return refuse(answer, 416, 'InvalidRange');
    const to = Math.min(length, end ? Number(end) + 1 : length);
    const isPart = end ? true : from > 0;
    answer.writeHead(isPart ? 206 : 200, {
      etag,
      'last-modified': object.modified.toUTCString(),
      'content-length': to - from,
      ...(isPart && { 'content-range': `bytes ${from}-${to - 1}/${length}` }),
    });
    this.send(answer, object.content.subarray(from, to), fault);
  }

  private send(answer: ServerResponse, body: Buffer, { cutAfter }: Fault): void {
    if (cutAfter === undefined || cutAfter >= body.length) return void answer.end(body);
    answer.write(body.subarray(0, cutAfter), () => answer.socket?.destroySoon());
  }
}
