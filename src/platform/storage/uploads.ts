import { StorageUnavailable } from '../availability/storage-unavailable';
import { errorCodeOf } from './bucket-address';
import { type BucketResponse, discardBody, readText } from './bucket-response';
import type { Asked, BucketRequests } from './bucket-requests';

/** S3 accepts no more parts, and only the last one may have less than 5 MiB. */
const MOST_PARTS = 10_000;
/** The timeouts of a part and of joining all parts, for which Amazon may take minutes. */
const PART_MS = 60_000;
const COMPLETE_MS = 180_000;

/** An upload in parts (multi-part), whose object does not exist before it is complete. */
export interface Upload {
  readonly key: string;
  readonly id: string;
}

/** Multi-part uploads to a bucket. Parts are signed with their SHA-256, which the storage compares. */
export class Uploads {
  constructor(
    private readonly requests: BucketRequests,
    private readonly prefix: string,
  ) {}

  async begin(key: string): Promise<Upload> {
    const begun = await this.requests.send({ method: 'POST', path: `${this.pathOf(key)}?uploads=` }, textOf);
    const id = /<UploadId>([^<]+)<\/UploadId>/.exec(begun ?? '')?.[1];
    if (id === undefined) throw this.requests.away('it does not begin uploads', false);
    return { key, id: unescaped(id) };
  }

  /** Returns the ETag of the part. Numbers begin with 1. After this has resolved, `body` is no longer read. */
  async put(upload: Upload, number: number, body: Buffer): Promise<string> {
    if (number > MOST_PARTS) throw new Error(`An upload has at most ${MOST_PARTS} parts.`);
    const path = `${this.addressOf(upload)}&partNumber=${number}`;
    const etag = await this.requests.send({ method: 'PUT', path, body, milliseconds: PART_MS }, async (answer) => {
      await discardBody(answer);
      return answer.headers.etag ?? '';
    });
    // Null: somebody has aborted it.
    if (!etag) throw this.requests.away(etag === null ? 'an upload has been aborted' : 'parts have no ETag', true);
    return etag;
  }

  /** Joins the parts. Returns false when the upload does not exist: aborted, or complete after an answer that was lost. */
  async complete(upload: Upload, etags: readonly string[]): Promise<boolean> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const asked: Asked = {
      method: 'POST',
      path: this.addressOf(upload),
      body,
      headers: { 'content-type': 'application/xml' },
      milliseconds: COMPLETE_MS,
    };
    // The status is sent before the parts are joined: an error may follow in the body.
    const done = await this.requests.send(asked, async (answer) => {
      const text = await readText(answer.body);
      if (text.includes('<CompleteMultipartUploadResult')) return true;
      const code = errorCodeOf(text);
      throw this.requests.away(`parts cannot be joined (${code})`, code === '' || code === 'InternalError');
    });
    return done ?? false;
  }

  /** Deletes its parts. Succeeds also when the upload does not exist. */
  async abort(upload: Upload): Promise<void> {
    await this.requests.send({ method: 'DELETE', path: this.addressOf(upload) }, discardBody);
  }

  /** The open uploads to this key. The prefix is a whole key: some storages find uploads by nothing else. */
  async list(key: string): Promise<Upload[]> {
    const path = `${this.requests.address.path}?uploads=&prefix=${encodeURIComponent(this.prefix + key)}`;
    const listing = await this.requests.send({ method: 'GET', path }, textOf);
    if (!listing?.includes('<ListMultipartUploadsResult')) throw this.requests.away('it does not list uploads', false);
    return [...listing.matchAll(/<Upload>.*?<\/Upload>/gs)].flatMap(([entry]) => {
      const [name, id] = ['Key', 'UploadId'].map((tag) => new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(entry)?.[1]);
      return name === this.prefix + key && id !== undefined ? [{ key, id: unescaped(id) }] : [];
    });
  }

  /** Aborts all open uploads to this key. */
  async abortAll(key: string): Promise<void> {
    for (const upload of await this.list(key)) await this.abort(upload);
  }

  /** Begins, lists and aborts an upload, to check the permissions. */
  async check(key: string): Promise<void> {
    try {
      const upload = await this.begin(key);
      try {
        await this.put(upload, 1, Buffer.alloc(1));
        if ((await this.list(key)).length === 0) throw this.requests.away('an upload is not found again', false);
      } finally {
        await this.abort(upload);
      }
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || error.isTransient) throw error;
      throw new StorageUnavailable(`${error.message} (uploads in parts)`, false, { cause: error });
    }
  }

  private pathOf(key: string): string {
    return this.requests.address.objects + this.prefix + key;
  }

  private addressOf({ key, id }: Upload): string {
    return `${this.pathOf(key)}?uploadId=${encodeURIComponent(id)}`;
  }
}

const textOf = ({ body }: BucketResponse): Promise<string> => readText(body);

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
};
const unescaped = (xml: string): string => xml.replace(/&(?:amp|lt|gt|quot|#34);/g, (entity) => ENTITIES[entity]!);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
