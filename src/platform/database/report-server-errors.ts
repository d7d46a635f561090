import type { Connection, DatabaseError, Pool, PoolClient } from 'pg';

/** Calls `report` with the SQLSTATE of each error that the server sends on a connection of the pool, whoever handles the error. */
export function reportServerErrors(pool: Pool, report: (sqlState: string) => void): void {
  pool.on('connect', (client) => {
    const { connection } = client as PoolClient & { readonly connection: Connection };
    connection.on('errorMessage', ({ code }: DatabaseError) => code && report(code));
  });
}
