import type { StatusFields } from '../../identities/connection-status';
import { type Reason, reasonCode } from '../../integrations/core/reason';

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

export function healthOf(facts: StateFields): Health {
  const reason = reasonOf(facts);
  if (reason) return isUserActionable(reason.code) ? 'ACTION_REQUIRED' : 'DEGRADED';
  return facts.lastSuccessAt ? 'OK' : 'UNKNOWN';
}

/** Why a connection needs attention, and since when; null if it does not. */
export function reasonOf(facts: StateFields): { code: Reason; since: Date } | null {
  if (facts.credentialsRejectedAt) {
    return { code: facts.failureReason ?? 'LOGIN_REJECTED', since: facts.credentialsRejectedAt };
  }
  if (!facts.setupCompletedAt) {
    const isAuthorized = facts.failureReason !== 'AUTHORIZATION_PENDING';
    return { code: isAuthorized ? 'SETUP_INCOMPLETE' : 'AUTHORIZATION_PENDING', since: facts.createdAt };
  }
  if (facts.failingSince && facts.failureReason) return { code: facts.failureReason, since: facts.failingSince };
  // No fetch has failed, but none has succeeded either: one never ends, or never begins. The user cannot fix that.
  if (facts.overdueSince) return { code: 'PROVIDER_DOWN', since: facts.overdueSince };
  return null;
}
