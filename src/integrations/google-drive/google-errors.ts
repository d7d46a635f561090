import {
  AuthorizationRevoked,
  ClientRefused,
  ConfigurationGone,
  ContractBroken,
  CursorInvalid,
  DocumentUnavailable,
  RateLimited,
  type SourceError,
  Temporary,
} from '../source-errors';
import { type Refusal, retryAfter } from '../shared/rest/rest-client';

/** Google's quotas are counted by the minute. */
const PAUSE_SECONDS = 60;
/** What is used up for the day comes back at some midnight; an hour is soon enough to look. */
const LONG_PAUSE_SECONDS = 3600;

/** Why, in Google's words: `error.errors[].reason`, or newer ones in `error.details[].reason`. */
export function reasonsOf(body: unknown): string[] {
  const { error } = (body ?? {}) as { error?: { errors?: unknown; details?: unknown } };
  const lists = [error?.errors, error?.details].filter((list) => Array.isArray(list));
  return lists.flat().flatMap((entry: { reason?: unknown } | null) => {
    const reason = entry?.reason;
    return typeof reason === 'string' && /^\w{1,64}$/.test(reason) ? [reason] : [];
  });
}

/** What a refusal means that is not about a single document (the Drive API's "Resolve errors"). */
export function classify(refusal: Refusal): SourceError {
  const { status } = refusal;
  const reasons = reasonsOf(refusal.body);
  const has = (...some: string[]) => reasons.some((reason) => some.includes(reason));
  const what = `Google Drive answers ${status}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}.`;
  const pause = retryAfter(refusal, new Date(), PAUSE_SECONDS);
  if (has('userRateLimitExceeded', 'sharingRateLimitExceeded')) return new RateLimited(what, pause);
  // The quota of the operator's project: everybody's.
  if (has('rateLimitExceeded', 'RATE_LIMIT_EXCEEDED')) return new RateLimited(what, pause, { scope: 'provider' });
  if (has('dailyLimitExceeded', 'quotaExceeded')) {
    return new RateLimited(what, Math.max(pause, LONG_PAUSE_SECONDS), { scope: 'provider' });
  }
  if (status === 429) return new RateLimited(what, pause);
  if (has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
    return new AuthorizationRevoked(what, 'SCOPE_MISSING');
  }
  // The API is switched off in the operator's project, or the project is.
  if (has('accessNotConfigured', 'SERVICE_DISABLED', 'CONSUMER_SUSPENDED')) return new ClientRefused(what);
  if (has('domainPolicy', 'appNotAuthorizedToFile')) return new AuthorizationRevoked(what, 'CONSENT_REVOKED');
  if (status === 404) return new ConfigurationGone(what);
  if (status === 403) return new ConfigurationGone(what);
  return status >= 500 || status === 408 ? new Temporary(what) : new ContractBroken(what);
}

/** What a refusal means when the list of changes is asked with a stored token: one that Google no longer knows is of no use. */
export function classifyChanges(refusal: Refusal): SourceError {
  const isToken = refusal.status === 400 || refusal.status === 404 || refusal.status === 410;
  return isToken
    ? new CursorInvalid(`Google Drive no longer knows the place in its list of changes (${refusal.status}).`)
    : classify(refusal);
}

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(refusal: Refusal): SourceError {
  const reasons = reasonsOf(refusal.body);
  const has = (...some: string[]) => reasons.some((reason) => some.includes(reason));
  const what = `Google Drive does not give this file out (${refusal.status} ${reasons.join(', ')}).`;
  if (has('exportSizeLimitExceeded', 'fileNotExportable', 'cannotExportFile', 'fileNotDownloadable')) {
    return new DocumentUnavailable(what, true);
  }
  if (has('cannotDownloadAbusiveFile', 'cannotDownloadFile', 'malwareOrSpam'))
    return new DocumentUnavailable(what, true);
  if (has('downloadQuotaExceeded')) return new DocumentUnavailable(what, false);
  if (refusal.status === 404 || refusal.status === 410) return new DocumentUnavailable(what, true);
  const general = classify(refusal);
  return general instanceof ConfigurationGone ? new DocumentUnavailable(what, false) : general;
}
