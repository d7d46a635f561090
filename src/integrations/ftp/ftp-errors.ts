import { FTPError } from 'basic-ftp';
import { isAddressNotAllowed } from '../../platform/network/network';
import { Unreachable, unreachableCode } from '../shared/reachability/unreachable-code';
import { ConnectionLost } from '../shared/tree-sync/files/resumable-read';
import {
  SelectionNotFound,
  DocumentUnavailable,
  InvalidCredentials,
  SourceError,
  Transient,
} from '../core/source-errors';

/** RFC 959 section 4.2: not logged in; what was asked for is not available. */
const NOT_LOGGED_IN = 530;
const UNAVAILABLE = 550;
/** The control connection closes; that for data was not made, or broke. */
const CONNECTION_LOST = new Set([421, 425, 426]);

/** Servers say 530 also when they are full, or want TLS first. */
const LOGIN_UNDECIDED = /too many|maximum|limit|clients|connections|try again|later|temporar|encrypt|ssl|tls/i;
const IS_GONE = /no such file|not (be )?found|does not exist|doesn't exist/i;

/** Why there is no connection. Messages are made of codes only: what a server says to a login may repeat it. */
export function classifyConnecting(error: unknown, what: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  const unreachable = unreachableCode(error);
  if (unreachable) return new Unreachable(`${what}: no connection${says(error)}.`, unreachable);
  const code = codeOf(error);
  if (code === NOT_LOGGED_IN && !LOGIN_UNDECIDED.test((error as FTPError).message)) {
    return new InvalidCredentials(`${what}: the login was refused.`);
  }
  return new Transient(`${what}: no connection${says(error)}.`, { cause: causeWithoutServerText(error) });
}

/** What an answer to a folder means; a line that broke is `ConnectionLost`. */
export function classifyFolder(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === UNAVAILABLE || code === 553 || code === 501) {
    return new SelectionNotFound(`${what}: not there, or closed to this user (${code}).`);
  }
  return classifyAnswer(error, what);
}

/** The same for a file: what is said about it concerns only that. Access can be given back, a file that is gone is gone. */
export function classifyFile(error: unknown, what: string): unknown {
  const code = codeOf(error);
  if (code === undefined || CONNECTION_LOST.has(code)) return classifyAnswer(error, what);
  const isGone = code === UNAVAILABLE && IS_GONE.test((error as FTPError).message);
  return new DocumentUnavailable(`${what}: the file cannot be read (${code}).`, isGone);
}

function classifyAnswer(error: unknown, what: string): unknown {
  if (error instanceof SourceError || isAddressNotAllowed(error)) return error;
  return new ConnectionLost(`${what}: the connection broke${says(error)}.`, { cause: causeWithoutServerText(error) });
}

/** The server's code, when the error is an answer of the server. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof FTPError ? error.code : undefined;
}

function says(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? ` (${code})` : '';
}

/** A server's words stay out of logs. */
function causeWithoutServerText(error: unknown): unknown {
  return error instanceof FTPError ? undefined : error;
}
