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

  /** `content` opens the document's bytes and may be called twice. Never rejects because of the client, or of `signal`. */
  async run(
    target: Target,
    secrets: readonly SigningSecret[],
    transactionUuid: string,
    payload: ProvisionedDocument,
    content: () => Readable,
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
      inMemory = payload.length <= IN_MEMORY_BYTES ? await collect(payload.stream(content())) : null;
      signature = await sign(
        secrets,
        transactionUuid,
        this.clock.now(),
        inMemory ? [inMemory] : payload.stream(content()),
      );
    } catch (error) {
      this.logger.error(error, `The content of transaction ${transactionUuid} cannot be read`);
      return failed(CONTENT_UNREADABLE);
    }
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
        body: inMemory ?? payload.stream(content()),
        dispatcher: this.network.dispatcher,
        headersTimeout: this.limits.silenceMs,
        bodyTimeout: this.limits.silenceMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.limits.wholeMs)]),
      });
      const responseExcerpt = await excerpt(answer.body);
      const status = answer.statusCode;
      return ended({
        status,
        errorCode: status === 200 ? null : status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS',
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt,
      });
    } catch (error) {
      return failed(failureOf(error));
    }
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()).map((part) => Buffer.from(part as string)));
}

/** The beginning of an answer; one that goes on for long is cut off. */
export async function excerpt(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of body) {
      if (length < EXCERPT_BYTES) parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length > DRAIN_BYTES) break; // leaves the loop and closes the connection
    }
  } catch {
    // The status has arrived; that the rest of the answer did not, changes nothing.
  }
  return Buffer.concat(parts).subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
