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

/** The limits are per second, and contention is short as well. */
const PAUSE_SECONDS = 10;

/** Classifies an error response that does not concern a single document. */
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

/** Classifies an error response for one document, or for the address of its PDF. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const isGone = response.status === 404 || response.status === 410;
  return isGone ? new DocumentUnavailable('Stripe no longer has this document.', true) : classify(response);
}

/** Classifies an error response for a PDF. Its address needs no key, so a rejection does not concern the key. */
export function classifyPdf(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `Stripe does not deliver the PDF (${status}).`;
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 ? new Transient(what) : new DocumentUnavailable(what, false);
}
