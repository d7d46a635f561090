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

/** The pause after 429; the limits are not published. */
const PAUSE_SECONDS = 60;

/** Classifies an error response that does not concern a single document ("HTTP status codes" in the API documentation). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `sevdesk answers ${status}.`;
  if (status === 401) return new InvalidCredentials(what);
  if (status === 403) return new PermissionMissing(what);
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 || status === 408 ? new Transient(what) : new UnexpectedResponse(what);
}

/** Classifies an error response for one document, so that it does not affect others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `sevdesk does not deliver this document (${status}).`;
  // "400: Invoice was not found"
  if (status === 400 || status === 404) return new DocumentUnavailable(what, true);
  // A 500 may be an unhandled 400: classified as an outage it would stop every fetch.
  if (status === 500) return new DocumentUnavailable(what, false);
  return classify(response);
}
