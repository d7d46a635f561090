import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '../../platform/database/sql';
import { uuidAt } from '../../platform/history/history-partitions';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from '../record/provisioning-status';

/** A uuid and `created_at` of one transaction come from clocks that differ by less. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

/** Among which transactions a search looks: those of an environment, by the narrowest filter that has an index. */
export interface CandidateQuery {
  readonly environmentUuid: string;
  readonly connectionUuid?: string;
  readonly identityUuid?: string;
  readonly status?: ProvisioningStatus;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** SQL: the newest of an environment are the newest of each status, which have an index. */
const BY_STATUS = (limit: number) => `
  select t.uuid from unnest($4::text[]) as s (status) cross join lateral (
    select uuid from transaction
    where environment_uuid = $1 and status = s.status and uuid < $2 and uuid >= $3 order by uuid desc limit ${limit}) t
  order by t.uuid desc limit ${limit}`;

/**
 * SQL: all of a connection are read, from the index of its documents alone. Without `materialized` and `is true`, the planner would
 * look for them by their uuids among those of all connections.
 */
const BY_CONNECTION = (limit: number) => `
  with own as materialized (
    select uuid from transaction
    where connection_uuid = $4 and environment_uuid = $1 and (uuid < $2 and uuid >= $3) is true)
  select uuid from own order by uuid desc limit ${limit}`;
const BY_IDENTITY = (limit: number) => `
  with connections as materialized (select uuid from connection where identity_uuid = $4 and environment_uuid = $1),
    own as materialized (
      select t.uuid from connections c cross join lateral (
        select uuid from transaction
        where connection_uuid = c.uuid and environment_uuid = $1 and (uuid < $2 and uuid >= $3) is true) t)
  select uuid from own order by uuid desc limit ${limit}`;

/** The statement that reads the next candidates, with its last parameter; its limit is part of the text (see `readDue`). */
export function candidateStatement(query: CandidateQuery, limit: number): [text: string, parameter: unknown] {
  if (query.connectionUuid) return [BY_CONNECTION(limit), query.connectionUuid];
  if (query.identityUuid) return [BY_IDENTITY(limit), query.identityUuid];
  return [BY_STATUS(limit), query.status ? [query.status] : PROVISIONING_STATUSES];
}

/** The uuids of the next candidates before a transaction, newest first. The period is widened: the reader applies it exactly. */
export async function readTransactionCandidates(
  em: EntityManager,
  query: CandidateQuery,
  before: string,
  limit: number,
): Promise<string[]> {
  const [text, parameter] = candidateStatement(query, limit);
  const last = query.to === null ? before : uuidAt(query.to.getTime() + CLOCK_DIFFERENCE_MS);
  const first = uuidAt(Math.max((query.from?.getTime() ?? 0) - CLOCK_DIFFERENCE_MS, 0));
  const end = last < before ? last : before;
  const rows = await prepared<{ uuid: string }>(em, text, [query.environmentUuid, end, first, parameter]);
  return rows.map(({ uuid }) => uuid);
}
