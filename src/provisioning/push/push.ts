import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { dataAreAway } from '../../platform/availability/storage-is-away';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { retryAfter } from '../../platform/network/retry-after';
import { failureOf } from '../shared/failure-of';
import { type Letter, Outgoing, type SignedBody } from './outgoing';
import { post } from '../shared/post';
import { Handover, PushBodies } from './push-body';
import { PushLimits } from '../shared/push-limits';
import { type Target, withoutSecret } from '../shared/client-auth';

/** Our faults, not the endpoint's: the content could not be read; the service was stopped in the middle of the attempt. */
export const CONTENT_UNREADABLE = 'CONTENT_UNREADABLE';
export const INTERRUPTED = 'INTERRUPTED';

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

/** How a request leaves. */
export interface Departure {
  readonly soon: boolean;
  readonly leaving: () => void;
}

/** Sends one document to the client's provisioning URL (decisions 6). */
@Injectable()
export class Push {
  private readonly bodies: PushBodies;

  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {
    this.bodies = new PushBodies(limits.atOnce + limits.ahead);
  }

  /** Begins with what has to be done before a document can leave, unless it is a long one. */
  prepare(letter: Letter): Outgoing {
    return new Outgoing(letter, this.bodies, this.clock);
  }

  /**
   * Null: nothing was sent, as it is not to be sent any more. Never rejects because of the client, or of `signal`. `leaving` is
   * called when all has been done that takes database and processor, and only the endpoint is waited for; `soon`: it is
   * expected to answer at once.
   * @throws when the database is away: then nothing can be said of the document, which stays due
   */
  async run(
    target: Target,
    outgoing: Outgoing,
    signal: AbortSignal,
    { soon, leaving }: Departure = { soon: true, leaving: () => undefined },
  ): Promise<PushResult | null> {
    const started = performance.now();
    const ended = (result: Omit<PushResult, 'durationMs'>): PushResult => ({
      ...result,
      durationMs: Math.round(performance.now() - started),
    });
    const failed = (errorCode: string) =>
      ended({ status: null, errorCode, retryAfterSeconds: null, responseExcerpt: null });
    const unreadable = (ownFault: unknown): PushResult => {
      if (dataAreAway(ownFault)) throw ownFault;
      return { ...failed(CONTENT_UNREADABLE), ownFault };
    };

    let ready: SignedBody | null;
    try {
      ready = await outgoing.ready();
    } catch (error) {
      return unreadable(error);
    }
    if (!ready) return null;
    const { body, signature } = ready;
    const document = new Handover(body, soon);
    try {
      leaving();
      const headers = {
        ...target.headers,
        ...signature,
        'content-type': 'application/json',
        'content-length': String(body.length),
        'idempotency-key': outgoing.letter.transactionUuid,
        'user-agent': 'Docfetch',
      };
      const { silenceMs } = this.limits;
      const { status, excerpt, ...answer } = await post(
        this.network.dispatcherOf(outgoing.letter.environmentUuid),
        { url: target.url, headers, body: document.body },
        {
          wholeMs: this.limits.wholeMsOf(body.length),
          silenceMs,
          answerMs: () => silenceMs - document.msSince(),
          cut: signal,
        },
      );
      if (document.complete) body.release();
      return ended({
        status,
        errorCode: codeOf(status, document.complete),
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt: withoutSecret(excerpt, target),
      });
    } catch (error) {
      return document.fault ? unreadable(document.fault) : failed(failureOf(error));
    }
  }
}

/** decisions 6: only 200 is success; and one that came before the document had been taken says nothing about it. */
function codeOf(status: number, complete: boolean): string | null {
  if (status === 200) return complete ? null : 'ANSWERED_EARLY';
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}
