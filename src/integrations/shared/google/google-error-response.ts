import { pauseAfter } from '../../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  ClientRefused,
  RateLimited,
  type SourceError,
  Transient,
} from '../../core/source-errors';
import type { ErrorResponse } from '../rest/rest-request';

/** Google's quotas are counted per minute. */
const PAUSE_SECONDS = 60;
/** A daily quota is reset at an unknown midnight; checking once an hour is sufficient. */
const LONG_PAUSE_SECONDS = 3600;

/** The used part of the body of Google's errors. */
interface ErrorBody {
  readonly error?: {
    readonly message?: unknown;
    readonly errors?: unknown;
    readonly details?: unknown;
  };
}

/** An error response of a Google API, with the classification that all of these APIs share ("Resolve errors" of each API). */
export class GoogleErrorResponse {
  /** Google's reasons: `error.errors[].reason`, or newer ones in `error.details[].reason`. */
  readonly reasons: readonly string[];
  /** A description for operators and logs; codes only. */
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

  /**
   * The meaning that is common to all APIs: a limit, an insufficient consent, an error of our OAuth client, an outage. Null when it
   * depends on the API.
   */
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
    // This reason is used for both quotas: that of the user and that of the operator's project, which all connections share.
    const isLimit = this.has('rateLimitExceeded', 'RATE_LIMIT_EXCEEDED');
    if (!isLimit) return this.status === 429 ? new RateLimited(this.summary, pause) : null;
    const isOfProject = this.status !== 429 && !/per user|^user[- ]rate/i.test(this.message);
    return new RateLimited(this.summary, pause, { scope: isOfProject ? 'provider' : 'connection' });
  }

  private permissionError(): SourceError | null {
    if (this.has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
      return new AuthorizationRevoked(this.summary, 'SCOPE_MISSING');
    }
    // The API is disabled in the operator's project, or the project is suspended.
    if (this.has('accessNotConfigured', 'SERVICE_DISABLED', 'CONSUMER_SUSPENDED'))
      return new ClientRefused(this.summary);
    // An administrator of the user's organization denies access.
    return this.has('domainPolicy') ? new AuthorizationRevoked(this.summary, 'CONSENT_REVOKED') : null;
  }

  /** The pause in seconds. Gmail states the end of the pause in the message. */
  private pause(now: Date): number {
    const until = Date.parse(/retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)/i.exec(this.message)?.[1] ?? '');
    const stated = Number.isNaN(until) ? PAUSE_SECONDS : Math.ceil((until - now.getTime()) / 1000);
    return pauseAfter(this.response.headers['retry-after'], now, Math.min(Math.max(stated, 1), LONG_PAUSE_SECONDS));
  }
}
