import {
  AuthorizationRevoked,
  SelectionNotFound,
  UnexpectedResponse,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  type SourceError,
} from '../core/source-errors';
import { GoogleErrorResponse } from '../shared/google/google-error-response';
import type { ErrorResponse } from '../shared/rest/rest-client';

const read = (refusal: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Google Drive', refusal);

/** What a refusal means that is not about a single document (the Drive API's "Resolve errors"). */
export function classify(refusal: ErrorResponse): SourceError {
  const told = read(refusal);
  const general = told.general();
  if (general) return general;
  if (told.has('appNotAuthorizedToFile')) return new AuthorizationRevoked(told.what, 'CONSENT_REVOKED');
  return told.status === 404 || told.status === 403
    ? new SelectionNotFound(told.what)
    : new UnexpectedResponse(told.what);
}

/** What a refusal means when the list of changes is asked with a stored token: one that Google no longer knows is of no use. */
export function classifyChanges(refusal: ErrorResponse): SourceError {
  const isToken = refusal.status === 400 || refusal.status === 404 || refusal.status === 410;
  return isToken
    ? new CursorInvalid(`Google Drive no longer knows the place in its list of changes (${refusal.status}).`)
    : classify(refusal);
}

/** What will not be given out by a later fetch either. */
const NEVER = [
  'exportSizeLimitExceeded',
  'fileNotExportable',
  'cannotExportFile',
  'fileNotDownloadable',
  'cannotDownloadAbusiveFile',
  'cannotDownloadFile',
  'malwareOrSpam',
];

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(refusal: ErrorResponse): SourceError {
  const told = read(refusal);
  if (told.has(...NEVER)) return new DocumentRefused(told.what);
  if (told.status === 404 || told.status === 410) return new DocumentUnavailable(told.what, true);
  if (told.has('downloadQuotaExceeded')) return new DocumentUnavailable(told.what, false);
  const general = classify(refusal);
  return general instanceof SelectionNotFound ? new DocumentUnavailable(told.what, false) : general;
}
