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

const parse = (response: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Google Drive', response);

/** What a refusal means that is not about a single document (the Drive API's "Resolve errors"). */
export function classify(response: ErrorResponse): SourceError {
  const error = parse(response);
  const general = error.classifyCommon();
  if (general) return general;
  if (error.has('appNotAuthorizedToFile')) return new AuthorizationRevoked(error.summary, 'CONSENT_REVOKED');
  return error.status === 404 || error.status === 403
    ? new SelectionNotFound(error.summary)
    : new UnexpectedResponse(error.summary);
}

/** What a refusal means when the list of changes is asked with a stored token: one that Google no longer knows is of no use. */
export function classifyChanges(response: ErrorResponse): SourceError {
  const isToken = response.status === 400 || response.status === 404 || response.status === 410;
  return isToken
    ? new CursorInvalid(`Google Drive no longer knows the place in its list of changes (${response.status}).`)
    : classify(response);
}

/** What will not be given out by a later fetch either. */
const PERMANENT_REASONS = [
  'exportSizeLimitExceeded',
  'fileNotExportable',
  'cannotExportFile',
  'fileNotDownloadable',
  'cannotDownloadAbusiveFile',
  'cannotDownloadFile',
  'malwareOrSpam',
];

/** What a refusal means for one document: it does not cost the others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const error = parse(response);
  if (error.has(...PERMANENT_REASONS)) return new DocumentRefused(error.summary);
  if (error.status === 404 || error.status === 410) return new DocumentUnavailable(error.summary, true);
  if (error.has('downloadQuotaExceeded')) return new DocumentUnavailable(error.summary, false);
  const general = classify(response);
  return general instanceof SelectionNotFound ? new DocumentUnavailable(error.summary, false) : general;
}
