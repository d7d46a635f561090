import { unreachableReason } from '../../integrations/shared/reachability/unreachable-code';
import type { Reason } from '../../integrations/core/reason';
import {
  AuthorizationRevoked,
  ClientRefused,
  SelectionNotFound,
  UnexpectedResponse,
  CursorInvalid,
  DocumentRefused,
  DocumentUnavailable,
  HostKeyNotTrusted,
  InvalidCredentials,
  PermissionMissing,
  RateLimited,
  SourceError,
  Transient,
} from '../../integrations/core/source-errors';
import { isAddressNotAllowed } from '../../platform/network/network';
import type { FailureCode } from '../history/page-outcome';

/** The next step after a failure of the source. */
export type NextStep =
  | { readonly kind: 'credentials'; readonly reason: Reason }
  | { readonly kind: 'user'; readonly reason: Reason }
  | { readonly kind: 'wait'; readonly reason: Reason; readonly seconds: number; readonly wholeProvider: boolean }
  | { readonly kind: 'back-off'; readonly reason: Reason; readonly log: 'error' | 'warn' | null }
  | { readonly kind: 'relist' }
  | { readonly kind: 'document'; readonly code: FailureCode };

/**
 * Determines the next step by the class of the error. An error that is no `SourceError` is a defect of the service or unexpected:
 * back off and log an error, as for errors that only operators can fix. Errors of the source are logged as warnings at most, so
 * that they do not hide our own. `hasTypedServer`: the user typed the server, so the reason why it cannot be reached is reported.
 */
export function classifyFailure(error: unknown, hasTypedServer = false): NextStep {
  if (error instanceof InvalidCredentials || error instanceof AuthorizationRevoked) {
    return { kind: 'credentials', reason: error.reason };
  }
  if (error instanceof SelectionNotFound || error instanceof PermissionMissing || error instanceof HostKeyNotTrusted) {
    return { kind: 'user', reason: error.reason };
  }
  if (error instanceof RateLimited) {
    const { reason, retryAfterSeconds: seconds, scope } = error;
    return { kind: 'wait', reason, seconds, wholeProvider: scope === 'provider' };
  }
  if (error instanceof CursorInvalid) return { kind: 'relist' };
  if (error instanceof DocumentRefused) return { kind: 'document', code: 'DOCUMENT_REFUSED' };
  if (error instanceof DocumentUnavailable) {
    if (error.problem) return { kind: 'document', code: `DOCUMENT_${error.problem}` };
    return { kind: 'document', code: error.permanent ? 'DOCUMENT_GONE' : 'DOCUMENT_UNAVAILABLE' };
  }
  // The user's input, not a defect: a migrated connection is not checked before its first fetch.
  if (isAddressNotAllowed(error)) {
    return { kind: 'back-off', reason: hasTypedServer ? 'HOST_NOT_FOUND' : 'PROVIDER_DOWN', log: 'warn' };
  }
  const unreachable = hasTypedServer && isUnreachable(error) ? unreachableReason(error) : null;
  // Like a host key that has changed.
  if (unreachable === 'CERTIFICATE_INVALID_CHANGED') return { kind: 'user', reason: unreachable };
  if (unreachable) return { kind: 'back-off', reason: unreachable, log: null };
  if (!(error instanceof SourceError)) return { kind: 'back-off', reason: 'PROVIDER_DOWN', log: 'error' };
  const log = error instanceof ClientRefused ? 'error' : error instanceof UnexpectedResponse ? 'warn' : null;
  return { kind: 'back-off', reason: error.reason, log };
}

/** Whether the error says no more than that the source cannot be reached. */
const isUnreachable = (error: unknown): boolean => !(error instanceof SourceError) || error instanceof Transient;

const FIRST_WAIT_SECONDS = 60;

const JITTER = 0.2;

/** Seconds until the next attempt after `failures` consecutive failures: one minute, doubled for each, ± 20 %, at most the interval. */
export function backOffSeconds(failures: number, intervalMinutes: number, random = Math.random()): number {
  const max = (intervalMinutes * 60) / (1 + JITTER); // the longest waits are spread as well
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(failures, 20), max);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
