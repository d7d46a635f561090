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

/** `Unauthorized` is R2's code for unknown keys. */
const KEYS_REFUSED = new Set(['InvalidAccessKeyId', 'Unauthorized', 'InvalidSecurity', 'AccountProblem']);
/** The keys are valid, but lack a permission. */
const NO_PERMISSION = new Set(['AccessDenied', 'AllAccessDisabled']);
const NO_BUCKET = new Set(['NoSuchBucket', 'InvalidBucketName']);
const THROTTLED = new Set(['SlowDown', 'TooManyRequests', 'RequestLimitExceeded', 'BandwidthLimitExceeded']);
/** Temporary errors, or those of our clock. */
const TRANSIENT_CODES = new Set(['RequestTimeout', 'RequestTimeTooSkewed', 'InternalError', 'ServiceUnavailable']);
const PAUSE_SECONDS = 30;

/** The secret is wrong, or the signed request was modified: proxies rewrite requests, and overloaded gateways mix them up. */
export class WrongSignature extends InvalidCredentials {}

/** Classifies an unexpected response. Messages contain codes only. */
export function classifyResponse({ status, headers }: SourceHttpResponse, code: string, now: Date): Error {
  const what = `S3: ${[status, code].join(' ').trim()}`;
  if (code === 'SignatureDoesNotMatch') return new WrongSignature(`${what}.`);
  if (KEYS_REFUSED.has(code)) return new InvalidCredentials(`${what}.`);
  if (status === 429 || THROTTLED.has(code)) {
    return new RateLimited(`${what}.`, pauseAfter(headers['retry-after'], now, PAUSE_SECONDS));
  }
  // A 401 without a code that the keys are wrong is inconclusive.
  if (status >= 500 || status === 408 || status === 401 || TRANSIENT_CODES.has(code)) return new Transient(`${what}.`);
  if (NO_PERMISSION.has(code)) return new PermissionMissing(`${what}: no permission to list the bucket.`);
  if (NO_BUCKET.has(code)) return new EndpointNotFound(`${what}: no such bucket.`, 'bucket');
  return new EndpointNotFound(`${what}: no S3.`, 'endpoint');
}

/** Classifies an unexpected response for a single object, which concerns only that object. */
export function classifyObjectResponse(response: SourceHttpResponse, code: string, now: Date): Error {
  const { status } = response;
  if (status === 412 || status === 416) return fileChanged('S3');
  const error = classifyResponse(response, code, now);
  const concernsObject = error instanceof SelectionNotFound || error instanceof PermissionMissing;
  if (!concernsObject || code === 'NoSuchBucket') return error;
  // Only a missing object is permanent: access can be restored, and archived objects too.
  return new DocumentUnavailable(`S3: the object cannot be read (${status} ${code}).`, status === 404);
}
