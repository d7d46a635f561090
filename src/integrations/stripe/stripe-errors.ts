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
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const { error } = (response.body ?? {}) as { error?: { code?: unknown } };
  const code = typeof error?.code === 'string' && /^\w{1,64}$/.test(error.code) ? ` (${error.code})` : '';
  const what = `Stripe answers ${status}${code}.`;
  if (status === 401) return new InvalidCredentials(what);
  if (status === 403) return new PermissionMissing(what);
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 || status === 408 || status === 409 ? new Transient(what) : new UnexpectedResponse(what);
}

/** What a refusal means for one document, or for the address of its PDF. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const isGone = response.status === 404 || response.status === 410;
  return isGone ? new DocumentUnavailable('Stripe no longer has this document.', true) : classify(response);
}

/** The address of a PDF is good without a key: a refusal there says nothing of ours. */
export function classifyPdf(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `Stripe does not give out the PDF (${status}).`;
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 ? new Transient(what) : new DocumentUnavailable(what, false);
}
