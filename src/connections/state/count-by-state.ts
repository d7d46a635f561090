import type { EntityManager } from '@mikro-orm/postgresql';
import { type ConnectionStatus, statusOf } from '../../identities/connection-status';
import type { Reason } from '../../integrations/core/reason';
import { sql } from '../../platform/database/sql';
import { type Health, healthOf, type StateFields } from './connection-state';

/** How long a request waits for the number of connections, in milliseconds: a million are counted in a few seconds. */
export const MAX_COUNT_WAIT_MS = 1_000;

/** Connections of one integration with the same status and health; there may be several such groups. */
export interface StateCount {
  readonly integration: string;
  readonly status: ConnectionStatus;
  readonly health: Health;
  readonly isOverdue: boolean;
  readonly n: number;
}

/** The number of connections of one integration with the same state. Status and health depend only on whether a time is set. */
interface ConnectionGroup {
  readonly integration: string;
  readonly disabled: boolean;
  readonly rejected: boolean;
  readonly setUp: boolean;
  readonly failing: boolean;
  readonly failureReason: Reason | null;
  readonly overdue: boolean;
  readonly succeeded: boolean;
  readonly n: number;
}

const GROUPED = `
  select c.integration_id as integration, disabled_at is not null as disabled, credentials_rejected_at is not null as rejected,
    setup_completed_at is not null as "setUp", failing_since is not null as failing, failure_reason as "failureReason",
    overdue_since is not null as overdue, last_success_at is not null as succeeded, count(*)::int as n
  from connection c`;

/** SQL: the connections of an environment ($1), which have the empty term (migration `search-connections`). */
const OF_ENVIRONMENT =
  "join connection_term t on t.connection_uuid = c.uuid and t.environment_uuid = $1 and t.term = ''";

/** Counts the connections by state: all, or those of an environment. Reads each of them once. */
export async function countByState(em: EntityManager, environmentUuid?: string): Promise<StateCount[]> {
  const rows = await sql<ConnectionGroup>(
    em,
    `${GROUPED} ${environmentUuid === undefined ? '' : OF_ENVIRONMENT} group by 1, 2, 3, 4, 5, 6, 7, 8`,
    environmentUuid === undefined ? [] : [environmentUuid],
  );
  return rows.map((group) => {
    const state = stateOf(group);
    return {
      integration: group.integration,
      status: statusOf(state),
      health: healthOf(state),
      isOverdue: group.overdue,
      n: group.n,
    };
  });
}

function stateOf({
  disabled,
  rejected,
  setUp,
  failing,
  failureReason,
  overdue,
  succeeded,
}: ConnectionGroup): StateFields {
  const at = (isSet: boolean): Date | null => (isSet ? SOME_TIME : null);
  return {
    disabledAt: at(disabled),
    credentialsRejectedAt: at(rejected),
    setupCompletedAt: at(setUp),
    failingSince: at(failing),
    failureReason,
    overdueSince: at(overdue),
    lastSuccessAt: at(succeeded),
    createdAt: SOME_TIME,
  };
}

const SOME_TIME = new Date(0);
