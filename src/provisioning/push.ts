import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { Clock } from '../platform/clock';
import { databaseIsAway } from '../platform/database/database-is-away';
import { GuardedNetwork } from '../platform/network/guarded-network';
import { retryAfter } from '../platform/network/retry-after';
import { failureOf } from './failure-of';
import { type Letter, Outgoing, type SignedBody } from './outgoing';
import { Handover, PushBodies } from './push-body';
import { PushLimits } from './push-limits';
import type { Target } from './client-auth';

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
  /** What went wrong on our side, for the log only. */
  readonly ownFault?: unknown;
}

/** Sends one document to the client's provisioning URL (contract 6). */
@Injectable()
export class Push {
  private readonly bodies = new PushBodies();

  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {}

  /** Begins with what has to be done before a document can leave, unless it is a long one. */
  prepare(letter: Letter): Outgoing {
    return new Outgoing(letter, this.bodies, this.clock);
  }

  /**
   * Never rejects because of the client, or of `signal`.
   * @throws when the database is away: then nothing can be said of the document, which stays due
   */
  async run(target: Target, outgoing: Outgoing, signal: AbortSignal): Promise<PushResult> {
    const started = performance.now();
    const ended = (result: Omit<PushResult, 'durationMs'>): PushResult => ({
      ...result,
      durationMs: Math.round(performance.now() - started),
    });
    const failed = (errorCode: string) =>
      ended({ status: null, errorCode, retryAfterSeconds: null, responseExcerpt: null });
    const unreadable = (ownFault: unknown): PushResult => {
      if (databaseIsAway(ownFault)) throw ownFault;
      return { ...failed(CONTENT_UNREADABLE), ownFault };
    };

    let ready: SignedBody;
    try {
      ready = await outgoing.ready();
    } catch (error) {
      return unreadable(error);
    }
    const { body, signature } = ready;
    const document = new Handover(body);
    try {
      const answer = await request(target.url, {
        method: 'POST',
        headers: {
          ...target.headers,
          ...signature,
          'content-type': 'application/json',
          'content-length': String(body.length),
          'idempotency-key': outgoing.letter.transactionUuid,
          'user-agent': 'Docfetch',
        },
        body: document.body,
        dispatcher: this.network.dispatcher,
        headersTimeout: this.limits.silenceMs,
        bodyTimeout: this.limits.silenceMs,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.limits.wholeMsOf(body.length))]),
      });
      const responseExcerpt = await excerpt(answer.body, this.limits.silenceMs - document.msSince());
      const status = answer.statusCode;
      if (document.complete) this.bodies.keep(body);
      return ended({
        status,
        errorCode: codeOf(status, document.complete),
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt,
      });
    } catch (error) {
      return document.fault ? unreadable(document.fault) : failed(failureOf(error));
    }
  }
}

/** contract 6: only 200 is success; and one that came before the document had been taken says nothing about it. */
function codeOf(status: number, complete: boolean): string | null {
  if (status === 200) return complete ? null : 'ANSWERED_EARLY';
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
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
