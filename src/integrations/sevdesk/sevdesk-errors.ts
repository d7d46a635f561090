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

/** Its limits are not published. */
const PAUSE_SECONDS = 60;

/** What a refusal means that is not about a single document ("HTTP status codes" of the API's description). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `sevdesk answers ${status}.`;
  if (status === 401) return new InvalidCredentials(what);
  if (status === 403) return new PermissionMissing(what);
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  return status >= 500 || status === 408 ? new Transient(what) : new UnexpectedResponse(what);
}

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = `sevdesk does not give this document out (${status}).`;
  // "400: Invoice was not found"
  if (status === 400 || status === 404) return new DocumentUnavailable(what, true);
  // A 500 may be a 400 that they missed: it would stop every fetch if it were taken for a source that is away.
  if (status === 500) return new DocumentUnavailable(what, false);
  return classify(response);
}
