import type { Pool, PoolClient } from 'pg';
import { isDatabaseUnavailable } from '../availability/database-unavailable';
import { isBegin } from './guard-transactions';

/**
 * Releases connections that were lost during a transaction. Kysely 0.29 releases a connection only after a successful ROLLBACK
 * or BEGIN, which a lost connection cannot provide: every transaction that a restart of the database interrupts would occupy a
 * slot of the pool permanently, until all slots are lost and the process waits forever.
 */
export function releaseDeadConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const watched = (...given: unknown[]) => {
      const answer = query(...given);
      if (given[0] === 'rollback') return answer.catch(doneAnyway);
      if (isBegin(given[0])) return answer.catch((error: unknown) => releaseClient(client, error));
      return answer;
    };
    Object.assign(client, { query: watched });
  });
}

/** When the connection is lost, the server has rolled back the transaction. */
function doneAnyway(error: unknown): { command: string; rowCount: number; rows: never[] } {
  if (!isDatabaseUnavailable(error)) throw error;
  return { command: 'ROLLBACK', rowCount: 0, rows: [] };
}

function releaseClient(client: PoolClient, error: unknown): never {
  client.release(error as Error);
  throw error;
}
