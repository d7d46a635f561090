import type { Pool } from 'pg';

/** A worker that freezes inside a transaction must not hold its locks, or dead rows of the queue, indefinitely. */
export const IDLE_IN_TRANSACTION_MS = 60_000;

const BEGIN = `begin; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/**
 * Limits the idle time of every transaction of the ORM in its BEGIN, in one message. Poolers reject the setting at the start of a
 * connection, and a `SET` would reach other clients through a shared session.
 */
export function limitTransactions(pool: Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const limited = (...given: unknown[]) =>
      given[0] === 'begin' ? query(BEGIN).then((results) => (results as unknown[])[0]) : query(...given);
    Object.assign(client, { query: limited });
  });
}
