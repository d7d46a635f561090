import { AddressNotAllowed } from '../../../platform/network/network';
import { Unreachable, unreachableCode } from '../../shared/reachability/unreachable-code';
import { SelectionNotFound, InvalidCredentials, RateLimited, SourceError, Transient } from '../../core/source-errors';

/** What imapflow, TLS and sockets put on their errors. */
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
  /** Milliseconds the server asks to wait. */
  readonly throttleReset?: unknown;
}

/** RFC 5530: the server cannot decide on a login now, or will not without TLS; the password may well be right. */
const LOGIN_UNDECIDED = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'PRIVACYREQUIRED', 'CONTACTADMIN']);

const LOGIN_REFUSED = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'WEBALERT']);

/** Servers without these response codes say it in words. */
const LOGIN_BUSY = /temporar|try again|too many|later|unavailable|internal|timed? ?out|maximum number/i;

const FOLDER_NOT_FOUND = new Set(['NONEXISTENT', 'NOPERM']);

/**
 * Says what the service does about a failure (architecture 5). Errors that are already classified, and those of the
 * network guard, pass untouched; so does what is no mail, socket or TLS failure, because that is a fault of ours.
 * Messages are made of codes only: what a server says to a login may repeat it.
 */
export function classify(error: unknown, what: string): unknown {
  if (error instanceof SourceError || error instanceof AddressNotAllowed) return error;
  // Only of what network and TLS say: a server's words stay out of logs.
  const unreachable = unreachableCode(error);
  if (unreachable) return new Unreachable(`${what}: no connection (${unreachable}).`, unreachable);
  if (!(error instanceof Error)) return new Transient(`${what} failed.`);
  const failure = error as Failure;
  const code = text(failure.code);
  const answer = text(failure.serverResponseCode)?.toUpperCase();
  if (code === 'ETHROTTLE') {
    const seconds = typeof failure.throttleReset === 'number' ? Math.ceil(failure.throttleReset / 1000) : 60;
    return new RateLimited(`${what}: the server asks for a pause.`, Math.max(1, seconds));
  }
  const status = text(failure.responseStatus);
  if (failure.authenticationFailed === true) return loginFailure(what, status, answer, text(failure.responseText));
  if (failure.mailboxMissing === true || (status === 'NO' && FOLDER_NOT_FOUND.has(answer ?? ''))) {
    return new SelectionNotFound(`${what}: the folder is not there (${answer ?? 'NO'}).`);
  }
  if (failure.tlsFailed === true) {
    return new Unreachable(`${what}: no TLS (${code ?? 'not offered'}).`, 'TLS_NOT_SUPPORTED');
  }
  if (code === undefined && status === undefined) return error;
  const says = [code, status, answer].filter((part) => part !== undefined).join(' ');
  return new Transient(`${what} failed (${says}).`);
}

function loginFailure(what: string, status?: string, answer?: string, words?: string): SourceError {
  // A connection that breaks during the login is no answer to it; a server without TLS may refuse every login.
  if (status !== 'NO') return new Transient(`${what}: no login possible (${status ?? 'no answer'}).`);
  const known = answer !== undefined && (LOGIN_UNDECIDED.has(answer) || LOGIN_REFUSED.has(answer));
  const undecided = known ? LOGIN_UNDECIDED.has(answer) : LOGIN_BUSY.test(words ?? '');
  if (answer === 'PRIVACYREQUIRED') {
    return new Unreachable(`${what}: no login without TLS (${answer}).`, 'TLS_REQUIRED');
  }
  if (undecided) return new Transient(`${what}: no login at the moment (${answer ?? 'NO'}).`);
  return new InvalidCredentials(`${what}: the login was refused (${answer ?? 'NO'}).`);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
