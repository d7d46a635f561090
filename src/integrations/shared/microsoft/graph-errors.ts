import { pauseAfter } from '../../../platform/network/retry-after';
import {
  SelectionNotFound,
  UnexpectedResponse,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  PermissionMissing,
  RateLimited,
  type SourceError,
  Transient,
} from '../../core/source-errors';
import type { ErrorResponse } from '../rest/rest-client';

/** Graph tells with almost every 429; where it does not, its windows are minutes. */
const PAUSE_SECONDS = 60;
/** A delta link that has ended, or that belongs to a mailbox or library that was moved since. */
const STALE_CURSOR_CODES = [
  'resyncRequired',
  'resyncChangesApplyDifferences',
  'resyncChangesUploadDifferences',
  'syncStateNotFound',
  'syncStateInvalid',
  'ErrorInvalidSyncStateData',
];

/** Why, in Graph's words: `error.code`, and the more exact ones in `error.innerError`, outermost first. */
export function codesOf(body: unknown): string[] {
  const codes: string[] = [];
  let at: unknown = (body as { error?: unknown } | null)?.error;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, innerError, innererror } = at as Record<string, unknown>;
    if (typeof code === 'string' && /^[\w.]{1,80}$/.test(code)) codes.push(code);
    at = innerError ?? innererror;
  }
  return codes;
}

const has = (codes: readonly string[], some: readonly string[]): boolean =>
  codes.some((code) => some.some((one) => one.toLowerCase() === code.toLowerCase()));

const describe = ({ status, body }: ErrorResponse): string => {
  const codes = codesOf(body);
  return `Microsoft Graph answers ${status}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}.`;
};

/** What a refusal means that is not about a single document ("Microsoft Graph error responses and resource types"). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = describe(response);
  const isPause = status === 429 || status === 509 || (status === 503 && response.headers['retry-after'] !== undefined);
  if (isPause) return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  if (status === 403) return new PermissionMissing(what);
  if (status === 404) return new SelectionNotFound(what);
  // 423: an administrator has locked the site for a while.
  return status >= 500 || status === 408 || status === 423 ? new Transient(what) : new UnexpectedResponse(what);
}

/** What a refusal means when something is looked up by an id that a user has sent: one that is none at all is 400. */
export function classifyLookUp(response: ErrorResponse): SourceError {
  return response.status === 400 ? new SelectionNotFound(describe(response)) : classify(response);
}

/** What a refusal means when a stored delta link is followed: one that Graph no longer knows is of no use. */
export function classifyDelta(response: ErrorResponse): SourceError {
  const isStale = response.status === 410 || (response.status < 500 && has(codesOf(response.body), STALE_CURSOR_CODES));
  return isStale ? new CursorInvalid(describe(response)) : classify(response);
}

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status, isFromRedirect: isElsewhere } = response;
  const what = describe(response);
  const codes = codesOf(response.body);
  if (has(codes, ['malwareDetected', 'notSupported'])) return new DocumentRefused(what);
  if (has(codes, ['ErrorInvalidAttachmentId'])) return new DocumentUnavailable(what, true);
  // The address that a download was sent to is good for minutes: the next fetch gets another.
  if (isElsewhere === true && status < 500 && status !== 429) return new DocumentUnavailable(what, false);
  if (status === 404 || status === 410) return new DocumentUnavailable(what, true);
  const general = classify(response);
  return general instanceof PermissionMissing || general instanceof UnexpectedResponse
    ? new DocumentUnavailable(what, false)
    : general;
}
