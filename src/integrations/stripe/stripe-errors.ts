import { pauseAfter } from '../../platform/network/retry-after';
import {
  UnexpectedResponse,
  DocumentUnavailable,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  type SourceError,
  Transient,
} from '../core/source-errors';
import type { ErrorResponse } from '../shared/rest/rest-client';

/** Its limits are counted by the second; what remains is contention, which is over soon as well. */
const PAUSE_SECONDS = 10;

/** What a refusal means that is not about a single document. */
export function classify(refusal: ErrorResponse): SourceError {
  const { status } = refusal;
  const { error } = (refusal.body ?? {}) as { error?: { code?: unknown } };
  const code = typeof error?.code === 'string' && /^\w{1,64}$/.test(error.code) ? ` (${error.code})` : '';
  const what = `Stripe answers ${status}${code}.`;
  if (status === 401) return new InvalidCredentials(what);
  if (status === 403) return new PermissionMissing(what);
  if (status === 429)
    return new RateLimited(what, pauseAfter(refusal.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 || status === 408 || status === 409 ? new Transient(what) : new UnexpectedResponse(what);
}

/** What a refusal means for one document, or for the address of its PDF. */
export function classifyDocument(refusal: ErrorResponse): SourceError {
  const isGone = refusal.status === 404 || refusal.status === 410;
  return isGone ? new DocumentUnavailable('Stripe no longer has this document.', true) : classify(refusal);
}

/** The address of a PDF is good without a key: a refusal there says nothing of ours. */
export function classifyPdf(refusal: ErrorResponse): SourceError {
  const { status } = refusal;
  const what = `Stripe does not give out the PDF (${status}).`;
  if (status === 429)
    return new RateLimited(what, pauseAfter(refusal.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 ? new Transient(what) : new DocumentUnavailable(what, false);
}
