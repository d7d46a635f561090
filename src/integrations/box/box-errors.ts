import { pauseAfter } from '../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  DocumentUnavailable,
  RateLimited,
  type SourceError,
  Transient,
} from '../core/source-errors';
import type { ErrorResponse } from '../shared/rest/rest-request';

/** For a pause without a stated duration. */
const PAUSE_SECONDS = 60;

/** A file that is still being uploaded or prepared: Box states when to retry (202). */
export class NotReady extends DocumentUnavailable {
  constructor(readonly retryAfterSeconds: number) {
    super('Box has not yet prepared this file for download.', false);
  }
}

/** The `code` of Box's error body; empty without one. */
function codeOf(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : '';
}

/** Classifies an error response that does not concern a single document (Box's guide "Common errors"). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const code = codeOf(response.body);
  const what = `Box answers ${status}${code && ` (${code})`}.`;
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  if (code === 'insufficient_scope') return new AuthorizationRevoked(what, 'SCOPE_MISSING');
  // Deleted, in the trash, or no longer shared with the user.
  if (status === 404 || status === 403) return new SelectionNotFound(what);
  return status >= 500 || status === 408 ? new Transient(what) : new UnexpectedResponse(what);
}

/** Classifies an error response for one document, so that it does not affect others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status, isFromRedirect } = response;
  // The redirect target is valid for a short time; the next attempt gets another one.
  if (isFromRedirect && status < 500 && status !== 429) {
    return new DocumentUnavailable(`Box redirected to an address that answers ${status}.`, false);
  }
  if (status === 202) return new NotReady(pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  const general = classify(response);
  if (!(general instanceof SelectionNotFound)) return general;
  return new DocumentUnavailable(
    `Box does not deliver this file (${status} ${codeOf(response.body)}).`,
    status === 404,
  );
}
