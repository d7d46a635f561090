import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { type BucketResponse, discardBody, UnusableObject, readBodyInto, readText } from './bucket-response';
import { type BucketAddress, errorCodeOf, configuredAddress, correctedAddress } from './bucket-address';
import { type SignableRequest, signedHeaders } from './sign-request';
import { StorageUnavailable } from '../availability/storage-unavailable';
import type { BucketSettings } from './storage-url';

/** Concurrent requests; further ones wait. */
const CONNECTIONS = 64;
const CONNECT_MS = 5_000;
/** The timeout of one request including its response, of a few hundred kilobytes at most. */
const REQUEST_MS = 8_000;
/** Transient errors are retried with exponential backoff until `RETRY_MS` have passed. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const RETRY_MS = 15_000;

/** Transient error codes, regardless of their status. */
const TRANSIENT_CODES = new Set([
  'RequestTimeout',
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'TooManyRequests',
]);
/** Permanent errors of connections: wrong certificates, URLs and headers. */
const PERMANENT_ERRORS = /CERT|ERR_TLS|UNABLE_TO_|UND_ERR_INVALID_ARG|ERR_INVALID/;
/** The result of one request, for metrics. */
export interface BucketRequest {
  readonly method: SignableRequest['method'];
  readonly outcome: 'ok' | 'missing' | 'failed';
  readonly seconds: number;
}

type Asked = Pick<SignableRequest, 'method' | 'body'> & { readonly path: string };

/**
 * The bucket of the deployment (decisions 8 `STORAGE_URL`): small objects that are written and read completely. Keys consist of
 * letters, digits, dashes and slashes, below the prefix of the settings.
 *
 * Its URL comes from the operator, like the database's, and is usually private: requests do not use `GuardedNetwork`, which is for
 * addresses from clients and users. Redirects are not followed. Every method throws `StorageUnavailable` when the bucket cannot be
 * used, after retrying transient errors.
 */
export class Bucket {
  /** Identifies the bucket and prefix that an object was stored in. */
  readonly location: string;
  private readonly address: BucketAddress;
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    allowH2: false, // one connection per request, which is closed after a timeout
    clientTtl: 600_000, // a change of the host's addresses takes effect within ten minutes
  });

  constructor(
    private readonly settings: BucketSettings,
    private readonly asked: (request: BucketRequest) => void = () => undefined,
    private readonly retryMs = RETRY_MS,
    private readonly requestMs = REQUEST_MS,
  ) {
    this.address = configuredAddress(settings);
    this.location = `${settings.bucket}/${settings.prefix}`;
  }

  /** After this has resolved, `body` is no longer read. */
  async put(key: string, body: Buffer): Promise<void> {
    await this.ask({ method: 'PUT', path: this.pathOf(key), body }, discardBody);
  }

  /** Reads an object into `memory` and returns the filled part, or null when the object does not exist. @throws UnusableObject */
  async get(key: string, memory: Buffer): Promise<Buffer | null> {
    return this.ask({ method: 'GET', path: this.pathOf(key) }, (answer) => readBodyInto(memory, answer));
  }

  /** Succeeds also when the object does not exist. */
  async delete(key: string): Promise<void> {
    await this.ask({ method: 'DELETE', path: this.pathOf(key) }, discardBody);
  }

  /** The first keys with this prefix, at most a thousand. */
  async list(beginning: string): Promise<string[]> {
    const { prefix } = this.settings;
    const path = `${this.address.path}?list-type=2&max-keys=1000&prefix=${encodeURIComponent(prefix + beginning)}`;
    const listing = await this.ask({ method: 'GET', path }, async ({ body }) => readText(body));
    if (!listing?.includes('<ListBucketResult')) throw this.away('its listings cannot be read', false);
    return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!.slice(prefix.length));
  }

  /** Writes, reads, lists and deletes an object, to check the permissions. */
  async check(): Promise<void> {
    const key = `check/${randomBytes(16).toString('hex')}`;
    const bytes = randomBytes(32);
    await this.put(key, bytes);
    const read = () => this.get(key, Buffer.alloc(64));
    try {
      const isThere = (await read())?.equals(bytes) && (await this.list(key)).includes(key);
      if (!isThere) throw this.away('what was written is not found again', false);
    } finally {
      await this.delete(key);
    }
    if (await read()) throw this.away('what was deleted is still there', false);
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  /** The result of `read` for a successful response; null when the object does not exist. */
  private async ask<T>(asked: Asked, read: (answer: BucketResponse) => Promise<T>): Promise<T | null> {
    const until = performance.now() + this.retryMs;
    for (let tries = 1; ; tries++) {
      const started = performance.now();
      const ended = (outcome: BucketRequest['outcome']) =>
        this.asked({ method: asked.method, outcome, seconds: (performance.now() - started) / 1000 });
      try {
        const result = await this.askOnce(asked, read);
        ended(result === null ? 'missing' : 'ok');
        return result;
      } catch (error) {
        ended('failed');
        const passes = error instanceof StorageUnavailable && error.isTransient;
        if (!passes || performance.now() > until) throw error;
        await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + Math.random()));
      }
    }
  }

  private async askOnce<T>(
    { method, path, body }: Asked,
    read: (answer: BucketResponse) => Promise<T>,
  ): Promise<T | null> {
    const { origin, region } = this.address;
    const headers = await signedHeaders({ method, origin, path, body }, {}, region, this.settings, new Date());
    try {
      const { statusCode: status, ...answer } = await this.agent.request({
        method,
        origin,
        path,
        headers,
        body,
        signal: AbortSignal.timeout(this.requestMs),
      });
      if (status >= 200 && status < 300) return await read({ status, ...answer });
      const errorBody = await readText(answer.body);
      const code = errorCodeOf(errorBody);
      if (status === 404 && code === 'NoSuchKey') return null;
      if (code === 'InvalidObjectState') throw new UnusableObject('it is in an archive');
      throw this.refused({ status, ...answer }, errorBody);
    } catch (error) {
      if (error instanceof StorageUnavailable || error instanceof UnusableObject) throw error;
      const { code, name } = error as { code?: unknown; name: string };
      const what = typeof code === 'string' ? code : name;
      throw this.away(`no answer (${what})`, !PERMANENT_ERRORS.test(what), error);
    }
  }

  private refused({ status, headers }: BucketResponse, body: string): StorageUnavailable {
    const code = errorCodeOf(body);
    const what = [status, code].join(' ').trim();
    const region = correctedAddress(this.settings, { status, headers }, body)?.region;
    if (region !== undefined && region !== this.settings.region)
      return this.away(`${what}: it is in region ${region}`, false);
    // A 404 without an S3 error code comes from a proxy.
    const isFromProxy = status === 404 && code === '';
    return this.away(
      what,
      status >= 500 || status === 408 || status === 429 || TRANSIENT_CODES.has(code) || isFromProxy,
    );
  }

  private away(why: string, passes: boolean, cause?: unknown): StorageUnavailable {
    return new StorageUnavailable(`the bucket "${this.settings.bucket}" cannot be used: ${why}`, passes, { cause });
  }

  private pathOf(key: string): string {
    return this.address.objects + this.settings.prefix + key;
  }
}
