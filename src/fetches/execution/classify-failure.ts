import { unreachableCode } from '../../integrations/shared/reachability/unreachable-code';
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
  type Reason,
  SourceError,
  Transient,
} from '../../integrations/core/source-errors';
import { isAddressNotAllowed } from '../../platform/network/network';

/** What the engine does next when a source fails. */
export type NextStep =
  | { readonly kind: 'credentials'; readonly reason: Reason }
  | { readonly kind: 'user'; readonly reason: Reason }
  | { readonly kind: 'wait'; readonly reason: Reason; readonly seconds: number; readonly wholeProvider: boolean }
  | { readonly kind: 'back-off'; readonly reason: Reason; readonly log: 'error' | 'warn' | null }
  | { readonly kind: 'relist' }
  | { readonly kind: 'document'; readonly code: 'DOCUMENT_UNAVAILABLE' | 'DOCUMENT_GONE' | 'DOCUMENT_REFUSED' };

/**
 * Anything that is no `SourceError` is our fault or an unforeseen one: back off, and log an error. So is what only operators can
 * change. `hasNamedServer`: the user said where the server is, so that why it cannot be reached is worth telling.
 * What a source does wrong is a warning at the most: it must not hide our own errors.
 */
export function classifyFailure(error: unknown, hasNamedServer = false): NextStep {
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
    return { kind: 'document', code: error.permanent ? 'DOCUMENT_GONE' : 'DOCUMENT_UNAVAILABLE' };
  }
  // The user's choice, not our fault: a migrated connection is not checked before its first fetch.
  if (isAddressNotAllowed(error)) {
    return { kind: 'back-off', reason: hasNamedServer ? 'HOST_NOT_FOUND' : 'PROVIDER_DOWN', log: 'warn' };
  }
  const unreachable = hasNamedServer && isUnreachable(error) ? unreachableCode(error) : null;
  if (unreachable) return { kind: 'back-off', reason: unreachable, log: null };
  if (!(error instanceof SourceError)) return { kind: 'back-off', reason: 'PROVIDER_DOWN', log: 'error' };
  const log = error instanceof ClientRefused ? 'error' : error instanceof UnexpectedResponse ? 'warn' : null;
  return { kind: 'back-off', reason: error.reason, log };
}

/** What says nothing but that the source is away, or nothing at all. */
const isUnreachable = (error: unknown): boolean => !(error instanceof SourceError) || error instanceof Transient;

const FIRST_WAIT_SECONDS = 60;

const JITTER = 0.2;

/** Seconds until the next try after `failures` in a row: doubling from a minute, ± 20 %, never more than the interval. */
export function backOffSeconds(failures: number, intervalMinutes: number, random = Math.random()): number {
  const most = (intervalMinutes * 60) / (1 + JITTER); // those that have waited longest are spread as well
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(failures, 20), most);
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
