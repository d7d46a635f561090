import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../e2e/start/service-process';
import { freePort } from '../../harness/free-port';
import { WORKER_KEYS } from './worker-keys';

/** Starts a worker on this database. It may not be ready yet. */
export async function startWorker(databaseUrl: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  return ServiceProcess.start('main', {
    ...WORKER_KEYS,
    DATABASE_URL: databaseUrl,
    ROLE: 'worker',
    PORT: String(await freePort()),
    DATA_DIR: '/dev/null/docfetch',
    DATABASE_POOL: '10',
    NODE_COMPILE_CACHE: join(tmpdir(), 'docfetch-crash-cache'),
    ...settings,
  });
}
