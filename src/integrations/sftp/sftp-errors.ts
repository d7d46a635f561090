import { isAddressNotAllowed } from '../../platform/network/network';
import { SelectionNotFound, InvalidCredentials, SourceError, Transient } from '../core/source-errors';

/** Status codes of the protocol (draft-ietf-secsh-filexfer-02, section 7). */
export const STATUS = { EOF: 1, NO_SUCH_FILE: 2, PERMISSION_DENIED: 3 } as const;

/** RFC 4253 section 11.1: no offered authentication method has succeeded. */
const NO_MORE_AUTH_METHODS = 14;

/** Classifies a failed connection. Messages contain codes only, because a server's text may repeat the login. */
export function classifyConnecting(error: unknown, what: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  const { level, code } = (error ?? {}) as { level?: unknown; code?: unknown };
  // The level of ssh2 after all offered methods were rejected; a connection that breaks has another level.
  if (level === 'client-authentication' || code === NO_MORE_AUTH_METHODS) {
    return new InvalidCredentials(`${what}: the login was refused.`);
  }
  const details = [level, code].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
  return new Transient(`${what}: no connection${details && ` (${details})`}.`, { cause: error });
}

/** Classifies a rejected request. Returns errors that are not a response of the server unchanged. */
export function classifyAnswer(error: unknown, what: string): unknown {
  const status = statusOf(error);
  if (status === undefined) return error;
  if (status === STATUS.NO_SUCH_FILE || status === STATUS.PERMISSION_DENIED) {
    return new SelectionNotFound(`${what}: does not exist, or no access (status ${status}).`);
  }
  return new Transient(`${what} failed (status ${status}).`);
}

/** The server's status code, when the error is a response of the server. */
export function statusOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof Error && !(error instanceof SourceError) && typeof code === 'number' ? code : undefined;
}
