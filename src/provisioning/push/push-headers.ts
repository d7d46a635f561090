import type { PushTarget } from '../shared/client-auth';
import type { SignatureHeaders } from '../shared/sign';

/** The headers of a push (decisions 6), with a body of a length in bytes. */
export const pushHeaders = (
  { headers }: Pick<PushTarget, 'headers'>,
  signature: SignatureHeaders,
  transactionUuid: string,
  length: number,
): Record<string, string> => ({
  ...headers,
  ...signature,
  'content-type': 'application/json',
  'content-length': String(length),
  'idempotency-key': transactionUuid,
  'user-agent': 'Docfetch',
});
