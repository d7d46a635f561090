import type { Pool } from 'pg';
import { RequestScope } from '../request/request-scope';
import { lockStatements, refusalOf } from './served-environment';

/** A worker that freezes inside a transaction must not hold its locks, or dead rows of the queue, indefinitely. */
export const IDLE_IN_TRANSACTION_MS = 60_000;

const LIMIT_IDLE = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

interface Result {
  readonly rows: readonly Parameters<typeof refusalOf>[0][];
}

/**
 * Completes the BEGIN of every transaction of the ORM, in one message.
 *
 * - Behind a pooler (`limitsIdle`), it limits the idle time: poolers reject the setting at the start of a connection, and a `SET`
 *   would reach other clients through a shared session.
 * - A transaction of a request locks its environment, so that it cannot be fenced meanwhile ({@link lockStatements}). When it is fenced
 *   already, the next statement is rejected: kysely would not release a connection whose BEGIN fails.
 */
export function guardTransactions(pool: Pool, { limitsIdle }: { readonly limitsIdle: boolean }): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    let refusal: Error | null = null;
    const begin = async () => {
      const environment = RequestScope.get()?.environmentUuid;
      const more = [...(limitsIdle ? [LIMIT_IDLE] : []), ...(environment ? lockStatements(environment) : [])];
      const results = (await query(['begin', ...more].join('; '))) as Result | Result[];
      if (!Array.isArray(results)) return results;
      refusal = environment ? refusalOf(results.at(-1)!.rows[0]) : null;
      return results[0];
    };
    const guarded = (...given: unknown[]) => {
      if (given[0] === 'begin') return begin();
      if (!refusal) return query(...given);
      const refused = refusal;
      if (given[0] !== 'rollback') return Promise.reject(refused);
      refusal = null;
      return query(...given);
    };
    Object.assign(client, { query: guarded });
  });
}
