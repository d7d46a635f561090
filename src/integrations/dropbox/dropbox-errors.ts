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
import type { ErrorResponse } from '../shared/rest/rest-client';

/** Dropbox says how long a pause is to be; this is for an answer that does not. */
const PAUSE_SECONDS = 60;

/** A value of a union, as the API writes it: `{".tag": "path", "path": {".tag": "not_found"}}`. */
type Tagged = { readonly '.tag'?: unknown } & Readonly<Record<string, unknown>>;

/** Why, in Dropbox's words: `path/not_found`. Empty when it does not say. */
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

/** What a refusal means that is not about a single document (the HTTP documentation's "Errors by status code"). */
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
  // The user has come into, or left, a team: the next session asks anew where everything is.
  if (status === 422 || status === 408 || status >= 500) return new Transient(what);
  return new UnexpectedResponse(what);
}

/** What it means that a fresh token is refused: `invalid_access_token`, `user_suspended`, or a right that was never given. */
export function unauthorized({ status, body }: ErrorResponse): SourceError {
  const reason = reasonOf(body);
  return new AuthorizationRevoked(describe(status, reason), reason === 'missing_scope' ? 'SCOPE_MISSING' : undefined);
}

/** What a refusal means when a stored cursor is asked with: one that Dropbox no longer knows is of no use (409 `reset`). */
export function classifyContinue(response: ErrorResponse): SourceError {
  const isCursor = response.status === 400 || reasonOf(response.body) === 'reset';
  return isCursor
    ? new CursorInvalid(`Dropbox no longer knows the place in its list of changes (${response.status}).`)
    : classify(response);
}

/** May be over at the next try. */
const TRANSIENT_REASONS = ['path/locked', 'retry_error'];

/** Held back, by law or by its owner, or of a kind that has no bytes to give. */
const PERMANENT_REASONS = ['path/restricted_content', 'path/unsupported_content_type', 'unsupported_file'];

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const reason = reasonOf(response.body);
  if (response.status !== 409 && response.status !== 403) return classify(response);
  const what = `Dropbox does not give this file out (${response.status} ${reason}).`;
  if (PERMANENT_REASONS.includes(reason)) return new DocumentRefused(what);
  return new DocumentUnavailable(what, response.status === 409 && !TRANSIENT_REASONS.includes(reason));
}
