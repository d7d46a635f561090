import {
  UnexpectedResponse,
  CursorInvalid,
  DocumentUnavailable,
  PermissionMissing,
  type SourceError,
} from '../core/source-errors';
import { GoogleErrorResponse } from '../shared/google/google-error-response';
import type { ErrorResponse } from '../shared/rest/rest-client';

const read = (refusal: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Gmail', refusal);

/** What a refusal means that is not about a single mail (the Gmail API's "Resolve errors"). */
export function classify(refusal: ErrorResponse): SourceError {
  const told = read(refusal);
  const general = told.general();
  if (general) return general;
  // A Google account without a mailbox: its organisation has Gmail switched off, or has never had it.
  const hasNoMailbox = told.status === 400 && told.has('failedPrecondition');
  return told.status === 403 || hasNoMailbox ? new PermissionMissing(told.what) : new UnexpectedResponse(told.what);
}

/** What a refusal means when the history is asked from a stored place: it is kept for a week, sometimes for hours. */
export function classifyHistory(refusal: ErrorResponse): SourceError {
  return refusal.status === 404
    ? new CursorInvalid('Gmail no longer knows the place in the history of the mailbox.')
    : classify(refusal);
}

/** What a refusal means when a further page of mails is asked for: the token may be one of long ago. */
export function classifyPage(refusal: ErrorResponse): SourceError {
  const general = classify(refusal);
  return general instanceof UnexpectedResponse && refusal.status < 500
    ? new CursorInvalid(`Gmail no longer knows the page of a listing (${refusal.status}).`)
    : general;
}

/** What a refusal means for one mail: it may have been deleted a moment ago. */
export function classifyMessage(refusal: ErrorResponse): SourceError {
  return refusal.status === 404 || refusal.status === 410
    ? new DocumentUnavailable('Gmail: the mail is no longer there.', true)
    : classify(refusal);
}

/** What a refusal means for one attachment. An id that is no longer good is answered with 400. */
export function classifyDocument(refusal: ErrorResponse): SourceError {
  const general = classifyMessage(refusal);
  return refusal.status === 400 && general instanceof UnexpectedResponse
    ? new DocumentUnavailable('Gmail does not know the attachment by this id.', true)
    : general;
}
