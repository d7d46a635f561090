import { join } from 'node:path';
import { Child } from '../harness/processes/child';
import { BenchClient, finishedFetch, WITH_BENCH_CONNECTOR } from '../harness/data/client';
import { Database } from '../harness/data/database';
import { Service } from '../harness/processes/service';
import { until } from '../harness/until';
import type { Load } from './baseline.process';
import type { Order } from './receiver.process';

/** The cost of sending documents, for workers and database. */
export interface Sent {
  readonly aSecond: number;
  /** CPU milliseconds per document. */
  readonly workerCpu: number;
  readonly databaseCpu: number;
}

/** A database with pending documents, and endpoints that answer 200 to signed requests. */
export class DeliverySetup implements AsyncDisposable {
  private readonly secrets = new Map<string, string>();

  private constructor(
    readonly database: Database,
    private readonly dataDir: string,
    private readonly receiver: Child,
    private readonly base: string,
  ) {}

  static async start(folder: string): Promise<DeliverySetup> {
    const dataDir = join(folder, 'service');
    const database = await Database.start(dataDir);
    const receiver = Child.start(join(__dirname, 'receiver.process.js'), {});
    const { port } = await receiver.nextMessage<{ port: number }>();
    return new DeliverySetup(database, dataDir, receiver, `http://127.0.0.1:${port}`);
  }

  service(role: 'all' | 'worker', more: Readonly<Record<string, string>> = {}): Promise<Service> {
    const env = { DATABASE_URL: this.database.url, DATABASE_POOL: '15', ROLE: role, ...WITH_BENCH_CONNECTOR, ...more };
    return Service.start(this.dataDir, env);
  }

  /** Creates a client that fetches `count` documents, which then wait. Returns its environment. */
  async fetch(documents: number, bytes: number): Promise<string> {
    await using service = await this.service('all');
    const customer = await BenchClient.create(service);
    const connection = await customer.connect(documents, bytes);
    await until('the fetch succeeds', () => finishedFetch(this.database.client, connection), 3_600_000);
    await this.database.client.query('update connection set next_fetch_at = null');
    const { environment, secret } = customer;
    this.secrets.set(environment, secret);
    await this.receiver.ask({ path: `/${environment}`, secret } satisfies Order);
    return environment;
  }

  /** Resets all documents of an environment to pending. */
  async wait(environment: string): Promise<void> {
    await this.hold(environment);
    const { client } = this.database;
    await client.query(
      'delete from delivery_attempt a using transaction t where t.uuid = a.transaction_uuid and t.environment_uuid = $1',
      [environment],
    );
    await client.query(
      `update transaction set due_at = now(), status = 'PENDING', attempts = 0, settled_at = null where environment_uuid = $1`,
      [environment],
    );
    await client.query('vacuum analyze transaction');
    await client.query('checkpoint');
  }

  async hold(environment: string): Promise<void> {
    await this.database.client.query(
      `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 0, 'infinity')
       on conflict (environment_uuid) do update set circuit_open_until = 'infinity'`,
      [environment],
    );
  }

  private urlOf(environment: string): string {
    return `${this.base}/${environment}`;
  }

  /** Sets the endpoint to the receiver or another address, with a closed circuit. */
  async release(environment: string, url = this.urlOf(environment)): Promise<void> {
    const { client } = this.database;
    await client.query('update environment set provisioning_url = $2 where uuid = $1', [environment, url]);
    await client.query('delete from endpoint where environment_uuid = $1', [environment]);
  }

  /**
   * Lets workers send the pending documents of these environments. Measured from the first request, because workers poll twice
   * a second, until the last result is recorded.
   */
  async send(workers: readonly Service[], environments: readonly string[]): Promise<Sent> {
    const { client, usage } = this.database;
    const cpu = () => workers.reduce((sum, worker) => sum + worker.usage.cpu(), 0);
    const [workerBefore, databaseBefore] = [cpu(), usage.cpuOfFamily()];
    for (const environment of environments) await this.release(environment);
    // Uses an index-only search: counting the pending documents would load the database.
    const allDelivered = async () => {
      const waiting = await client.query(
        'select from transaction where environment_uuid = any($1::uuid[]) and not low_priority and due_at <= now() limit 1',
        [environments],
      );
      return waiting.rowCount === 0 ? true : undefined;
    };
    await until('all is delivered', allDelivered, 3_600_000);
    const [workerCpu, databaseCpu] = [cpu() - workerBefore, usage.cpuOfFamily() - databaseBefore];
    const { rows } = await client.query<{ count: number; ms: number }>(
      `select count(*)::integer as count,
         extract(epoch from max(settled_at) - min(last_attempt_at))::float8 * 1000 as ms
       from transaction where environment_uuid = any($1::uuid[]) and status = 'DELIVERED'`,
      [environments],
    );
    const { count, ms } = rows[0]!;
    return { aSecond: (count * 1000) / ms, workerCpu: workerCpu / count, databaseCpu: databaseCpu / count };
  }

  /** Sends all documents once, unmeasured, and stores the received bodies in this folder. */
  async storeBodies(folder: string, worker: Service, environment: string): Promise<void> {
    await this.receiver.ask({ keep: folder } satisfies Order);
    await this.send([worker], [environment]);
    await this.receiver.ask({ keep: null } satisfies Order);
  }

  /** Starts bare undici as a process that sends the stored bodies to the same endpoint. */
  async measureBaseline(environment: string, load: Omit<Load, 'url' | 'secret'>): Promise<Child> {
    const baseline = Child.start(join(__dirname, 'baseline.process.js'), {});
    await baseline.nextMessage();
    const [url, secret] = [this.urlOf(environment), this.secrets.get(environment)!];
    await baseline.ask({ ...load, url, secret } satisfies Load);
    return baseline;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.receiver[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
  }
}
