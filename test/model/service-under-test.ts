import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/bootstrap/database/open-database';
import { TestEngine } from '../harness/engine/test-engine';
import { ServiceProcess } from '../e2e/start/service-process';
import { FaultProxy } from '../fakes/fault-proxy';
import { PostgresServer } from '../harness/app/postgres-server';
import { eventually } from '../harness/eventually';
import { freePort } from '../harness/free-port';
import type { NetworkNamespace } from '../harness/network-namespace';
import { ProcessClock } from './process-clock';

const key = (fill: number) => `test:${Buffer.alloc(32, fill).toString('base64')}`;

/** The same settings as those of the API in this process (`startApp`). */
const PROCESS_SETTINGS = {
  DATABASE_POOL: '10',
  ENCRYPTION_KEYS: key(7),
  TOKEN_KEYS: key(9),
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_TOKEN: '1000000',
  RATE_LIMIT_FAILURES: '1000000',
  DATA_DIR: '/dev/null/docfetch',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  NODE_COMPILE_CACHE: join(tmpdir(), 'docfetch-model-cache'),
};

const networksOf = (namespace?: NetworkNamespace): string[] => [
  '127.0.0.0/8',
  '::1/128',
  ...(namespace ? [namespace.subnet] : []),
];

/** Environment variables that shift the wall clock of a process, and not its monotonic clock (Debian's libfaketime). */
const shiftedClock = (seconds: number) => ({
  LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
  FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** Where and when a process of the service runs. */
export interface Place {
  /** The network, by default that of the test. */
  readonly namespace?: NetworkNamespace;
  /** How many seconds its wall clock is ahead of the test's, by default none; `advance` moves it too. */
  readonly aheadSeconds?: number;
}

/** A process of the service, and the address at which it answers. */
export interface StartedProcess {
  readonly process: ServiceProcess;
  readonly url: string;
}

/**
 * The service: a PostgreSQL, the API in this process, and one worker as a process of its own, which is killed. The worker reaches
 * the database through a proxy that cuts it off, or from its own network. The clock of both is moved by `advance`.
 */
export class ServiceUnderTest {
  private worker: Promise<ServiceProcess>;
  /** The address at which the worker answers. */
  workerUrl = '';
  private readonly further: ServiceProcess[] = [];
  /** How far the clocks of the workers are ahead, in seconds. */
  private readonly workersAhead: number[] = [];

  private constructor(
    private readonly database: PostgresServer,
    readonly engine: TestEngine,
    private readonly proxy: FaultProxy,
    private readonly clock: ProcessClock,
    private readonly place: Place,
    private readonly namespace?: NetworkNamespace,
  ) {
    this.worker = this.startWorker();
  }

  /** With a network, its processes reach the database and endpoints from there; `place` is that of the worker. */
  static async start(place: Place = {}, namespace?: NetworkNamespace): Promise<ServiceUnderTest> {
    const database = await PostgresServer.start(undefined, namespace);
    await migrateDatabase(database.url);
    const { hostname: host, port } = new URL(database.url);
    const proxy = await FaultProxy.start({ host, port: Number(port) });
    const settings = { networkAllow: networksOf(namespace) };
    const engine = await TestEngine.start({ role: 'api', databaseUrl: database.url, settings });
    const service = new ServiceUnderTest(database, engine, proxy, await ProcessClock.create(), place, namespace);
    await service.ready();
    return service;
  }

  async stop(): Promise<void> {
    await this.worker.then((worker) => worker.kill('SIGKILL')).catch(() => undefined);
    await Promise.all(this.further.map((process) => process.kill('SIGKILL')));
    await this.engine.stop();
    await this.proxy.stop();
    await this.clock.remove();
    await this.database.stop();
  }

  /** Milliseconds. */
  now(): number {
    return this.engine.app.clock.now().getTime();
  }

  /** The time of the worker whose clock is ahead of the others', in milliseconds: what is due by it is done. */
  workersNow(): number {
    return this.now() + 1000 * Math.max(...this.workersAhead);
  }

  /** The dates that workers write do not show their order. */
  get clocksDiffer(): boolean {
    return new Set(this.workersAhead).size > 1;
  }

  /** Where endpoints listen, so that all processes reach them. */
  get address(): string {
    return this.namespace?.machine ?? '127.0.0.1';
  }

  get databasePort(): number {
    return Number(new URL(this.database.url).port);
  }

  async ready(): Promise<void> {
    await this.worker;
  }

  /** The process of the worker, to be paused for example. */
  currentWorker(): Promise<ServiceProcess> {
    return this.worker;
  }

  /** Starts one more process beside the worker; `stop` ends it, if it still runs. */
  async startFurther(role: 'api' | 'worker', place: Place = {}): Promise<StartedProcess> {
    const started = await this.startOnce(role, place);
    this.further.push(started.process);
    return started;
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
      const { process, url } = await this.startOnce('worker', this.place);
      this.workerUrl = url;
      return process;
    } catch (error) {
      if (starts <= 1 || !String(error).includes('the database cannot be used')) throw error;
      return this.startWorker(starts - 1);
    }
  }

  private async startOnce(role: 'api' | 'worker', { namespace, aheadSeconds = 0 }: Place): Promise<StartedProcess> {
    const port = await freePort();
    const url = new URL(this.database.url);
    if (namespace) url.hostname = namespace.machine;
    else url.port = String(this.proxy.port);
    const started = await ServiceProcess.start(
      'main',
      {
        ...PROCESS_SETTINGS,
        DATABASE_URL: url.href,
        PUBLIC_URL: this.engine.app.settings.publicUrl,
        NETWORK_ALLOW: networksOf(this.namespace).join(),
        ROLE: role,
        PORT: String(port),
        MODEL_CLOCK: this.clock.path,
        ...(aheadSeconds !== 0 && shiftedClock(aheadSeconds)),
      },
      [],
      ['--require', join(__dirname, 'follow-clock.cjs')],
      undefined,
      namespace?.command,
    );
    if (role === 'worker') this.workersAhead.push(aheadSeconds);
    return { process: await started.ready(), url: `http://${namespace?.address ?? '127.0.0.1'}:${port}` };
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
