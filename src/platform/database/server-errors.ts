import type { Connection, DatabaseError, Pool, PoolClient } from 'pg';
import type { Metrics } from '../metrics/metrics';

/** What PostgreSQL lacks when it sends an SQLSTATE of class 53 (insufficient resources), 58 (system error) or 25006. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['58030', 'io_error'],
  ['25006', 'read_only'],
]);

/** Counts errors of the server that an operator has to repair, by reason, as `docfetch_database_errors_total`. */
export function countDatabaseErrors(metrics: Metrics): (sqlState: string) => void {
  const errors = metrics.counter(
    'docfetch_database_errors_total',
    'Errors of PostgreSQL that its operator has to repair, by reason.',
    ['reason'],
  );
  // A series that begins with its first error has no increase.
  for (const reason of REASONS.values()) errors.inc({ reason }, 0);
  return (sqlState) => {
    const reason = REASONS.get(sqlState);
    if (reason) errors.inc({ reason });
  };
}

/** Calls `report` with the SQLSTATE of each error that the server sends on a connection of the pool, also of those that are handled. */
export function reportServerErrors(pool: Pool, report: (sqlState: string) => void): void {
  pool.on('connect', (client) => {
    const { connection } = client as PoolClient & { readonly connection: Connection };
    connection.on('errorMessage', ({ code }: DatabaseError) => code && report(code));
  });
}
