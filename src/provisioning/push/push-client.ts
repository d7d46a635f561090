import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { isUnavailable } from '../../platform/availability/storage-unavailable';
import { GuardedNetwork } from '../../platform/network/guarded-network';
import { retryAfter } from '../../platform/network/retry-after';
import { networkErrorCode } from '../shared/network-error-code';
import { pushHeaders } from './push-headers';
import { type PushMessage, PreparedPush, type SignedBody } from './prepared-push';
import { post } from '../shared/post';
import { UploadTracker, PushBodyFactory } from './push-body';
import { PushLimits } from '../shared/push-limits';
import { type PushTarget, redactSecret } from '../shared/client-auth';

/**
 * Errors of this service, not of the endpoint: the content could not be read; the service was stopped during the
 * attempt.
 */
export const CONTENT_UNREADABLE = 'CONTENT_UNREADABLE';
export const PUSH_INTERRUPTED = 'INTERRUPTED';

/** The result of an attempt: delivered exactly when `errorCode` is null. */
export interface PushResult {
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly retryAfterSeconds: number | null;
  readonly responseExcerpt: string | null;
  readonly durationMs: number;
  /** An error of this service, for the log only. */
  readonly internalError?: unknown;
}

/** Options of one request. */
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

  /** Starts preparing a document, unless it is a long one. */
  prepare(message: PushMessage): PreparedPush {
    return new PreparedPush(message, this.bodies, this.clock);
  }

  /**
   * Returns null when nothing was sent because the document is no longer due. Never rejects because of the client or of
   * `signal`. `onRequestStart` is called when the work that uses the database and the processor is done and only the
   * endpoint is waited for. With `expectPromptResponse`, a short body is kept until the response.
   * @throws when the database is unavailable: no result can be recorded, and the document stays due
   */
  async deliver(
    target: PushTarget,
    prepared: PreparedPush,
    signal: AbortSignal,
    { expectPromptResponse, onRequestStart }: PushOptions = {
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
    const unreadable = (internalError: unknown): PushResult => {
      if (isUnavailable(internalError)) throw internalError;
      return { ...failed(CONTENT_UNREADABLE), internalError };
    };

    let ready: SignedBody | null;
    try {
      ready = await prepared.signedBody();
    } catch (error) {
      return unreadable(error);
    }
    if (!ready) return null;
    const { body, signature } = ready;
    const upload = new UploadTracker(body, expectPromptResponse);
    try {
      onRequestStart();
      const headers = pushHeaders(target, signature, prepared.message.transactionUuid, body.length);
      const { idleTimeoutMs } = this.limits;
      const { status, excerpt, ...answer } = await post(
        this.network.dispatcherOf(prepared.message.environmentUuid),
        { url: target.url, headers, body: upload.body },
        {
          totalMs: this.limits.totalTimeoutMsFor(body.length),
          idleMs: idleTimeoutMs,
          responseMs: () => idleTimeoutMs - upload.msSinceComplete(),
          signal,
        },
      );
      if (upload.complete) body.release();
      return ended({
        status,
        errorCode: errorCodeOf(status, upload.complete),
        retryAfterSeconds:
          status === 429 || status === 503 ? retryAfter(answer.headers['retry-after'], this.clock.now()) : null,
        responseExcerpt: redactSecret(excerpt, target),
      });
    } catch (error) {
      return upload.readError ? unreadable(upload.readError) : failed(networkErrorCode(error));
    }
  }
}

/** decisions 6: only 200 is success, and not one sent before the whole document was received. */
export function errorCodeOf(status: number, complete: boolean): string | null {
  if (status === 200) return complete ? null : 'ANSWERED_EARLY';
  return status >= 300 && status < 400 ? 'REDIRECT_REFUSED' : 'UNEXPECTED_STATUS';
}
