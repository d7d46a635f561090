import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { type BucketAddress, codeOf, givenAddress, toldAddress } from './bucket-address';
import { type Request, signedHeaders } from './sign';
import { StorageIsAway } from './storage-is-away';
import type { BucketSettings } from './storage-url';

/** Requests that are under way at the same time; more wait. */
const CONNECTIONS = 64;
const CONNECT_MS = 5_000;
/** For one request with its answer, of a few hundred kilobytes at most. */
const REQUEST_MS = 20_000;
/** What may pass is tried again, after pauses that double, as long as the whole has not taken so long. */
const TRIES = 5;
const FIRST_PAUSE_MS = 100;
const PATIENCE_MS = 15_000;

/** They pass, whatever the status beside them. */
const PASSING = new Set(['RequestTimeout', 'InternalError', 'ServiceUnavailable', 'SlowDown', 'TooManyRequests']);
/** A listing of a thousand keys is a tenth of it. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** There is no room for it: somebody else has written it. */
export class ObjectTooLarge extends Error {
  constructor() {
    super('The object is larger than anything that is kept.');
    this.name = 'ObjectTooLarge';
  }
}

/** How one request went, for who counts them. */
export interface BucketRequest {
  readonly method: Request['method'];
  readonly outcome: 'ok' | 'missing' | 'failed';
  readonly seconds: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData['body'];
}

type Asked = Pick<Request, 'method' | 'body'> & { readonly path: string };

/**
 * The deployment's own bucket (contract 8 `STORAGE_URL`): small objects that are written whole and read whole. Keys are
 * letters, digits, dashes and slashes; they stand below the prefix of the settings.
 *
 * Its address comes from the operator, as the database's does, and is mostly a private one: requests do not go through the
 * guard, which is for addresses that clients and users name. Redirects are not followed. Every method throws
 * `StorageIsAway` when the bucket cannot be used, after having tried again what may pass.
 */
export class Bucket {
  /** By which a place is known again: what lies in one is not found in another. */
  readonly location: string;
  private readonly address: BucketAddress;
  private readonly agent = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    clientTtl: 600_000, // a host that moves to other addresses is followed within ten minutes
  });

  constructor(
    private readonly settings: BucketSettings,
    private readonly asked: (request: BucketRequest) => void = () => undefined,
  ) {
    this.address = givenAddress(settings);
    this.location = `${settings.bucket}/${settings.prefix}`;
  }

  /** Once this has resolved, nobody reads from `body` any more. */
  async put(key: string, body: Buffer): Promise<void> {
    await this.ask({ method: 'PUT', path: this.pathOf(key), body }, dropped);
  }

  /** Reads an object into `memory`; answers the part of it that was filled, or null when there is no such object. @throws ObjectTooLarge */
  async get(key: string, memory: Buffer): Promise<Buffer | null> {
    return this.ask({ method: 'GET', path: this.pathOf(key) }, (answer) => readInto(memory, answer));
  }

  /** That there is no such object is as good. */
  async delete(key: string): Promise<void> {
    await this.ask({ method: 'DELETE', path: this.pathOf(key) }, dropped);
  }

  /** The first keys that begin so, a thousand at most. */
  async list(beginning: string): Promise<string[]> {
    const { prefix } = this.settings;
    const path = `${this.address.path}?list-type=2&max-keys=1000&prefix=${encodeURIComponent(prefix + beginning)}`;
    const listing = await this.ask({ method: 'GET', path }, async ({ body }) => textOf(body));
    if (!listing?.includes('<ListBucketResult')) throw this.away('its listings cannot be read', false);
    return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key!.slice(prefix.length));
  }

  /** Writes, reads, lists and deletes an object: whether everything is allowed that will be needed. */
  async check(): Promise<void> {
    const key = `check/${randomBytes(16).toString('hex')}`;
    const bytes = randomBytes(32);
    await this.put(key, bytes);
    const isThere = (await this.get(key, Buffer.alloc(64)))?.equals(bytes) && (await this.list(key)).includes(key);
    await this.delete(key);
    if (!isThere) throw this.away('what was written is not found again', false);
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  /** What `read` makes of a good answer; null for an object that is not there. */
  private async ask<T>(asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T | null> {
    const until = performance.now() + PATIENCE_MS;
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
        const passes = error instanceof StorageIsAway && error.passes;
        if (!passes || tries === TRIES || performance.now() > until) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
      }
    }
  }

  private async askOnce<T>({ method, path, body }: Asked, read: (answer: Answer) => Promise<T>): Promise<T | null> {
    const { origin, region } = this.address;
    const headers = await signedHeaders({ method, origin, path, body }, {}, region, this.settings, new Date());
    try {
      const { statusCode: status, ...answer } = await this.agent.request({
        method,
        origin,
        path,
        headers,
        body,
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      if (status >= 200 && status < 300) return await read({ status, ...answer });
      const refusal = await textOf(answer.body);
      if (status === 404 && method !== 'PUT' && ['NoSuchKey', ''].includes(codeOf(refusal))) return null;
      throw this.refused({ status, ...answer }, refusal);
    } catch (error) {
      if (error instanceof StorageIsAway || error instanceof ObjectTooLarge) throw error;
      const { code, name } = error as { code?: unknown; name: string };
      throw this.away(`no answer (${typeof code === 'string' ? code : name})`, true, error);
    }
  }

  private refused({ status, headers }: Answer, body: string): StorageIsAway {
    const code = codeOf(body);
    const what = [status, code].join(' ').trim();
    const told = toldAddress(this.settings, { status, headers }, body)?.region;
    if (told !== undefined && told !== this.settings.region)
      return this.away(`${what}: it is in region ${told}`, false);
    return this.away(what, status >= 500 || status === 408 || status === 429 || PASSING.has(code));
  }

  private away(why: string, passes: boolean, cause?: unknown): StorageIsAway {
    return new StorageIsAway(`the bucket "${this.settings.bucket}" cannot be used: ${why}`, passes, { cause });
  }

  private pathOf(key: string): string {
    return this.address.objects + this.settings.prefix + key;
  }
}

/** The answer's body does not matter; read, it leaves the connection for the next request. */
async function dropped({ body }: Answer): Promise<true> {
  await body.dump();
  return true;
}

async function readInto(memory: Buffer, { body }: Answer): Promise<Buffer> {
  let end = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    if (end + part.length > memory.length) throw new ObjectTooLarge();
    memory.set(part, end);
    end += part.length;
  }
  return memory.subarray(0, end);
}

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > MOST_TEXT_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
