import { AddressNotAllowed } from '../../../platform/network/network';
import { Unreachable, unreachableReason } from '../../shared/reachability/unreachable-code';
import {
  SelectionNotFound,
  InvalidCredentials,
  RateLimited,
  SourceError,
  TooManyConnections,
  Transient,
} from '../../core/source-errors';

/** The properties of errors of imapflow, TLS and sockets. */
interface Failure {
  readonly code?: unknown;
  readonly authenticationFailed?: unknown;
  readonly tlsFailed?: unknown;
  readonly mailboxMissing?: unknown;
  /** `NO` or `BAD`. */
  readonly responseStatus?: unknown;
  /** The response code in brackets (RFC 5530). */
  readonly serverResponseCode?: unknown;
  readonly responseText?: unknown;
  /** The pause that the server requests, in milliseconds. */
  readonly throttleReset?: unknown;
}

/** RFC 5530: the server cannot check the login now; the password may be right. */
const LOGIN_UNDECIDED = new Set(['UNAVAILABLE', 'INUSE', 'SERVERBUG', 'CONTACTADMIN']);

const LOGIN_REFUSED = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'WEBALERT']);

/** Texts of servers without these response codes. */
const LOGIN_BUSY = /temporar|try again|later|unavailable|internal|timed? ?out/i;
const TOO_MANY_CONNECTIONS = /too many .*(connection|login|session)|maximum number|(connection|session)s? limit/i;

/** Texts of Google, Yahoo and Apple about passwords that only web pages accept. */
const APP_PASSWORD = /(app|application)[- ](specific )?password|web ?login|web browser/i;
const ACCESS_DISABLED =
  /not enabled for imap|imap[\w ]{0,30} (is )?(disabled|deactivated|not (enabled|activated|allowed|permitted))/i;

const FOLDER_NOT_FOUND = new Set(['NONEXISTENT', 'NOPERM']);

/** Facts about the connection on which the failure occurred. */
interface ConnectionFacts {
  readonly isEncrypted: boolean;
  /** The server has announced that it accepts no password (`LOGINDISABLED`, RFC 9051 section 6.2.3). */
  readonly isLoginDisabled: boolean;
}

/**
 * Classifies a failure (architecture 5). Returns classified errors, those of the network guard, and errors that are not mail, socket
 * or TLS failure (defects of the service) unchanged. Messages contain codes only, because a server's text may repeat the login.
 */
export function classify(error: unknown, what: string, connection?: ConnectionFacts): unknown {
  if (error instanceof SourceError || error instanceof AddressNotAllowed) return error;
  // From network and TLS codes only: a server's text must not be logged.
  const unreachable = unreachableReason(error);
  if (unreachable) return new Unreachable(`${what}: no connection (${unreachable}).`, unreachable);
  if (!(error instanceof Error)) return new Transient(`${what} failed.`);
  const failure = error as Failure;
  const code = text(failure.code);
  const answer = text(failure.serverResponseCode)?.toUpperCase();
  if (code === 'ETHROTTLE') {
    const seconds = typeof failure.throttleReset === 'number' ? Math.ceil(failure.throttleReset / 1000) : 60;
    return new RateLimited(`${what}: the server requests a pause.`, Math.max(1, seconds));
  }
  const status = text(failure.responseStatus);
  if (failure.authenticationFailed === true) {
    if (status === undefined && code === undefined && connection?.isLoginDisabled) {
      return loginDisabled(what, connection);
    }
    return loginFailure(what, status, answer, text(failure.responseText));
  }
  if (failure.mailboxMissing === true || (status === 'NO' && FOLDER_NOT_FOUND.has(answer ?? ''))) {
    return new SelectionNotFound(`${what}: the folder does not exist (${answer ?? 'NO'}).`);
  }
  if (failure.tlsFailed === true) {
    const reason = code === undefined ? 'TLS_NOT_SUPPORTED_STARTTLS' : 'TLS_NOT_SUPPORTED';
    return new Unreachable(`${what}: no TLS (${code ?? 'not offered'}).`, reason);
  }
  if (code === undefined && status === undefined) return error;
  const details = [code, status, answer].filter((part) => part !== undefined).join(' ');
  return new Transient(`${what} failed (${details}).`);
}

function loginFailure(what: string, status?: string, answer?: string, words?: string): SourceError {
  // A disconnect during the login is not a rejection; a server without TLS may reject every login.
  if (status !== 'NO') return new Transient(`${what}: login impossible (${status ?? 'no answer'}).`);
  const known = answer !== undefined && (LOGIN_UNDECIDED.has(answer) || LOGIN_REFUSED.has(answer));
  if (answer === 'PRIVACYREQUIRED') {
    return new Unreachable(`${what}: no login without TLS (${answer}).`, 'TLS_REQUIRED');
  }
  if (answer === 'LIMIT' || (!known && TOO_MANY_CONNECTIONS.test(words ?? ''))) {
    return new TooManyConnections(`${what}: too many connections (${answer ?? 'NO'}).`);
  }
  const undecided = known ? LOGIN_UNDECIDED.has(answer) : LOGIN_BUSY.test(words ?? '');
  if (undecided) return new Transient(`${what}: login currently impossible (${answer ?? 'NO'}).`);
  return new InvalidCredentials(`${what}: the login was refused (${answer ?? 'NO'}).`, {
    reason: rejection(answer, words),
  });
}

/** Why the provider rejects a password that may be the right one for its web pages. */
function rejection(answer: string | undefined, words = ''): InvalidCredentials['reason'] {
  if (answer === 'WEBALERT' || APP_PASSWORD.test(words)) return 'LOGIN_REJECTED_APP_PASSWORD';
  return ACCESS_DISABLED.test(words) ? 'LOGIN_REJECTED_ACCESS_DISABLED' : 'LOGIN_REJECTED';
}

/** Without encryption, servers announce this until the client has started TLS. No password was sent. */
function loginDisabled(what: string, { isEncrypted }: ConnectionFacts): SourceError {
  return isEncrypted
    ? new InvalidCredentials(`${what}: the server accepts no passwords.`, { reason: 'LOGIN_REJECTED_NO_PASSWORDS' })
    : new Unreachable(`${what}: no login without TLS (LOGINDISABLED).`, 'TLS_REQUIRED');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
