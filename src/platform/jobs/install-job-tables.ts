import { PgBoss } from 'pg-boss';
import { QUEUE_OPTIONS, QUEUES } from './queues';

/** Jobs are updated several times and deleted soon: frequent vacuuming keeps the search for the next job fast. */
const TUNE_AUTOVACUUM = `
  do $$ declare part regclass; begin
    for part in select inhrelid::regclass from pg_inherits where inhparent = 'pgboss.job'::regclass loop
      execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.01)', part);
    end loop;
  end $$`;

/** Creates or updates the job engine's own schema and its queues. Part of the migration step. */
export async function installJobTables(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, migrate: true, supervise: false, schedule: false });
  boss.on('error', () => undefined); // start() rejects with it
  await boss.start();
  try {
    for (const name of QUEUES) {
      if (await boss.getQueue(name)) {
        const { policy: _fixedAtCreation, ...options } = QUEUE_OPTIONS;
        await boss.updateQueue(name, options);
      } else {
        await boss.createQueue(name, QUEUE_OPTIONS);
      }
    }
    await boss.getDb().executeSql(TUNE_AUTOVACUUM);
  } finally {
    await boss.stop({ graceful: false });
  }
}
