import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { deleteClusterFolder } from '../../src/platform/database/embedded/cluster-folder';
import { ADMIN_URL, RUN_ID, runPrefix } from './database';

interface ThrowAway {
  server: EmbeddedPostgres;
  dataDir: string;
}

/** Jest loads setup and teardown separately; they share only the global object. */
const kept = globalThis as { docfetchTestServer?: ThrowAway };

/** Stores what the teardown has to remove. */
export function keepForTeardown(server: ThrowAway): void {
  kept.docfetchTestServer = server;
}

/** Removes everything that the run has created: its own server with its files, or its databases on the server of DATABASE_URL. */
export default async function stopPostgres(): Promise<void> {
  const own = kept.docfetchTestServer;
  if (own) {
    await own.server.stop();
    await deleteClusterFolder(own.dataDir);
    delete kept.docfetchTestServer;
  } else {
    await dropDatabases();
  }
  delete process.env[ADMIN_URL];
  delete process.env[RUN_ID];
}

async function dropDatabases(): Promise<void> {
  const client = new Client({ connectionString: process.env[ADMIN_URL] });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [runPrefix()],
    );
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}
