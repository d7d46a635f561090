import type { Pool, PoolClient } from 'pg';
import { isDatabaseUnavailable } from '../availability/database-unavailable';

/**
 * Makes a pool get back the places of connections that died in a transaction. Kysely 0.29 gives a connection back when a
 * ROLLBACK has succeeded, or a BEGIN, and on a dead connection neither does: every transaction that a restart of the
 * database cuts off would cost a place for good, until the process has none left and waits for ever.
 */
export function releaseDeadConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const watched = (...given: unknown[]) => {
      const answer = query(...given);
      if (given[0] === 'rollback') return answer.catch(doneAnyway);
      if (given[0] === 'begin') return answer.catch((error: unknown) => giveBack(client, error));
      return answer;
    };
    Object.assign(client, { query: watched });
  });
}

/** With its connection a transaction has ended: the server has rolled it back. */
function doneAnyway(error: unknown): { command: string; rowCount: number; rows: never[] } {
  if (!isDatabaseUnavailable(error)) throw error;
  return { command: 'ROLLBACK', rowCount: 0, rows: [] };
}

function giveBack(client: PoolClient, error: unknown): never {
  client.release(error as Error);
  throw error;
}
