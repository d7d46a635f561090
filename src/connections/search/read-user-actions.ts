import type { EntityManager } from '@mikro-orm/postgresql';
import { statusOf } from '../../identities/connection-status';
import type { ConnectionRecord } from '../state/connection-record';
import { healthOf, USER_ACTIONABLE_REASONS } from '../state/connection-state';
import { readConnections } from '../state/read-connections';

/** SQL: the condition and the expressions of the index `connection_user_action`: why a connection needs attention, and since when. */
const IS_UNUSABLE = `disabled_at is null
  and (credentials_rejected_at is not null or setup_completed_at is null or failing_since is not null)`;
const REASON = `case when credentials_rejected_at is not null then coalesce(failure_reason, 'LOGIN_REJECTED')
  when setup_completed_at is null then 'SETUP_INCOMPLETE' else failure_reason end`;
const SINCE = `coalesce(credentials_rejected_at, case when setup_completed_at is null then created_at else failing_since end)`;

/** SQL: the latest connections of an environment ($1) with each of the reasons ($2), so that what waits for a provider displaces none. */
export const userActions = (limit: number): string => `
  select candidate, since from unnest($2::text[]) as actionable (reason) cross join lateral (
    select uuid as candidate, ${SINCE} as since from connection
    where environment_uuid = $1 and ${IS_UNUSABLE} and ${REASON} = reason order by 2 desc, uuid desc limit ${limit}) latest
  order by since desc, candidate desc limit ${limit}`;

/** The connections of an environment whose users have to act, the latest first. */
export async function readUserActions(
  em: EntityManager,
  environmentUuid: string,
  limit: number,
): Promise<ConnectionRecord[]> {
  const connections = await readConnections(
    em,
    `join (${userActions(limit)}) found on candidate = uuid where environment_uuid = $1 order by since desc, uuid desc`,
    [environmentUuid, USER_ACTIONABLE_REASONS],
  );
  return connections.filter((one) => healthOf(one) === 'ACTION_REQUIRED' && statusOf(one) !== 'DISABLED');
}
