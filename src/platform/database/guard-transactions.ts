import type { Pool } from 'pg';
import { RequestScope } from '../request/request-scope';
import { lockStatements, refusalOf } from './served-environment';
import { notePosition } from './write-position';

/** A worker that freezes inside a transaction must not hold its locks, or dead rows of the queue, indefinitely. */
export const IDLE_IN_TRANSACTION_MS = 60_000;

const LIMIT_IDLE = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

const OTHER_ISOLATION = 'A transaction of a request has the default isolation level and access mode.';

/** The texts with which kysely begins transactions: the second one for those with an isolation level or access mode. */
export const isBegin = (text: unknown): text is string =>
  typeof text === 'string' && (text === 'begin' || text.startsWith('start transaction'));

/** The environments that the request may change, in the order in which every transaction locks their positions. */
function changedEnvironments(): string[] {
  const scope = RequestScope.get();
  if (!scope) return [];
  return [...(scope.environmentUuid ? [scope.environmentUuid] : []), ...scope.otherEnvironments].sort();
}

interface Result {
  readonly rows: readonly Parameters<typeof refusalOf>[0][];
}

/**
 * Completes the BEGIN of every transaction of the ORM, in one message.
 *
 * - Behind a pooler (`limitsIdle`), it limits the idle time: poolers reject the setting at the start of a connection, and a `SET`
 *   would reach other clients through a shared session.
 * - A transaction of a request locks its environment, so that it cannot be fenced meanwhile ({@link lockStatements}); this takes 0.1 ms.
 *   When it is fenced already, the next statement is rejected: kysely would not release a connection whose BEGIN fails. Other isolation
 *   levels are rejected too: their snapshot is older than the lock, and would not contain a fence that was committed while it was awaited.
 *
 * With a replica (`notesPositions`), the message that commits a transaction of a request also notes the position that the replica has to
 * replay before it answers for the environment ({@link notePosition}). If that fails, the request fails like one whose commit was not
 * confirmed.
 */
export function guardTransactions(
  pool: Pool,
  { limitsIdle, notesPositions }: { readonly limitsIdle: boolean; readonly notesPositions: boolean },
): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    let refusal: Error | null = null;
    const begin = async (text: string) => {
      refusal = null;
      const environment = RequestScope.get()?.environmentUuid;
      const more = [...(limitsIdle ? [LIMIT_IDLE] : []), ...(environment ? lockStatements(environment) : [])];
      const results = (await query([text, ...more].join('; '))) as Result | Result[];
      if (!Array.isArray(results)) return results;
      if (environment) refusal = text === 'begin' ? refusalOf(results.at(-1)!.rows[0]) : new Error(OTHER_ISOLATION);
      return results[0];
    };
    const commit = async (environments: readonly string[]) => {
      const [committed] = (await query(['commit', ...environments.map(notePosition)].join('; '))) as Result[];
      return committed;
    };
    const guarded = (...given: unknown[]) => {
      const [text] = given;
      if (isBegin(text)) return begin(text);
      if (!refusal) {
        const environments = notesPositions && text === 'commit' ? changedEnvironments() : [];
        return environments.length === 0 ? query(...given) : commit(environments);
      }
      const refused = refusal;
      if (text !== 'rollback') return Promise.reject(refused);
      refusal = null;
      return query(...given);
    };
    Object.assign(client, { query: guarded });
  });
}
