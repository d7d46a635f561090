import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { refuse } from './fake-object';

const SMALLEST_PART = 5 * 1024 * 1024;

export interface OpenUpload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

interface UploadRequest {
  readonly method: string;
  readonly query: URLSearchParams;
}

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const xml = (answer: ServerResponse, body: string) =>
  void answer.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>\n${body}`);

/** The multi-part uploads of a bucket, with the limits of S3: parts of 5 MiB, but the last one. */
export class FakeUploads {
  readonly open = new Map<string, OpenUpload>();
  /** The next upload is completed, but its answer is lost. */
  losesAnswer = false;

  constructor(private readonly keep: (key: string, content: Buffer) => void) {}

  list({ query }: UploadRequest, answer: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const found = [...this.open].filter(([, { key }]) => key.startsWith(prefix));
    const entries = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    xml(answer, `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`);
  }

  /** Answers a request for an object that concerns an upload. False for others. */
  serve(key: string, request: UploadRequest, body: Buffer, answer: ServerResponse): boolean {
    const { method, query } = request;
    const id = query.get('uploadId');
    if (method === 'POST' && query.has('uploads')) this.begin(key, answer);
    else if (id === null) return false;
    else this.change(id, key, request, body, answer);
    return true;
  }

  private begin(key: string, answer: ServerResponse): void {
    const id = `${randomBytes(12).toString('base64')}+/=`;
    this.open.set(id, { key, parts: new Map() });
    xml(
      answer,
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  private change(
    id: string,
    key: string,
    { method, query }: UploadRequest,
    body: Buffer,
    answer: ServerResponse,
  ): void {
    const upload = this.open.get(id);
    if (upload?.key !== key) return refuse(answer, 404, 'NoSuchUpload');
    if (method === 'DELETE') {
      this.open.delete(id);
      return void answer.writeHead(204).end();
    }
    if (method === 'POST') return this.complete(id, upload, body.toString(), answer);
    const number = Number(query.get('partNumber'));
    if (!(number >= 1 && number <= 10_000)) return refuse(answer, 400, 'InvalidArgument');
    upload.parts.set(number, body);
    answer.writeHead(200, { etag: `"${md5(body)}"` }).end();
  }

  private complete(id: string, { key, parts }: OpenUpload, list: string, answer: ServerResponse): void {
    const named = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g)];
    const contents = named.map(([, number]) => parts.get(Number(number)));
    if (named.length === 0) return refuse(answer, 400, 'MalformedXML');
    if (named.some(([, , etag], at) => !contents[at] || md5(contents[at]) !== etag))
      return refuse(answer, 400, 'InvalidPart');
    if (named.some(([, number], at) => at > 0 && Number(number) <= Number(named[at - 1]![1])))
      return refuse(answer, 400, 'InvalidPartOrder');
    if (contents.slice(0, -1).some((part) => part!.length < SMALLEST_PART))
      return refuse(answer, 400, 'EntityTooSmall');
    this.keep(key, Buffer.concat(contents as Buffer[]));
    this.open.delete(id);
    if (this.losesAnswer) {
      this.losesAnswer = false;
      return void answer.socket?.destroy();
    }
    xml(answer, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
  }
}

/** The permission that AWS requires for a request. */
export function actionOf(isBucket: boolean, { method, query }: UploadRequest): string {
  if (isBucket) return query.has('uploads') ? 's3:ListBucketMultipartUploads' : 's3:ListBucket';
  if (method === 'DELETE') return query.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
  return method === 'GET' ? 's3:GetObject' : 's3:PutObject';
}
