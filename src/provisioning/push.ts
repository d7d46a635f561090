import { Injectable, Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import { request } from 'undici';
import type { SigningSecret } from '../identities/environment.entity';
import { Clock } from '../platform/clock';
import { GuardedNetwork } from '../platform/network/guarded-network';
import { retryAfter } from '../platform/network/retry-after';
import type { ProvisionedDocument } from '../transactions/provisioned-document';
import { failureOf } from './failure-of';
import { PushLimits } from './push-limits';
import type { Target } from './client-auth';
import { sign, type SignatureHeaders } from './sign';

/** Up to this length a body is built once, signed and sent from memory; a longer one is streamed twice. */
const IN_MEMORY_BYTES = 1024 * 1024;
/** contract 6: so much of the answer is kept. */
const EXCERPT_BYTES = 1024;
/** An answer is read to its end up to here, so that the connection can be used again. */
const DRAIN_BYTES = 64 * 1024;
/** What has come with the last headers at the last moment is still read. */
const LAST_LOOK_MS = 100;

/** Our fault, not the endpoint's. */
export const CONTENT_UNREADABLE = 'CONTENT_UNREADABLE';

/** How an attempt ended: delivered exactly when `errorCode` is null. */
export interface PushResult {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly retryAfterSeconds: number | null;
  readonly responseExcerpt: string | null;
  readonly durationMs: number;
}

/** Sends one document to the client's provisioning URL (contract 6). */
@Injectable()
export class Push {
  private readonly logger = new Logger(Push.name);

  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {}

  /**
   * `content` opens the document's bytes, each part good until the next is asked for, and may be called twice. Never rejects
   * because of the client, or of `signal`.
   */
  async run(
    target: Target,
    secrets: readonly SigningSecret[],
    transactionUuid: string,
    payload: ProvisionedDocument,
    content: () => AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<PushResult> {
    const started = performance.now();
    const ended = (result: Omit<PushResult, 'durationMs'>): PushResult => ({
      ...result,
      durationMs: Math.round(performance.now() - started),
    });
    const failed = (errorCode: string) =>
      ended({ status: null, errorCode, retryAfterSeconds: null, responseExcerpt: null });

    let inMemory: Buffer | null;
    let signature: SignatureHeaders;
    try {
      inMemory = payload.length <= IN_MEMORY_BYTES ? await collect(payload.parts(content())) : null;
      signature = await sign(
        secrets,
        transactionUuid,
        this.clock.now(),
        inMemory ? [inMemory] : payload.parts(content()),
      );
    } catch (error) {
      this.logger.error(error, `The content of transaction ${transactionUuid} cannot be read`);
      return failed(CONTENT_UNREADABLE);
    }
    const document = new Handover(inMemory ?? payload.parts(content()));
    try {
      const answer = await request(target.url, {
        method: 'POST',
        headers: {
          ...target.headers,
          ...signature,
          'content-type': 'application/json',
          'content-length': String(payload.length),
          'idempotency-key': transactionUuid,
          'user-agent': 'Docfetch',
        },
        body: document.body,
        dispatcher: this.network.dispatcher,
        headersTimeout: this.limits.silenceMs,
        bodyTimeout: this.limits.silenceMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.limits.wholeMsOf(payload.length))]),
      });
      const responseExcerpt = await excerpt(answer.body, this.limits.silenceMs - document.msSince());
      const status = answer.statusCode;
      return ended({
        status,
        errorCode: codeOf(status, document.complete),
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt,
      });
    } catch (error) {
      return failed(failureOf(error));
    }
  }
}

/** A body on its way to the receiver: whether it has been handed over to the last byte, and since when. */
class Handover {
  readonly body: Buffer | Readable;
  complete: boolean;
  private endedAt = performance.now();

  constructor(source: Buffer | AsyncIterable<Buffer>) {
    this.complete = Buffer.isBuffer(source);
    // undici takes any iterable, without a stream’s buffer in between; its types know streams only. It asks for the next
    // part when the socket has nothing left of this one, unless that was short: so the memory of long parts can be reused.
    this.body = Buffer.isBuffer(source) ? source : (this.watched(source) as AsyncIterable<Buffer> as Readable);
  }

  /** How long the receiver has had all of it; 0 while it has not. */
  msSince(): number {
    return this.complete ? performance.now() - this.endedAt : 0;
  }

  /** Goes on behind the last piece only when that is on the wire, and not at all when the connection ends before. */
  private async *watched(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* source;
    this.endedAt = performance.now();
    this.complete = true;
  }
}

/** contract 6: only 200 is success; and one that came before the document had been taken says nothing about it. */
function codeOf(status: number, complete: boolean): string | null {
  if (status === 200) return complete ? null : 'ANSWERED_EARLY';
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

/** The beginning of an answer; one that goes on for long, by bytes or by the clock, is cut off. */
export async function excerpt(body: Readable, withinMs?: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  const late = withinMs === undefined ? undefined : setTimeout(() => body.destroy(), Math.max(withinMs, LAST_LOOK_MS));
  try {
    for await (const part of body) {
      if (length < EXCERPT_BYTES) parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length > DRAIN_BYTES) break; // leaves the loop and closes the connection
    }
  } catch {
    // The status has arrived; that the rest of the answer did not, changes nothing.
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
