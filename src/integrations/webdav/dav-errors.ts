import { pauseAfter } from '../../platform/network/retry-after';
import type { SourceHttpResponse } from '../shared/http/source-http-client';
import { fileChanged } from '../shared/tree-sync/files/resumable-read';
import { digestChallenge } from './digest-login';
import {
  SelectionNotFound,
  DocumentUnavailable,
  InvalidCredentials,
  RateLimited,
  Transient,
} from '../core/source-errors';

/** Servers that ask for a pause without saying how long. */
const PAUSE_SECONDS = 60;

/** What an answer means that is none of those hoped for. Messages are made of codes only. */
export function classifyResponse(answer: SourceHttpResponse, what: string, now: Date): Error {
  const { status, headers } = answer;
  if (!answer.isTrusted) return new SelectionNotFound(`${what}: a redirect to another server (status ${status}).`);
  if (status === 401) return unauthorized(answer, what);
  if (status === 429) {
    const seconds = pauseAfter(headers['retry-after'], now, PAUSE_SECONDS);
    return new RateLimited(`${what}: the server asks for a pause.`, seconds);
  }
  // Locked, too early, and the time-out of a request pass by.
  if (status >= 500 || [408, 423, 425].includes(status)) return new Transient(`${what}: status ${status}.`);
  return new SelectionNotFound(`${what}: not there, no WebDAV, or closed to this user (status ${status}).`);
}

/**
 * The same for a single file, for a user whose login is good: what is said about it concerns only that. Access can be given back, a
 * file that is gone is gone.
 */
export function classifyFileResponse(answer: SourceHttpResponse, what: string, now: Date): Error {
  const { status } = answer;
  if ([401, 403, 423].includes(status)) return new DocumentUnavailable(`${what}: status ${status}.`, false);
  if (status === 412 || status === 416) return fileChanged(what);
  // Files may lie with another server (a store behind the first one).
  const error = classifyResponse({ ...answer, isTrusted: true }, what, now);
  return error instanceof SelectionNotFound ? new DocumentUnavailable(`${what}: status ${status}.`, true) : error;
}

function unauthorized({ headers }: SourceHttpResponse, what: string): Error {
  // A server that has not looked at the password has not refused it.
  if (
    headers['www-authenticate'] !== undefined &&
    !takesBasic(headers) &&
    !digestChallenge(headers['www-authenticate'])
  ) {
    return new Transient(`${what}: the server takes no login with a password (Basic or Digest).`);
  }
  return new InvalidCredentials(`${what}: the login was refused.`);
}

/** Whether a 401 says that Basic would do. */
export function takesBasic(headers: SourceHttpResponse['headers']): boolean {
  return /(^|[\s,])basic([\s,]|$)/i.test([headers['www-authenticate'] ?? []].flat().join(','));
}
