import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../platform/database/sql';

/** Connections and identities that a search considers; of more matches, it takes those that come first in the alphabet. */
export const MAX_CONNECTIONS = 1_000;
export const MAX_IDENTITIES = 200;

/** What a text matches. */
export interface Matches {
  readonly connections: readonly string[];
  readonly identities: readonly string[];
  /** There are more than the search considers. */
  readonly hasMore: boolean;
}

/** SQL: the text as the terms are written, and the end of the range of those that begin with it. */
const RANGE = 'term >= search_words($2) and term < search_words($2) || chr(1114111)';

/** SQL: each range is read from the primary key of its table. */
export const MATCHES = `
  (select 'connection' as kind, connection_uuid as uuid from connection_term
   where search_words($2) <> '' and environment_uuid = $1 and ${RANGE} order by term limit ${MAX_CONNECTIONS + 1})
  union all
  (select 'identity', identity_uuid from identity_term
   where search_words($2) <> '' and environment_uuid = $1 and ${RANGE} order by term limit ${MAX_IDENTITIES + 1})`;

/** Finds the connections and identities of an environment with a word that begins with the text, and further words that follow. */
export async function findMatches(em: EntityManager, environmentUuid: string, text: string): Promise<Matches> {
  const rows = await sql<{ kind: 'connection' | 'identity'; uuid: string }>(em, MATCHES, [environmentUuid, text]);
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ uuid }) => uuid);
  const [connections, identities] = [of('connection'), of('identity')];
  return {
    connections: [...new Set(connections.slice(0, MAX_CONNECTIONS))],
    identities: [...new Set(identities.slice(0, MAX_IDENTITIES))],
    hasMore: connections.length > MAX_CONNECTIONS || identities.length > MAX_IDENTITIES,
  };
}
