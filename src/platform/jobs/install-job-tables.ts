import { PgBoss } from 'pg-boss';
import { QUEUE_OPTIONS, QUEUES } from './queues';

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
  } finally {
    await boss.stop({ graceful: false });
  }
}
