import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { deleteClusterFolder, findOwnerPid } from '../../src/platform/database/embedded/cluster-folder';
import { withClient } from '../../src/platform/database/with-client';
import { migrateDatabase } from '../../src/bootstrap/database/open-database';
import { ADMIN_URL, RUN_ID, templateDatabaseUrl } from './database';
import { keepForTeardown } from './stop-postgres';

const PREFIX = 'docfetch-test-';
const HOUR_MS = 3_600_000;

/**
 * Provides the database server of this test run: the one of DATABASE_URL, or a temporary one. Concurrent runs are
 * isolated: each has its own server, or at least its own database names.
 */
export default async function startPostgres(): Promise<void> {
  process.env[RUN_ID] = randomBytes(5).toString('hex');
  if (process.env.DATABASE_URL) {
    process.env[ADMIN_URL] = process.env.DATABASE_URL;
    await migrateDatabase(await templateDatabaseUrl());
    return;
  }
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  // As root, PostgreSQL runs under another account, which must be able to traverse the folder.
  await chmod(dataDir, 0o711);
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      durable: false,
      settings: { max_connections: '200', autovacuum_naptime: '1h', jit: 'off', scram_iterations: '1' },
    });
    keepForTeardown({ server, dataDir });
    process.env[ADMIN_URL] = server.url;
    await hashPasswordAgain(server.url);
    await migrateDatabase(await templateDatabaseUrl());
  } catch (error) {
    await deleteClusterFolder(dataDir);
    throw error;
  }
}

/** With one iteration instead of 4,096, which each of the thousands of connections of a run repeats. */
async function hashPasswordAgain(url: string): Promise<void> {
  const { username, password } = new URL(url);
  await withClient(url, (client) => client.query(`alter role ${username} password '${password}'`));
}

/** Removes the files of a killed test run, whose server has stopped with it. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    try {
      // A run that has just started has no owner yet.
      const claimed = await stat(join(folder, 'owner')).catch(() => null);
      const abandoned = claimed
        ? (await findOwnerPid(join(folder, 'owner'))) === null
        : Date.now() - (await stat(folder)).mtimeMs > HOUR_MS;
      if (abandoned) await deleteClusterFolder(folder);
    } catch {
      // Another run removes it concurrently, or it belongs to another user.
    }
  }
}
