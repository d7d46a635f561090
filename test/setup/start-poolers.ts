import { PgBouncer } from '../harness/app/pgbouncer';
import { ADMIN_URL } from './database';
import { POOLER_PORTS } from './poolers';
import startPostgres from './start-postgres';
import stopPostgres from './stop-postgres';

/** Jest loads setup and teardown separately; they share only the global object. */
export const kept = globalThis as { docfetchPgBouncers?: PgBouncer[] };

/** Provides the database server of `start-postgres.ts`, and in front of it a PgBouncer for each mode. */
export default async function startPoolers(): Promise<void> {
  await startPostgres();
  const server = process.env[ADMIN_URL]!;
  try {
    const [transaction, session] = await Promise.all([
      PgBouncer.start(server, 'transaction'),
      PgBouncer.start(server, 'session'),
    ]);
    kept.docfetchPgBouncers = [transaction, session];
    const ports = { server: new URL(server).host, transaction: transaction.port, session: session.port };
    process.env[POOLER_PORTS] = JSON.stringify(ports);
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}
