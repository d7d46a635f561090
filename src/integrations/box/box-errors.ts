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
import type { ErrorResponse } from '../shared/rest/rest-client';

/** For an answer that asks for a pause without saying how long. */
const PAUSE_SECONDS = 60;

/** A file that has just been uploaded, or is still being made: Box says when to ask again (202). */
export class NotReady extends DocumentUnavailable {
  constructor(readonly retryAfterSeconds: number) {
    super('Box is not ready to give this file out.', false);
  }
}

/** Why, in Box's words: `code` of its error body. Empty when it does not say. */
function codeOf(body: unknown): string {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : '';
}

/** What a refusal means that is not about a single document (Box's guide "Common errors"). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const code = codeOf(response.body);
  const what = `Box answers ${status}${code && ` (${code})`}.`;
  if (status === 429)
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  if (code === 'insufficient_scope') return new AuthorizationRevoked(what, 'SCOPE_MISSING');
  // No longer there, in the bin, or no longer shared with the user.
  if (status === 404 || status === 403) return new SelectionNotFound(what);
  return status >= 500 || status === 408 ? new Transient(what) : new UnexpectedResponse(what);
}

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status, isFromRedirect: isElsewhere } = response;
  // The address that Box has led to is good for a short time; the next try gets another one.
  if (isElsewhere && status < 500 && status !== 429) {
    return new DocumentUnavailable(`Box has led to an address that answers ${status}.`, false);
  }
  if (status === 202) return new NotReady(pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  const general = classify(response);
  if (!(general instanceof SelectionNotFound)) return general;
  return new DocumentUnavailable(
    `Box does not give this file out (${status} ${codeOf(response.body)}).`,
    status === 404,
  );
}
