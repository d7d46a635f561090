import type { EntityManager } from '@mikro-orm/postgresql';
import { countRunningJobs } from '../../platform/jobs/running-jobs';
import { sql } from '../../platform/database/sql';
import { leaseGrants } from './leases';

/** No request takes this long: the process that sent the event has died. */
const SENDING_TIMEOUT = `interval '5 minutes'`;

/** What still runs for a fenced environment and must end before the export, because its result is visible to others. */
export interface WorkInProgress {
  /** Pushes and redeliveries. */
  readonly deliveries: number;
  readonly events: number;
  /** OAuth tokens that are being refreshed. */
  readonly refreshes: number;
  /** Requests with an idempotency key whose work is committed and whose response is not stored yet (decisions 1). */
  readonly responses: number;
}

export async function workInProgress(
  em: EntityManager,
  environmentUuid: string,
  transferUuid: string,
  now: Date,
): Promise<WorkInProgress> {
  const rows = await sql<{ uuid: string }>(
    em,
    `select uuid from webhook where environment_uuid = $1
     union all select uuid from redelivery where environment_uuid = $1 and finished_at is null`,
    [environmentUuid],
  );
  const [sending] = await sql<{ count: number }>(
    em,
    `select count(*)::int as count from webhook_delivery d join webhook w on w.uuid = d.webhook_uuid
     where w.environment_uuid = $1 and d.state = 'SENDING' and d.sent_at > now() - ${SENDING_TIMEOUT}`,
    [environmentUuid],
  );
  const [responding] = await sql<{ count: number }>(
    em,
    `select count(*)::int as count from idempotency_key
     where environment_uuid = $1 and committed_at is not null and responded_at is null and leased_until > $2`,
    [environmentUuid, now],
  );
  return {
    deliveries: await countRunningJobs(em, [environmentUuid, ...rows.map(({ uuid }) => uuid)]),
    events: sending!.count,
    refreshes: await leaseGrants(em, environmentUuid, transferUuid),
    responses: responding!.count,
  };
}

export const isDone = ({ deliveries, events, refreshes, responses }: WorkInProgress): boolean =>
  deliveries + events + refreshes + responses === 0;
