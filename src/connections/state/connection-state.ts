import type { StatusFields } from '../../identities/connection-status';
import { EXACT_REASONS, type ExactReason, type Reason, reasonCode } from '../../integrations/core/reason';

export const HEALTHS = ['OK', 'DEGRADED', 'ACTION_REQUIRED', 'UNKNOWN'] as const;
export type Health = (typeof HEALTHS)[number];

/** Reasons that only the user can resolve (decisions 4). */
const USER_ACTIONABLE: readonly Reason[] = [
  'LOGIN_REJECTED',
  'AUTHORIZATION_PENDING',
  'CONSENT_REVOKED',
  'CONSENT_EXPIRED',
  'SCOPE_MISSING',
  'FOLDER_NOT_FOUND',
  'ENDPOINT_NOT_FOUND',
  'SETUP_INCOMPLETE',
  'HOST_KEY_UNKNOWN',
  'HOST_KEY_CHANGED',
  'CERTIFICATE_INVALID_CHANGED',
];

const isUserActionable = (reason: Reason): boolean =>
  USER_ACTIONABLE.includes(reason) || USER_ACTIONABLE.includes(reasonCode(reason));

/** The same as a list, with the exact reasons, for conditions in SQL. */
export const USER_ACTIONABLE_REASONS: readonly Reason[] = [
  ...USER_ACTIONABLE,
  ...(Object.keys(EXACT_REASONS) as ExactReason[]).filter(isUserActionable),
];

/** Summary of the latest fetch, stored with the connection. */
export interface LastFetch {
  readonly uuid: string;
  readonly status: string;
  readonly finished_at: string | null;
  readonly documents_new: number;
}

export type Input = Readonly<Record<string, unknown>>;

/** The columns from which status, health and reason are derived. */
export interface StateFields extends StatusFields {
  readonly failingSince?: Date | null;
  readonly failureReason?: Reason | null;
  readonly overdueSince?: Date | null;
  readonly lastSuccessAt?: Date | null;
  readonly createdAt: Date;
}

export function healthOf(state: StateFields): Health {
  const reason = reasonOf(state);
  if (reason) return isUserActionable(reason.code) ? 'ACTION_REQUIRED' : 'DEGRADED';
  return state.lastSuccessAt ? 'OK' : 'UNKNOWN';
}

/** Why a connection needs attention, and since when; null if it does not. */
export function reasonOf(state: StateFields): { code: Reason; since: Date } | null {
  if (state.credentialsRejectedAt) {
    return { code: state.failureReason ?? 'LOGIN_REJECTED', since: state.credentialsRejectedAt };
  }
  if (!state.setupCompletedAt) {
    const isAuthorized = state.failureReason !== 'AUTHORIZATION_PENDING';
    return { code: isAuthorized ? 'SETUP_INCOMPLETE' : 'AUTHORIZATION_PENDING', since: state.createdAt };
  }
  if (state.failingSince && state.failureReason) return { code: state.failureReason, since: state.failingSince };
  // No fetch has failed, but none has succeeded either: one never ends, or never begins. The user cannot fix that.
  if (state.overdueSince) return { code: 'PROVIDER_DOWN', since: state.overdueSince };
  return null;
}
