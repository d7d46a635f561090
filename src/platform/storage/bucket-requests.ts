import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { StorageUnavailable } from '../availability/storage-unavailable';
import { fixedKeys, KeysUnavailable, type KeySource } from './access-keys';
import { AmbientKeys } from './ambient-keys';
import { type BucketAddress, configuredAddress, correctedAddress, errorCodeOf } from './bucket-address';
import { type BucketResponse, readText, UnusableObject } from './bucket-response';
import { credentialService } from './credential-services';
import { type SignableRequest, signedHeaders } from './sign-request';
import type { BucketSettings } from './storage-url';

/** Concurrent requests; further ones wait. */
const CONNECTIONS = 64;
const CONNECT_MS = 5_000;
/** The timeout of one request including its response, of a few hundred kilobytes at most. */
export const REQUEST_MS = 8_000;
/** Transient errors are retried with exponential backoff until `RETRY_MS` have passed. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
export const RETRY_MS = 15_000;

/** Transient error codes, regardless of their status. */
const TRANSIENT_CODES = new Set([
  'RequestTimeout',
  'InternalError',
  'ServiceUnavailable',
  'SlowDown',
  'TooManyRequests',
]);
/** Error codes of temporary keys that have expired or were revoked. */
const EXPIRED_KEYS = new Set(['ExpiredToken', 'ExpiredTokenException', 'InvalidToken', 'TokenRefreshRequired']);
/** Permanent errors of connections: wrong certificates, URLs and headers. */
const PERMANENT_ERRORS = /CERT|ERR_TLS|UNABLE_TO_|UND_ERR_INVALID_ARG|ERR_INVALID/;

/** The result of one request, for metrics. */
export interface BucketRequest {
  readonly method: SignableRequest['method'];
  readonly outcome: 'ok' | 'missing' | 'failed';
  readonly seconds: number;
}

export type Asked = Pick<SignableRequest, 'method' | 'body'> & {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The timeout of one request, if it takes longer than most. */
  readonly milliseconds?: number;
};

/** What does not exist: an object, an upload (also after it was completed), or the requested bytes of an object. */
const MISSING = new Set(['404 NoSuchKey', '404 NoSuchUpload', '416 InvalidRange']);

/** Sends signed requests to one bucket, and retries transient errors. Redirects are not followed. */
export class BucketRequests {
  readonly address: BucketAddress;
  private readonly keys: KeySource;
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
    private readonly asked: (request: BucketRequest) => void,
    private readonly retryMs: number,
    private readonly requestMs: number,
  ) {
    this.address = configuredAddress(settings);
    this.keys = keysFor(settings);
  }

  /** The result of `read` for a successful response; null when it does not exist. @throws StorageUnavailable, UnusableObject */
  async send<T>(asked: Asked, read: (answer: BucketResponse) => Promise<T>): Promise<T | null> {
    const until = performance.now() + this.retryMs;
    for (let tries = 1; ; tries++) {
      const started = performance.now();
      const ended = (outcome: BucketRequest['outcome']) =>
        this.asked({ method: asked.method, outcome, seconds: (performance.now() - started) / 1000 });
      try {
        const result = await this.sendOnce(asked, read);
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

  away(why: string, passes: boolean, cause?: unknown): StorageUnavailable {
    return new StorageUnavailable(`the bucket "${this.settings.bucket}" cannot be used: ${why}`, passes, { cause });
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async sendOnce<T>(
    { method, path, body, headers: extra = {}, milliseconds = this.requestMs }: Asked,
    read: (answer: BucketResponse) => Promise<T>,
  ): Promise<T | null> {
    const { origin, region } = this.address;
    try {
      const keys = await this.keys.get();
      const headers = await signedHeaders({ method, origin, path, body }, extra, region, keys, new Date());
      const { statusCode: status, ...answer } = await this.agent.request({
        method,
        origin,
        path,
        headers,
        body,
        signal: AbortSignal.timeout(milliseconds),
      });
      if (status >= 200 && status < 300) return await read({ status, ...answer });
      const errorBody = await readText(answer.body);
      const code = errorCodeOf(errorBody);
      if (MISSING.has(`${status} ${code}`)) return null;
      if (code === 'InvalidObjectState') throw new UnusableObject('it is in an archive');
      if (EXPIRED_KEYS.has(code) && this.keys.discard(keys)) throw this.away(`${status} ${code}`, true);
      throw this.refused({ status, ...answer }, errorBody);
    } catch (error) {
      throw this.reported(error);
    }
  }

  private reported(error: unknown): unknown {
    if (error instanceof StorageUnavailable || error instanceof UnusableObject) return error;
    if (error instanceof KeysUnavailable) return this.away(error.message, error.isTransient, error);
    const { code, name } = error as { code?: unknown; name: string };
    const what = typeof code === 'string' ? code : name;
    return this.away(`no answer (${what})`, !PERMANENT_ERRORS.test(what), error);
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
}

function keysFor({ accessKey, secretKey, region }: BucketSettings): KeySource {
  if (accessKey !== undefined && secretKey !== undefined) return fixedKeys({ accessKey, secretKey });
  return new AmbientKeys((warn) => credentialService(region, warn));
}
