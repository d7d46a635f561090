import { FTPError } from 'basic-ftp';
import { isAddressNotAllowed } from '../../platform/network/network';
import { Unreachable, unreachableReason } from '../shared/reachability/unreachable-code';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import {
  SelectionNotFound,
  DocumentUnavailable,
  InvalidCredentials,
  SourceError,
  TooManyConnections,
  Transient,
} from '../core/source-errors';

/** RFC 959 section 4.2: not logged in; the requested item is unavailable. */
const NOT_LOGGED_IN = 530;
const UNAVAILABLE = 550;
const CLOSING = 421;
/** The control connection closes; the data connection failed or broke. */
const CONNECTION_LOST = new Set([CLOSING, 425, 426]);

/** Servers answer 530 and 421 also when they are full, or require TLS. */
const TOO_MANY_CONNECTIONS = /too many|maximum|limit|clients|connections|already logged in/i;
const TLS_REQUIRED = /encrypt|cleartext|ssl|tls/i;
const LOGIN_UNDECIDED = /try again|later|temporar|encrypt|ssl|tls/i;
const IS_GONE = /no such file|not (be )?found|does not exist|doesn't exist/i;

/** Classifies a failed connection. Messages contain codes only, because a server's text may repeat the login. */
export function classifyConnecting(error: unknown, what: string, isEncrypted: boolean): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  const unreachable = unreachableReason(error);
  if (unreachable) return new Unreachable(`${what}: no connection${codeSuffix(error)}.`, unreachable);
  const code = codeOf(error);
  if (code === NOT_LOGGED_IN || code === CLOSING) {
    const words = (error as FTPError).message;
    if (!isEncrypted && TLS_REQUIRED.test(words)) {
      return new Unreachable(`${what}: no login without TLS (${code}).`, 'TLS_REQUIRED');
    }
    if (TOO_MANY_CONNECTIONS.test(words)) {
      return new TooManyConnections(`${what}: too many connections (${code}).`);
    }
    if (code === NOT_LOGGED_IN && !LOGIN_UNDECIDED.test(words)) {
      return new InvalidCredentials(`${what}: the login was refused.`);
    }
  }
  return new Transient(`${what}: no connection${codeSuffix(error)}.`, { cause: causeWithoutServerText(error) });
}

/** Classifies an error response for a folder; a broken connection is `ConnectionLost`. */
export function classifyFolder(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === UNAVAILABLE || code === 553 || code === 501) {
    return new SelectionNotFound(`${what}: does not exist, or no access (${code}).`);
  }
  return classifyAnswer(error, what);
}

/** Classifies an error response for a file, which concerns only that file. Only a missing file is permanent; access can be restored. */
export function classifyFile(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === undefined || CONNECTION_LOST.has(code)) return classifyAnswer(error, what);
  const isGone = code === UNAVAILABLE && IS_GONE.test((error as FTPError).message);
  return new DocumentUnavailable(`${what}: the file cannot be read (${code}).`, isGone);
}

function classifyAnswer(error: unknown, what: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  return new ConnectionLost(`${what}: the connection broke${codeSuffix(error)}.`, {
    cause: causeWithoutServerText(error),
  });
}

/** The server's code, when the error is a response of the server. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof FTPError ? error.code : undefined;
}

function codeSuffix(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? ` (${code})` : '';
}

/** The cause of an error, without texts of the server, which must not be logged. */
function causeWithoutServerText(error: unknown): unknown {
  return error instanceof FTPError ? undefined : error;
}
