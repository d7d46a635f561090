import type { Reason } from '../../integrations/core/source-errors';

export const CONNECTION_STATUSES = ['ACTIVE', 'PENDING', 'INVALID_CREDENTIALS', 'DISABLED'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export const HEALTHS = ['OK', 'DEGRADED', 'ACTION_REQUIRED', 'UNKNOWN'] as const;
export type Health = (typeof HEALTHS)[number];

/** The reasons that only the user can resolve (decisions 4). */
const USERS_TO_MEND: readonly Reason[] = [
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
  'PERMISSION_MISSING',
];

/** The latest fetch, as the connection shows it. */
export interface LastFetch {
  readonly uuid: string;
  readonly status: string;
  readonly finished_at: string | null;
  readonly documents_new: number;
}

export type Input = Readonly<Record<string, unknown>>;

/** What status, health and reason follow from. */
export interface StateFacts {
  readonly disabledAt?: Date | null;
  readonly setupCompletedAt?: Date | null;
  readonly credentialsRejectedAt?: Date | null;
  readonly failingSince?: Date | null;
  readonly failureReason?: Reason | null;
  readonly overdueSince?: Date | null;
  readonly lastSuccessAt?: Date | null;
  readonly createdAt: Date;
}

/** What may be seen of a connection: the entity, or a row that was read without it. */
export interface ConnectionFacts extends StateFacts {
  readonly uuid: string;
  readonly environmentUuid: string;
  readonly identityUuid: string;
  readonly integrationId: string;
  readonly name: string;
  readonly settings: Input;
  readonly step2: Input;
  readonly startdate?: string | null;
  readonly accountDisplay?: string | null;
  readonly lastFetch?: LastFetch | null;
  readonly failedDocuments: number;
  readonly nextFetchAt?: Date | null;
  readonly webhookUuid?: string | null;
  readonly updatedAt: Date;
}

/** decisions 4: disabled wins over all others, then credentials, then the setup. The view `connection_status` says the same in SQL. */
export function statusOf(facts: StateFacts): ConnectionStatus {
  if (facts.disabledAt) return 'DISABLED';
  if (facts.credentialsRejectedAt) return 'INVALID_CREDENTIALS';
  if (!facts.setupCompletedAt) return 'PENDING';
  return 'ACTIVE';
}

/** The view `connection_status` says the same in SQL. */
export function healthOf(facts: StateFacts): Health {
  const reason = reasonOf(facts);
  if (reason) return USERS_TO_MEND.includes(reason.code) ? 'ACTION_REQUIRED' : 'DEGRADED';
  return facts.lastSuccessAt ? 'OK' : 'UNKNOWN';
}

/** Why a connection is not as it should be, and since when; null when all is well. */
export function reasonOf(facts: StateFacts): { code: Reason; since: Date } | null {
  if (facts.credentialsRejectedAt) {
    return { code: facts.failureReason ?? 'LOGIN_REJECTED', since: facts.credentialsRejectedAt };
  }
  if (!facts.setupCompletedAt) {
    const isAuthorized = facts.failureReason !== 'AUTHORIZATION_PENDING';
    return { code: isAuthorized ? 'SETUP_INCOMPLETE' : 'AUTHORIZATION_PENDING', since: facts.createdAt };
  }
  if (facts.failingSince && facts.failureReason) return { code: facts.failureReason, since: facts.failingSince };
  // Nothing has failed, only nothing has come: a fetch that never ends, or never begins. Not the user's to mend.
  if (facts.overdueSince) return { code: 'PROVIDER_DOWN', since: facts.overdueSince };
  return null;
}
