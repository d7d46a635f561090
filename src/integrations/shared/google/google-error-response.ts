import { pauseAfter } from '../../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  ClientRefused,
  RateLimited,
  type SourceError,
  Transient,
} from '../../core/source-errors';
import type { ErrorResponse } from '../rest/rest-client';

/** Google's quotas are counted by the minute. */
const PAUSE_SECONDS = 60;
/** What is used up for the day comes back at some midnight; an hour is soon enough to look. */
const LONG_PAUSE_SECONDS = 3600;

/** The body of Google's errors, as far as it is looked at. */
interface ErrorBody {
  readonly error?: {
    readonly message?: unknown;
    readonly errors?: unknown;
    readonly details?: unknown;
  };
}

/** A refusal of one of Google's APIs: why, and what that means in all of them ("Resolve errors" of each API). */
export class GoogleErrorResponse {
  /** In Google's words: `error.errors[].reason`, or newer ones in `error.details[].reason`. */
  readonly reasons: readonly string[];
  /** For operators and logs; codes only. */
  readonly summary: string;
  private readonly message: string;

  constructor(
    provider: string,
    private readonly response: ErrorResponse,
  ) {
    const { error } = (response.body ?? {}) as ErrorBody;
    const lists = [error?.errors, error?.details].filter((list) => Array.isArray(list));
    this.reasons = lists.flat().flatMap((entry: { reason?: unknown } | null) => {
      const reason = entry?.reason;
      return typeof reason === 'string' && /^\w{1,64}$/.test(reason) ? [reason] : [];
    });
    this.message = typeof error?.message === 'string' ? error.message : '';
    const why = this.reasons.length > 0 ? ` (${this.reasons.join(', ')})` : '';
    this.summary = `${provider} answers ${response.status}${why}.`;
  }

  get status(): number {
    return this.response.status;
  }

  has(...some: string[]): boolean {
    return this.reasons.some((reason) => some.includes(reason));
  }

  /** What it means in every API: a limit, a consent that does not suffice, a fault of ours, an outage. Null: the API's own to say. */
  classifyCommon(now = new Date()): SourceError | null {
    return (
      this.rateLimit(now) ??
      this.permissionError() ??
      (this.status >= 500 || this.status === 408 ? new Transient(this.summary) : null)
    );
  }

  private rateLimit(now: Date): RateLimited | null {
    const pause = this.pause(now);
    if (this.has('dailyLimitExceeded', 'quotaExceeded')) {
      return new RateLimited(this.summary, Math.max(pause, LONG_PAUSE_SECONDS), { scope: 'provider' });
    }
    if (this.has('userRateLimitExceeded', 'sharingRateLimitExceeded')) return new RateLimited(this.summary, pause);
    // This reason is given for both quotas, that of the user and that of the operator's project, which is everybody's.
    const isLimit = this.has('rateLimitExceeded', 'RATE_LIMIT_EXCEEDED');
    if (!isLimit) return this.status === 429 ? new RateLimited(this.summary, pause) : null;
    const isOfProject = this.status !== 429 && !/per user|^user[- ]rate/i.test(this.message);
    return new RateLimited(this.summary, pause, { scope: isOfProject ? 'provider' : 'connection' });
  }

  private permissionError(): SourceError | null {
    if (this.has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
      return new AuthorizationRevoked(this.summary, 'SCOPE_MISSING');
    }
    // The API is switched off in the operator's project, or the project is.
    if (this.has('accessNotConfigured', 'SERVICE_DISABLED', 'CONSUMER_SUSPENDED'))
      return new ClientRefused(this.summary);
    // An administrator of the user's organisation does not let us in.
    return this.has('domainPolicy') ? new AuthorizationRevoked(this.summary, 'CONSENT_REVOKED') : null;
  }

  /** Seconds. Gmail says in the text until when. */
  private pause(now: Date): number {
    const until = Date.parse(/retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)/i.exec(this.message)?.[1] ?? '');
    const stated = Number.isNaN(until) ? PAUSE_SECONDS : Math.ceil((until - now.getTime()) / 1000);
    return pauseAfter(this.response.headers['retry-after'], now, Math.min(Math.max(stated, 1), LONG_PAUSE_SECONDS));
  }
}
