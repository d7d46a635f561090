import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../../../src/bootstrap/database/open-database';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres';
import { Usage } from '../processes/usage';

/** A PostgreSQL server that belongs to the benchmark, with the service's schema, shared by services and baselines. */
export class Database implements AsyncDisposable {
  private constructor(
    private readonly server: EmbeddedPostgres,
    readonly client: Client,
    /** The usage of the whole server: the main process and all its child processes. */
    readonly usage: Usage,
  ) {}

  /** Starts it below `dataDir`, where `Service.start` with the same folder finds it, with the settings of the service's embedded database. */
  static async start(dataDir: string): Promise<Database> {
    const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    await migrateDatabase(server.url);
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined); // the server exits before it
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return new Database(server, client, new Usage(parentOf(rows[0]!.pid)));
  }

  get url(): string {
    return this.server.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end().catch(() => undefined);
    await this.server.stop();
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}
