import type { DeliveryError } from '../transactions/transaction.entity';

/** In English: it is for the developers who run the client's endpoint. */
const SENTENCES: Readonly<Record<string, string>> = {
  REDIRECT_REFUSED: 'The endpoint answered with a redirect, which is not followed.',
  ANSWERED_EARLY: 'The endpoint answered 200 before it had taken the whole document.',
  TIMEOUT: 'The endpoint did not answer in time.',
  NAME_NOT_FOUND: 'The name of the endpoint could not be resolved.',
  TLS_FAILED: 'No trusted TLS connection to the endpoint could be made.',
  ADDRESS_NOT_ALLOWED: 'The endpoint has an address that may not be reached.',
  CONTENT_UNREADABLE: 'The content of the document could not be read; we have been told.',
  DOCUMENT_PURGED: 'The document could not be delivered for as long as its content was kept.',
  CONNECTION_FAILED: 'The connection to the endpoint failed.',
};

/** What the delivery log and `last_error` say of an attempt that failed. */
export function deliveryError(code: string, status: number | null): DeliveryError {
  return { code, status, message: SENTENCES[code] ?? `The endpoint answered ${status} instead of 200.` };
}
