import type { EntityManager } from '@mikro-orm/postgresql';
import { statusOf } from '../../identities/connection-status';
import type { ConnectionRecord } from '../state/connection-record';
import { healthOf, USER_ACTIONABLE_REASONS } from '../state/connection-state';
import { readConnections } from '../state/read-connections';
import { NEEDS_ATTENTION } from './candidates';

/**
 * SQL: the connections whose users have to act, as `healthOf` says, the latest first: so that those that are paused or wait for their
 * provider do not displace them, however many there are.
 */
export const USER_ACTIONS = `
  select uuid as candidate,
    coalesce(credentials_rejected_at, case when setup_completed_at is null then created_at else failing_since end) as since
  from connection
  where environment_uuid = $1 and ${NEEDS_ATTENTION} and disabled_at is null
    and case when credentials_rejected_at is not null then failure_reason is null or failure_reason = any($2)
      when setup_completed_at is null then true
      else failing_since is not null and failure_reason = any($2) end
  order by since desc, uuid desc`;

/** The connections of an environment whose users have to act, the latest first. */
export async function readUserActions(
  em: EntityManager,
  environmentUuid: string,
  limit: number,
): Promise<ConnectionRecord[]> {
  const connections = await readConnections(
    em,
    `join (${USER_ACTIONS} limit ${limit}) found on candidate = uuid where environment_uuid = $1 order by since desc, uuid desc`,
    [environmentUuid, USER_ACTIONABLE_REASONS],
  );
  return connections.filter((one) => healthOf(one) === 'ACTION_REQUIRED' && statusOf(one) !== 'DISABLED');
}
