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
import type { ErrorResponse } from '../rest/rest-request';

/** For a 429 without `Retry-After`, which is rare; Graph's limits are per minutes. */
const PAUSE_SECONDS = 60;
/** Error codes of a delta link that has expired, or whose mailbox or library has been moved. */
const STALE_CURSOR_CODES = [
  'resyncRequired',
  'resyncChangesApplyDifferences',
  'resyncChangesUploadDifferences',
  'syncStateNotFound',
  'syncStateInvalid',
  'ErrorInvalidSyncStateData',
];

/** Graph's error codes: `error.code`, and the more exact ones in `error.innerError`, outermost first. */
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

/** Classifies an error response that does not concern a single document ("Microsoft Graph error responses and resource types"). */
export function classify(response: ErrorResponse): SourceError {
  const { status } = response;
  const what = describe(response);
  const isPause = status === 429 || status === 509 || (status === 503 && response.headers['retry-after'] !== undefined);
  if (isPause) return new RateLimited(what, pauseAfter(response.headers['retry-after'], new Date(), PAUSE_SECONDS));
  if (status === 403) return new PermissionMissing(what);
  if (status === 404) return new SelectionNotFound(what);
  // 423: an administrator has temporarily locked the site.
  return status >= 500 || status === 408 || status === 423 ? new Transient(what) : new UnexpectedResponse(what);
}

/** Classifies an error response to a lookup by an id from user input: 400 means a malformed id. */
export function classifyLookUp(response: ErrorResponse): SourceError {
  return response.status === 400 ? new SelectionNotFound(describe(response)) : classify(response);
}

/** Classifies an error response to a stored delta link, which Graph may no longer know. */
export function classifyDelta(response: ErrorResponse): SourceError {
  const isStale = response.status === 410 || (response.status < 500 && has(codesOf(response.body), STALE_CURSOR_CODES));
  return isStale ? new CursorInvalid(describe(response)) : classify(response);
}

/** Classifies an error response for one document, so that it does not affect others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const { status, isFromRedirect } = response;
  const what = describe(response);
  const codes = codesOf(response.body);
  if (has(codes, ['malwareDetected', 'notSupported'])) return new DocumentRefused(what);
  if (has(codes, ['ErrorInvalidAttachmentId'])) return new DocumentUnavailable(what, true);
  // The redirect target of a download is valid for minutes: the next fetch gets another one.
  if (isFromRedirect === true && status < 500 && status !== 429) return new DocumentUnavailable(what, false);
  if (status === 404 || status === 410) return new DocumentUnavailable(what, true);
  const general = classify(response);
  return general instanceof PermissionMissing || general instanceof UnexpectedResponse
    ? new DocumentUnavailable(what, false)
    : general;
}
