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
import type { ErrorResponse } from '../shared/rest/rest-request';

const parse = (response: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Google Drive', response);

/** Classifies an error response that does not concern a single document (the Drive API's "Resolve errors"). */
export function classify(response: ErrorResponse): SourceError {
  const error = parse(response);
  const general = error.classifyCommon();
  if (general) return general;
  if (error.has('appNotAuthorizedToFile')) return new AuthorizationRevoked(error.summary, 'CONSENT_REVOKED');
  return error.status === 404 || error.status === 403
    ? new SelectionNotFound(error.summary)
    : new UnexpectedResponse(error.summary);
}

/** Classifies an error response to a stored change token, which Google may no longer know. */
export function classifyChanges(response: ErrorResponse): SourceError {
  const isToken = response.status === 400 || response.status === 404 || response.status === 410;
  return isToken
    ? new CursorInvalid(`Google Drive no longer knows the change token (${response.status}).`)
    : classify(response);
}

/** Reasons for which a later fetch would fail, too. */
const PERMANENT_REASONS = [
  'exportSizeLimitExceeded',
  'fileNotExportable',
  'cannotExportFile',
  'fileNotDownloadable',
  'cannotDownloadAbusiveFile',
  'cannotDownloadFile',
  'malwareOrSpam',
];

/** Classifies an error response for one document, so that it does not affect others. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const error = parse(response);
  if (error.has(...PERMANENT_REASONS)) return new DocumentRefused(error.summary);
  if (error.status === 404 || error.status === 410) return new DocumentUnavailable(error.summary, true);
  if (error.has('downloadQuotaExceeded')) return new DocumentUnavailable(error.summary, false);
  const general = classify(response);
  return general instanceof SelectionNotFound ? new DocumentUnavailable(error.summary, false) : general;
}
