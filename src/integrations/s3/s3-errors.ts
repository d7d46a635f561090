import { pauseAfter } from '../../platform/network/retry-after';
import type { SourceHttpResponse } from '../shared/http/source-http-client';
import { fileChanged } from '../shared/tree-sync/files/resumable-read';
import {
  SelectionNotFound,
  DocumentUnavailable,
  InvalidCredentials,
  EndpointNotFound,
  PermissionMissing,
  RateLimited,
  Transient,
} from '../core/source-errors';

/** `Unauthorized`: R2's word for keys that it does not know. */
const KEYS_REFUSED = new Set(['InvalidAccessKeyId', 'Unauthorized', 'InvalidSecurity', 'AccountProblem']);
/** The keys are good, and may not do this. */
const NO_RIGHT = new Set(['AccessDenied', 'AllAccessDisabled']);
const NO_BUCKET = new Set(['NoSuchBucket', 'InvalidBucketName']);
const PAUSE_WANTED = new Set(['SlowDown', 'TooManyRequests', 'RequestLimitExceeded', 'BandwidthLimitExceeded']);
/** They pass, or are our clock's fault. */
const TRANSIENT_CODES = new Set(['RequestTimeout', 'RequestTimeTooSkewed', 'InternalError', 'ServiceUnavailable']);
const PAUSE_SECONDS = 30;

/** The secret is wrong, or what was signed came in another form: proxies write requests anew, overloaded gateways mix them up. */
export class WrongSignature extends InvalidCredentials {}

/** What an answer means that is none of those hoped for. Messages are made of codes only. */
export function classifyResponse({ status, headers }: SourceHttpResponse, code: string, now: Date): Error {
  const what = `S3: ${[status, code].join(' ').trim()}`;
  if (code === 'SignatureDoesNotMatch') return new WrongSignature(`${what}.`);
  if (KEYS_REFUSED.has(code)) return new InvalidCredentials(`${what}.`);
  if (status === 429 || PAUSE_WANTED.has(code)) {
    return new RateLimited(`${what}.`, pauseAfter(headers['retry-after'], now, PAUSE_SECONDS));
  }
  // A 401 without a word that the keys are wrong is none.
  if (status >= 500 || status === 408 || status === 401 || TRANSIENT_CODES.has(code)) return new Transient(`${what}.`);
  if (NO_RIGHT.has(code)) return new PermissionMissing(`${what}: no right to list the bucket.`);
  if (NO_BUCKET.has(code)) return new EndpointNotFound(`${what}: no such bucket.`, 'bucket');
  return new EndpointNotFound(`${what}: no S3.`, 'endpoint');
}

/** The same for a single object: what is said about it concerns only that. */
export function classifyObjectResponse(answer: SourceHttpResponse, code: string, now: Date): Error {
  const { status } = answer;
  if (status === 412 || status === 416) return fileChanged('S3');
  const error = classifyResponse(answer, code, now);
  const isItsOwn = error instanceof SelectionNotFound || error instanceof PermissionMissing;
  if (!isItsOwn || code === 'NoSuchBucket') return error;
  // Access can be given back, and an object taken out of the archive; one that is gone is gone.
  return new DocumentUnavailable(`S3: the object cannot be read (${status} ${code}).`, status === 404);
}
