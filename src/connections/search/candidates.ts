import type { EntityManager } from '@mikro-orm/postgresql';
import type { ConnectionRecord } from '../state/connection-record';
import { readConnections } from '../state/read-connections';

/** Connections of an environment in which a search looks, newest first. */
export type Candidates =
  | { readonly from: 'all' | 'attention' }
  | { readonly from: 'integration'; readonly integrationId: string }
  | { readonly from: 'matches'; readonly connections: readonly string[]; readonly identities: readonly string[] };

/** SQL: the condition of the index `connection_attention`. A healthy connection that is active fulfills none of its parts. */
const NEEDS_ATTENTION = `(disabled_at is not null or credentials_rejected_at is not null or setup_completed_at is null
  or failing_since is not null or overdue_since is not null)`;

/** The terms of all connections, and of those of an integration (migration `search-connections`). */
const termOf = (candidates: Candidates): string =>
  candidates.from === 'integration' ? `:${candidates.integrationId}` : '';

const BY_TERM = `
  select connection_uuid as candidate from connection_term
  where environment_uuid = $1 and connection_uuid < $2 and term = $3 order by connection_uuid desc`;
const BY_ATTENTION = `
  select uuid as candidate from connection
  where environment_uuid = $1 and uuid < $2 and ${NEEDS_ATTENTION} order by uuid desc`;
const byMatches = (limit: number) => `
  select distinct candidate from (
    select unnest($3::uuid[]) as candidate
    union all
    select c.uuid from unnest($4::uuid[]) as i (uuid) cross join lateral (
      select uuid from connection where identity_uuid = i.uuid and uuid < $2 order by uuid desc limit ${limit}) c) found
  where candidate < $2 order by candidate desc`;

/**
 * SQL: the next candidates. The limit is part of the text, one statement per limit: with a parameter the planner would assume a tenth of
 * all connections.
 */
export function candidateStatement(candidates: Candidates, limit: number): string {
  const source =
    candidates.from === 'matches' ? byMatches(limit) : candidates.from === 'attention' ? BY_ATTENTION : BY_TERM;
  return `join (${source} limit ${limit}) page on candidate = uuid where environment_uuid = $1 order by uuid desc`;
}

/** Reads the next candidates before a connection, newest first. */
export function readCandidates(
  em: EntityManager,
  environmentUuid: string,
  candidates: Candidates,
  before: string,
  limit: number,
): Promise<ConnectionRecord[]> {
  const more =
    candidates.from === 'matches'
      ? [candidates.connections, candidates.identities]
      : candidates.from === 'attention'
        ? []
        : [termOf(candidates)];
  return readConnections(em, candidateStatement(candidates, limit), [environmentUuid, before, ...more]);
}
