import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/bootstrap/database/open-database';
import { TestEngine } from '../harness/engine/test-engine';
import { ServiceProcess } from '../e2e/start/service-process';
import { FaultProxy } from '../fakes/fault-proxy';
import { PostgresServer } from '../harness/app/postgres-server';
import { eventually } from '../harness/eventually';
import { freePort } from '../harness/free-port';
import { ProcessClock } from './process-clock';

const key = (fill: number) => `test:${Buffer.alloc(32, fill).toString('base64')}`;

/**
 * The service: a PostgreSQL, the API in this process, and one worker as a process of its own, which is killed. The worker reaches
 * the database through a proxy that cuts it off. The clock of both is moved by `advance`.
 */
export class ServiceUnderTest {
  private worker: Promise<ServiceProcess>;

  private constructor(
    private readonly database: PostgresServer,
    readonly engine: TestEngine,
    private readonly proxy: FaultProxy,
    private readonly clock: ProcessClock,
  ) {
    this.worker = this.startWorker();
  }

  static async start(): Promise<ServiceUnderTest> {
    const database = await PostgresServer.start();
    await migrateDatabase(database.url);
    const { hostname: host, port } = new URL(database.url);
    const proxy = await FaultProxy.start({ host, port: Number(port) });
    const engine = await TestEngine.start({ role: 'api', databaseUrl: database.url });
    const service = new ServiceUnderTest(database, engine, proxy, await ProcessClock.create());
    await service.ready();
    return service;
  }

  async stop(): Promise<void> {
    await this.worker.then((worker) => worker.kill('SIGKILL')).catch(() => undefined);
    await this.engine.stop();
    await this.proxy.stop();
    await this.clock.remove();
    await this.database.stop();
  }

  /** Milliseconds. */
  now(): number {
    return this.engine.app.clock.now().getTime();
  }

  async ready(): Promise<void> {
    await this.worker;
  }

  /** Moves the clock of all processes; due work is started. */
  async advance(seconds: number): Promise<void> {
    await this.clock.advance(seconds);
    await this.engine.advanceClock(seconds);
  }

  /** Kills the worker (SIGKILL); `before` runs between its death and the start of the next one, which is not awaited. */
  async killWorker(before: () => Promise<void>): Promise<void> {
    await (await this.worker).kill('SIGKILL');
    await this.waitForIdleDatabase();
    await before();
    await this.releaseWork();
    this.worker = this.startWorker();
    this.worker.catch(() => undefined); // thrown where it is awaited
  }

  /**
   * Suspends the worker beyond its leases; `before` runs before another one takes over its work, and `during` while that one works.
   * Then the suspended one continues, and ends when its work has ended.
   */
  async suspendWorker(before: () => Promise<void>, during: () => Promise<void>): Promise<void> {
    const suspended = await this.worker;
    do suspended.child.kill('SIGCONT');
    while (!(await this.isStoppedWithoutLocks(suspended)));
    await before();
    await this.releaseWork();
    this.worker = this.startWorker();
    await this.worker;
    await during();
    suspended.child.kill('SIGCONT');
    await suspended.kill('SIGTERM');
  }

  /** Resets all connections of the worker to the database and refuses new ones while `during` runs. */
  async cutOffWorker(during: () => Promise<void>): Promise<void> {
    await this.worker;
    this.proxy.faults(() => ({ refuse: true }));
    this.proxy.cutAll();
    try {
      await during();
    } finally {
      this.proxy.faults(() => ({}));
    }
  }

  /** Ends all sessions of the database, of the API too. */
  async terminateSessions(): Promise<void> {
    await this.engine.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    await this.waitForApi();
  }

  async restartDatabase(mode: 'fast' | 'immediate'): Promise<void> {
    await this.database.restart(mode);
    await this.waitForApi();
  }

  /** A query that is repeated once when its connection was lost. */
  rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.engine.rows<Row>(text, ...values).catch(() => this.engine.rows<Row>(text, ...values));
  }

  /** As a process manager does: a worker that finds no database ends, and is started again. */
  private async startWorker(starts = 10): Promise<ServiceProcess> {
    try {
      return await this.startOnce();
    } catch (error) {
      if (starts <= 1 || !String(error).includes('the database cannot be used')) throw error;
      return this.startWorker(starts - 1);
    }
  }

  private async startOnce(): Promise<ServiceProcess> {
    const url = new URL(this.database.url);
    url.port = String(this.proxy.port);
    const worker = await ServiceProcess.start(
      'main',
      {
        DATABASE_URL: url.href,
        DATABASE_POOL: '10',
        ENCRYPTION_KEYS: key(7),
        TOKEN_KEYS: key(9),
        ROLE: 'worker',
        PORT: String(await freePort()),
        DATA_DIR: '/dev/null/docfetch',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        NODE_COMPILE_CACHE: join(tmpdir(), 'docfetch-model-cache'),
        MODEL_CLOCK: this.clock.path,
      },
      [],
      ['--require', join(__dirname, 'follow-clock.cjs')],
    );
    return worker.ready();
  }

  /** The database would release the locks of a suspended process only after a minute. */
  private async isStoppedWithoutLocks({ child }: ServiceProcess): Promise<boolean> {
    child.kill('SIGSTOP');
    const [row] = await this.rows<{ locked: boolean }>(
      `select exists (select from pg_stat_activity where state like 'idle in transaction%') as locked`,
    );
    return !row!.locked;
  }

  /** The statements that a killed worker has sent have ended. */
  private waitForIdleDatabase(): Promise<boolean> {
    return eventually(async () => {
      const [row] = await this.rows<{ busy: boolean }>(
        `select exists (select from pg_stat_activity
           where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()) as busy`,
      );
      return !row!.busy;
    }, 'the statements of the killed worker have ended');
  }

  /** Ends the leases and releases the jobs of a dead or suspended worker immediately instead of after their timeout. */
  private async releaseWork(): Promise<void> {
    await this.rows('update connection set leased_until = now() where lease_token is not null');
    await this.rows(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
  }

  /** Requests are answered again, with several database connections at the same time. */
  private async waitForApi(): Promise<void> {
    const isUp = async () =>
      (await fetch(`${this.engine.app.url}/health/ready`)).status === 200 && this.engine.runPolls().then(() => true);
    await eventually(() => isUp().catch(() => false), 'the API has a database again');
  }
}
