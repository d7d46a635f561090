import { pauseAfter } from '../../../platform/network/retry-after';
import type { SourceHttpResponse } from '../../shared/http/source-http-client';
import { fileChanged } from '../../shared/tree-sync/files/resumable-read';
import { digestChallenge } from './digest-login';
import {
  SelectionNotFound,
  DocumentUnavailable,
  InvalidCredentials,
  RateLimited,
  Transient,
} from '../../core/source-errors';

/** For a pause without a stated duration. */
const PAUSE_SECONDS = 60;

/** Classifies an unexpected response. Messages contain codes only. */
export function classifyResponse(response: SourceHttpResponse, what: string, now: Date): Error {
  const { status, headers } = response;
  if (!response.isTrusted) return new SelectionNotFound(`${what}: redirected to another server (status ${status}).`);
  if (status === 401) return unauthorized(response, what);
  if (status === 429) {
    const seconds = pauseAfter(headers['retry-after'], now, PAUSE_SECONDS);
    return new RateLimited(`${what}: the server requests a pause.`, seconds);
  }
  // 408, 423 and 425 are temporary.
  if (status >= 500 || [408, 423, 425].includes(status)) return new Transient(`${what}: status ${status}.`);
  return new SelectionNotFound(`${what}: does not exist, is no WebDAV, or no access (status ${status}).`);
}

/**
 * Classifies an unexpected response for a single file after a valid login: it concerns only that file. Only a missing file is
 * permanent; access can be restored.
 */
export function classifyFileResponse(response: SourceHttpResponse, what: string, now: Date): Error {
  const { status } = response;
  if ([401, 403, 423].includes(status)) return new DocumentUnavailable(`${what}: status ${status}.`, false);
  if (status === 412 || status === 416) return fileChanged(what);
  // Files may be on another server (object storage behind the first one).
  const error = classifyResponse({ ...response, isTrusted: true }, what, now);
  return error instanceof SelectionNotFound ? new DocumentUnavailable(`${what}: status ${status}.`, true) : error;
}

function unauthorized({ headers }: SourceHttpResponse, what: string): Error {
  // A server that supports no password scheme has not checked the password.
  if (
    headers['www-authenticate'] !== undefined &&
    !takesBasic(headers) &&
    !digestChallenge(headers['www-authenticate'])
  ) {
    return new Transient(`${what}: the server supports no login with a password (Basic or Digest).`);
  }
  return new InvalidCredentials(`${what}: the login was refused.`);
}

/** Whether a 401 offers Basic. */
export function takesBasic(headers: SourceHttpResponse['headers']): boolean {
  return /(^|[\s,])basic([\s,]|$)/i.test([headers['www-authenticate'] ?? []].flat().join(','));
}
