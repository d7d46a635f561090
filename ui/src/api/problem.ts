import { DocfetchConnectionError, DocfetchError } from '@docfetch/sdk';

/** Each kind has its own presentation. */
export type ProblemKind = 'network' | 'expired' | 'invalid-token' | 'not-found' | 'forbidden' | 'rejected' | 'server';

export interface Problem {
  readonly kind: ProblemKind;
  readonly code: string;
  /** The text of the service, in the user's language; null if there is none. */
  readonly detail: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly fieldErrors: readonly {
    readonly field: string;
    readonly code: string;
    readonly message: string;
    readonly fingerprint?: string;
  }[];
}

const NO_DETAILS = { detail: null, requestId: null, retryAfter: null, fieldErrors: [] };

/** No response was received. */
export const UNREACHABLE: Problem = { kind: 'network', code: 'NETWORK', ...NO_DETAILS };

export function problemOf(error: unknown): Problem {
  if (error instanceof DocfetchConnectionError || error instanceof TypeError) {
    return UNREACHABLE;
  }
  if (!(error instanceof DocfetchError)) return { kind: 'server', code: 'UNEXPECTED', ...NO_DETAILS };
  const { code, detail, requestId, retryAfter, errors } = error;
  return { kind: kindOf(error), code, detail, requestId, retryAfter, fieldErrors: errors };
}

/** For problems that are shown away from the fields. */
export const fieldMessagesOf = ({ fieldErrors }: Problem): string[] => fieldErrors.map(({ message }) => message);

function kindOf({ status, code }: DocfetchError): ProblemKind {
  if (code === 'TOKEN_EXPIRED') return 'expired';
  if (status === 401) return 'invalid-token';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  // A response that is not from the service, for example from a proxy that cannot reach it.
  if (code === 'UNEXPECTED_ANSWER') return status >= 500 ? 'network' : 'server';
  return status >= 500 ? 'server' : 'rejected';
}
