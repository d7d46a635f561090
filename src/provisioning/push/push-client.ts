import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { dataAreAway } from '../../platform/availability/storage-is-away';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { retryAfter } from '../../platform/network/retry-after';
import { networkErrorCode } from '../shared/network-error-code';
import { type PushMessage, PreparedPush, type SignedBody } from './prepared-push';
import { post } from '../shared/post';
import { UploadTracker, PushBodyFactory } from './push-body';
import { PushLimits } from '../shared/push-limits';
import { type PushTarget, redactSecret } from '../shared/client-auth';

/** Our faults, not the endpoint's: the content could not be read; the service was stopped in the middle of the attempt. */
export const CONTENT_UNREADABLE = 'CONTENT_UNREADABLE';
export const PUSH_INTERRUPTED = 'INTERRUPTED';

/** How an attempt ended: delivered exactly when `errorCode` is null. */
export interface PushResult {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly retryAfterSeconds: number | null;
  readonly responseExcerpt: string | null;
  readonly durationMs: number;
  /** What went wrong on our side, for the log only. */
  readonly internalError?: unknown;
}

/** How a request leaves. */
export interface PushOptions {
  readonly expectPromptResponse: boolean;
  readonly onRequestStart: () => void;
}

/** Sends one document to the client's provisioning URL (decisions 6). */
@Injectable()
export class PushClient {
  private readonly bodies: PushBodyFactory;

  constructor(
    private readonly network: GuardedNetwork,
    private readonly clock: Clock,
    private readonly limits: PushLimits,
  ) {
    this.bodies = new PushBodyFactory(limits.maxInFlight + limits.prefetchCount);
  }

  /** Begins with what has to be done before a document can leave, unless it is a long one. */
  prepare(letter: PushMessage): PreparedPush {
    return new PreparedPush(letter, this.bodies, this.clock);
  }

  /**
   * Null: nothing was sent, as it is not to be sent any more. Never rejects because of the client, or of `signal`. `leaving` is
   * called when all has been done that takes database and processor, and only the endpoint is waited for; `soon`: it is
   * expected to answer at once.
   * @throws when the database is away: then nothing can be said of the document, which stays due
   */
  async deliver(
    target: PushTarget,
    outgoing: PreparedPush,
    signal: AbortSignal,
    { expectPromptResponse: soon, onRequestStart: leaving }: PushOptions = {
      expectPromptResponse: true,
      onRequestStart: () => undefined,
    },
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
      return { ...failed(CONTENT_UNREADABLE), internalError: ownFault };
    };

    let ready: SignedBody | null;
    try {
      ready = await outgoing.signedBody();
    } catch (error) {
      return unreadable(error);
    }
    if (!ready) return null;
    const { body, signature } = ready;
    const document = new UploadTracker(body, soon);
    try {
      leaving();
      const headers = {
        ...target.headers,
        ...signature,
        'content-type': 'application/json',
        'content-length': String(body.length),
        'idempotency-key': outgoing.message.transactionUuid,
        'user-agent': 'Docfetch',
      };
      const { idleTimeoutMs: silenceMs } = this.limits;
      const { status, excerpt, ...answer } = await post(
        this.network.dispatcherOf(outgoing.message.environmentUuid),
        { url: target.url, headers, body: document.body },
        {
          totalMs: this.limits.totalTimeoutMsFor(body.length),
          idleMs: silenceMs,
          responseMs: () => silenceMs - document.msSinceComplete(),
          signal,
        },
      );
      if (document.complete) body.release();
      return ended({
        status,
        errorCode: errorCodeOf(status, document.complete),
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt: redactSecret(excerpt, target),
      });
    } catch (error) {
      return document.readError ? unreadable(document.readError) : failed(networkErrorCode(error));
    }
  }
}

/** decisions 6: only 200 is success; and one that came before the document had been taken says nothing about it. */
function errorCodeOf(status: number, complete: boolean): string | null {
  if (status === 200) return complete ? null : 'ANSWERED_EARLY';
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}
