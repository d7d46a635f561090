import { pauseAfter } from '../../platform/network/retry-after';
import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  PermissionMissing,
  RateLimited,
  type SourceError,
  Transient,
} from '../core/source-errors';
import type { ErrorResponse } from '../shared/rest/rest-request';

/** For a pause without a stated duration, which is rare. */
const PAUSE_SECONDS = 60;

/** A value of a union, as the API writes it: `{".tag": "path", "path": {".tag": "not_found"}}`. */
type Tagged = { readonly '.tag'?: unknown } & Readonly<Record<string, unknown>>;

/** Dropbox's error tags, joined: `path/not_found`. Empty without tags. */
export function reasonOf(body: unknown): string {
  const tags: string[] = [];
  let at = (body as { error?: Tagged } | null)?.error;
  while (typeof at === 'object' && typeof at?.['.tag'] === 'string' && /^\w{1,64}$/.test(at['.tag'])) {
    tags.push(at['.tag']);
    at = at[at['.tag']] as Tagged | undefined;
  }
  return tags.join('/');
}

const describe = (status: number, reason: string): string => `Dropbox answers ${status}${reason && ` (${reason})`}.`;

/** Classifies an error response that does not concern a single document (the HTTP documentation's "Errors by status code"). */
export function classify(response: ErrorResponse): SourceError {
  const { status, body } = response;
  const reason = reasonOf(body);
  const what = describe(status, reason);
  if (status === 429) {
    const { retry_after: given } = (body as { error?: { retry_after?: unknown } } | null)?.error ?? {};
    const otherwise = typeof given === 'number' && given > 0 ? Math.ceil(given) : PAUSE_SECONDS;
    return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), otherwise));
  }
  if (status === 409 && reason.startsWith('path/')) return new SelectionNotFound(what);
  if (status === 403) return new PermissionMissing(what);
  // 422: the user has joined or left a team; the next session determines the root again.
  if (status === 422 || status === 408 || status >= 500) return new Transient(what);
  return new UnexpectedResponse(what);
}

/** Classifies the rejection of a fresh token: `invalid_access_token`, `user_suspended`, or a scope that was never granted. */
export function unauthorized({ status, body }: ErrorResponse): SourceError {
  const reason = reasonOf(body);
  return new AuthorizationRevoked(describe(status, reason), reason === 'missing_scope' ? 'SCOPE_MISSING' : undefined);
}

/** Classifies an error response to a stored cursor, which Dropbox may no longer know (409 `reset`). */
export function classifyContinue(response: ErrorResponse): SourceError {
  const isCursor = response.status === 400 || reasonOf(response.body) === 'reset';
  return isCursor ? new CursorInvalid(`Dropbox no longer knows the cursor (${response.status}).`) : classify(response);
}

/** Errors that may be over at the next attempt. */
const TRANSIENT_REASONS = ['path/locked', 'retry_error'];

/** Blocked for legal reasons or by the owner, or of a type without downloadable content. */
const PERMANENT_REASONS = ['path/restricted_content', 'path/unsupported_content_type', 'unsupported_file'];

/** Classifies an error response for one document, so that it does not affect others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const reason = reasonOf(response.body);
  if (response.status !== 409 && response.status !== 403) return classify(response);
  const what = `Dropbox does not deliver this file (${response.status} ${reason}).`;
  if (PERMANENT_REASONS.includes(reason)) return new DocumentRefused(what);
  return new DocumentUnavailable(what, response.status === 409 && !TRANSIENT_REASONS.includes(reason));
}
