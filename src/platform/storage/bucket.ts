import { randomBytes } from 'node:crypto';
import { discardBody, readBodyInto, readText, UnusableObject } from './bucket-response';
import { type BucketRequest, BucketRequests, REQUEST_MS, RETRY_MS } from './bucket-requests';
import { Uploads } from './uploads';
import type { BucketSettings } from './storage-url';

/**
 * The bucket of the deployment (decisions 8 `STORAGE_URL`): small objects that are written and read completely, and large ones that
 * are written in parts and read in ranges. Keys consist of letters, digits, dashes and slashes, below the prefix of the settings.
 *
 * Its URL comes from the operator, like the database's, and is usually private: requests do not use `GuardedNetwork`, which is for
 * addresses from clients and users. Redirects are not followed. Every method throws `StorageUnavailable` when the bucket cannot be
 * used, after retrying transient errors.
 */
export class Bucket {
  /** Identifies the bucket and prefix that an object was stored in. */
  readonly location: string;
  readonly uploads: Uploads;
  private readonly requests: BucketRequests;

  constructor(
    private readonly settings: BucketSettings,
    asked: (request: BucketRequest) => void = () => undefined,
    retryMs = RETRY_MS,
    requestMs = REQUEST_MS,
  ) {
    this.requests = new BucketRequests(settings, asked, retryMs, requestMs);
    this.uploads = new Uploads(this.requests, settings.prefix);
    this.location = `${settings.bucket}/${settings.prefix}`;
  }

  /** After this has resolved, `body` is no longer read. */
  async put(key: string, body: Buffer): Promise<void> {
    await this.requests.send({ method: 'PUT', path: this.pathOf(key), body }, discardBody);
  }

  /** Reads an object into `memory` and returns the filled part, or null when the object does not exist. @throws UnusableObject */
  async get(key: string, memory: Buffer): Promise<Buffer | null> {
    return this.requests.send({ method: 'GET', path: this.pathOf(key) }, (answer) => readBodyInto(memory, answer));
  }

  /** Like {@link get}, for as many bytes from `start` on as `memory` has; null also when the object ends before. */
  async getRange(key: string, start: number, memory: Buffer): Promise<Buffer | null> {
    const headers = { range: `bytes=${start}-${start + memory.length - 1}` };
    return this.requests.send({ method: 'GET', path: this.pathOf(key), headers }, async (answer) => {
      if (answer.status === 206) return readBodyInto(memory, answer);
      answer.body.destroy();
      throw new UnusableObject('the bucket does not answer requests for a part of it');
    });
  }

  /** Succeeds also when the object does not exist. */
  async delete(key: string): Promise<void> {
    await this.requests.send({ method: 'DELETE', path: this.pathOf(key) }, discardBody);
  }

  /** The first keys with this prefix, at most a thousand. */
  async list(beginning: string): Promise<string[]> {
    const { prefix } = this.settings;
    const path = `${this.requests.address.path}?list-type=2&max-keys=1000&prefix=${encodeURIComponent(prefix + beginning)}`;
    const listing = await this.requests.send({ method: 'GET', path }, async ({ body }) => readText(body));
    if (!listing?.includes('<ListBucketResult')) throw this.requests.away('its listings cannot be read', false);
    return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!.slice(prefix.length));
  }

  /** Writes, reads, lists and deletes an object, and begins and aborts an upload, to check the permissions. */
  async check(): Promise<void> {
    await this.checkObjects();
    await this.uploads.check(`check/${randomBytes(16).toString('hex')}`);
  }

  private async checkObjects(): Promise<void> {
    const key = `check/${randomBytes(16).toString('hex')}`;
    const bytes = randomBytes(32);
    await this.put(key, bytes);
    const read = () => this.get(key, Buffer.alloc(64));
    try {
      const isThere = (await read())?.equals(bytes) && (await this.list(key)).includes(key);
      if (!isThere) throw this.requests.away('what was written is not found again', false);
    } finally {
      await this.delete(key);
    }
    if (await read()) throw this.requests.away('what was deleted is still there', false);
  }

  async close(): Promise<void> {
    await this.requests.close();
  }

  private pathOf(key: string): string {
    return this.requests.address.objects + this.settings.prefix + key;
  }
}
