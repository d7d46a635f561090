import { kept } from './start-poolers';
import { POOLER_PORTS } from './poolers';
import stopPostgres from './stop-postgres';

/** Ends the PgBouncers of the run, then its database server. */
export default async function stopPoolers(): Promise<void> {
  await Promise.all((kept.docfetchPgBouncers ?? []).map((pgBouncer) => pgBouncer.stop()));
  delete kept.docfetchPgBouncers;
  delete process.env[POOLER_PORTS];
  await stopPostgres();
}
