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
    /** Of the whole server: the main process and everything that it has started. */
    readonly usage: Usage,
  ) {}

  /** Below `dataDir`, where `Service.start` with the same folder finds it. The settings are those of the service's own. */
  static async start(dataDir: string): Promise<Database> {
    const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
    await migrateDatabase(server.url);
    const client = new Client({ connectionString: server.url });
    client.on('error', () => undefined); // the server ends before it
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
