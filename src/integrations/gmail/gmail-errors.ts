import {
  UnexpectedResponse,
  CursorInvalid,
  DocumentUnavailable,
  PermissionMissing,
  type SourceError,
} from '../core/source-errors';
import { GoogleErrorResponse } from '../shared/google/google-error-response';
import type { ErrorResponse } from '../shared/rest/rest-request';

const parse = (response: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Gmail', response);

/** Classifies an error response that does not concern a single mail (the Gmail API's "Resolve errors"). */
export function classify(response: ErrorResponse): SourceError {
  const error = parse(response);
  const general = error.classifyCommon();
  if (general) return general;
  // A Google account without a mailbox: its organization does not use Gmail.
  const hasNoMailbox = error.status === 400 && error.has('failedPrecondition');
  return error.status === 403 || hasNoMailbox
    ? new PermissionMissing(error.summary)
    : new UnexpectedResponse(error.summary);
}

/** Classifies an error response to a stored history id: the history is kept for a week, sometimes only for hours. */
export function classifyHistory(response: ErrorResponse): SourceError {
  return response.status === 404 ? new CursorInvalid('Gmail no longer knows the history id.') : classify(response);
}

/** Classifies an error response to a stored page token, which may have expired. */
export function classifyPage(response: ErrorResponse): SourceError {
  const general = classify(response);
  return general instanceof UnexpectedResponse && response.status < 500
    ? new CursorInvalid(`Gmail no longer knows the page of a listing (${response.status}).`)
    : general;
}

/** Classifies an error response for one mail, which may have been deleted in the meantime. */
export function classifyMessage(response: ErrorResponse): SourceError {
  return response.status === 404 || response.status === 410
    ? new DocumentUnavailable('Gmail: the mail no longer exists.', true)
    : classify(response);
}

/** Classifies an error response for one attachment: 400 means an expired attachment id. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const general = classifyMessage(response);
  return response.status === 400 && general instanceof UnexpectedResponse
    ? new DocumentUnavailable('Gmail does not know the attachment by this id.', true)
    : general;
}
