import { join } from 'node:path';
import type { Client } from 'pg';
import type { Service } from '../processes/service';

/** Settings that add the bench connector to a service's integration registry. */
export const WITH_BENCH_CONNECTOR = { NODE_OPTIONS: `--require ${join(__dirname, 'bench-connector.js')}` };

/**
 * An environment whose documents stay due, because the circuit of its endpoint is open. The text of PDFs is not read: what that
 * costs is measured by the benchmark `text-reading`.
 */
export class BenchClient {
  private constructor(
    private readonly service: Service,
    readonly environment: string,
    readonly key: string,
    readonly identity: string,
    /** Its signing secret. */
    readonly secret: string,
  ) {}

  static async create(service: Service): Promise<BenchClient> {
    const made = await service.command<{ environment_uuid: string; api_key: string; signing_secret: string }>(
      ...['environment', 'create', '--client', 'Bench', '--name', 'Bench', '--kind', 'test'],
    );
    const environment = made.environment_uuid;
    await service.command('environment', 'update', environment, '--text-extraction', 'off');
    const url = 'http://127.0.0.1:9/documents';
    await service.command('provisioning', 'set', '--environment', environment, '--strategy', 'push', '--url', url);
    await service.database.query(
      `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 0, 'infinity')`,
      [environment],
    );
    const { identity_uuid } = await service.call<{ identity_uuid: string }>(made.api_key, 'POST', '/v1/identities', {
      client_identifier: 'bench',
    });
    return new BenchClient(service, environment, made.api_key, identity_uuid, made.signing_secret);
  }

  /** Creates a connection with documents generated in memory. Its first fetch starts immediately. Returns its uuid. */
  connect(documents: number, bytes: number): Promise<string> {
    return this.connectTo('bench', { documents, bytes });
  }

  /** Creates a connection to any source. Its first fetch starts immediately. Returns its uuid. */
  async connectTo(integration: string, fields: Readonly<Record<string, unknown>>): Promise<string> {
    const { uuid } = await this.service.call<{ uuid: string }>(this.key, 'POST', '/v1/connections/migrate', {
      integration_id: integration,
      name: 'Bench',
      identity_uuid: this.identity,
      fields,
    });
    return uuid;
  }
}

/** The duration of the connection's n-th fetch in milliseconds; undefined while it runs. Rejects when it failed. */
export async function finishedFetch(database: Client, connection: string, nth = 1): Promise<number | undefined> {
  const { rows } = await database.query<{ status: string; ms: number }>(
    `select status, extract(epoch from finished_at - started_at)::float8 * 1000 as ms
     from "fetch" where connection_uuid = $1 and finished_at is not null order by created_at offset $2`,
    [connection, nth - 1],
  );
  const [run] = rows;
  if (run && run.status !== 'SUCCEEDED') throw new Error(`The fetch has ended as ${run.status}.`);
  return run?.ms;
}
