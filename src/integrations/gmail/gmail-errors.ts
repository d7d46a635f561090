import {
  UnexpectedResponse,
  CursorInvalid,
  DocumentUnavailable,
  PermissionMissing,
  type SourceError,
} from '../core/source-errors';
import { GoogleErrorResponse } from '../shared/google/google-error-response';
import type { ErrorResponse } from '../shared/rest/rest-client';

const parse = (response: ErrorResponse): GoogleErrorResponse => new GoogleErrorResponse('Gmail', response);

/** What a refusal means that is not about a single mail (the Gmail API's "Resolve errors"). */
export function classify(response: ErrorResponse): SourceError {
  const error = parse(response);
  const general = error.classifyCommon();
  if (general) return general;
  // A Google account without a mailbox: its organisation has Gmail switched off, or has never had it.
  const hasNoMailbox = error.status === 400 && error.has('failedPrecondition');
  return error.status === 403 || hasNoMailbox
    ? new PermissionMissing(error.summary)
    : new UnexpectedResponse(error.summary);
}

/** What a refusal means when the history is asked from a stored place: it is kept for a week, sometimes for hours. */
export function classifyHistory(response: ErrorResponse): SourceError {
  return response.status === 404
    ? new CursorInvalid('Gmail no longer knows the place in the history of the mailbox.')
    : classify(response);
}

/** What a refusal means when a further page of mails is asked for: the token may be one of long ago. */
export function classifyPage(response: ErrorResponse): SourceError {
  const general = classify(response);
  return general instanceof UnexpectedResponse && response.status < 500
    ? new CursorInvalid(`Gmail no longer knows the page of a listing (${response.status}).`)
    : general;
}

/** What a refusal means for one mail: it may have been deleted a moment ago. */
export function classifyMessage(response: ErrorResponse): SourceError {
  return response.status === 404 || response.status === 410
    ? new DocumentUnavailable('Gmail: the mail is no longer there.', true)
    : classify(response);
}

/** What a refusal means for one attachment. An id that is no longer good is answered with 400. */
export function classifyDocument(response: ErrorResponse): SourceError {
  const general = classifyMessage(response);
  return response.status === 400 && general instanceof UnexpectedResponse
    ? new DocumentUnavailable('Gmail does not know the attachment by this id.', true)
    : general;
}
