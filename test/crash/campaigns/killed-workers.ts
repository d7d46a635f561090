import { setTimeout as pause } from 'node:timers/promises';
import { ContentGarbageCollector } from '../../../src/fetches/execution/content-garbage-collector';
import type { Settings } from '../../../src/platform/config/settings';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine } from '../../harness/engine/test-engine';
import type { ServiceProcess } from '../../e2e/start/service-process';
import { sha256 } from '../../interop/imap/mailbox-session';
import { endFetchLeases } from './dead-workers';
import { settingsOf, variablesOf } from './provider-settings';
import type { SeededRandom } from './seeded-random';
import { startWorker } from './worker-process';

/**
 * Connections that are fetched concurrently, or one of each source if there are more sources; each finished one is replaced by
 * a new one of its source.
 */
const AT_ONCE = 4;
/** Every third worker is killed within this time after it is ready: during login, listing or the first bytes. */
const SHORT_LIFE_MS = 500;
/** The other workers are killed shortly after at most this number of recorded documents. */
const LONG_LIFE_DOCUMENTS = 150;
const MOMENT_MS = 120;
/** Documents of each connection that are pulled to the last byte. */
const PULLED = 10;

/** The source of a crash test. */
export interface FilledSource {
  /** The expected hashes of all documents of one connection, sorted. */
  readonly hashes: readonly string[];
  /** Settings of the provider for integrations that are configured by the deployment: address and OAuth client. */
  readonly providers?: Settings['providers'];
  /** Creates a connection whose first fetch is queued; returns its uuid. */
  connect(engine: TestEngine, client: TestClient): Promise<string>;
}

/** The result of a crash test, for printing and assertions. */
export interface FetchCrashReport {
  readonly kills: number;
  /** Kills of a worker with an unfinished fetch, of each source. */
  readonly inTheMiddle: readonly number[];
  /** Connections whose documents were all fetched. */
  readonly connections: number;
  /** Contents without a record that were left by kills. */
  readonly orphans: number;
}

/**
 * A service whose workers are killed repeatedly (kill -9) while they fetch from one or more sources. This process is the API;
 * workers are separate processes. With `racing`, a second worker runs all the time, and at every kill the leases of
 * both expire, as if both had not renewed them in time.
 */
export class FetchCrashTest {
  /** All connections with their source. */
  private readonly connections = new Map<string, FilledSource>();
  private readonly inTheMiddle = new Map<FilledSource, number>();

  private constructor(
    private readonly engine: TestEngine,
    private readonly client: TestClient,
    private readonly sources: readonly FilledSource[],
    private readonly random: SeededRandom,
    private readonly racing: boolean,
  ) {}

  static async start(sources: readonly FilledSource[], random: SeededRandom, racing: boolean): Promise<FetchCrashTest> {
    const engine = await TestEngine.start({ role: 'api', settings: { providers: settingsOf(sources) } });
    return new FetchCrashTest(engine, await createTestClient(engine.app), sources, random, racing);
  }

  /** Kills the given number of workers, lets a last one finish, and checks all records. */
  async killWorkers(kills: number): Promise<FetchCrashReport> {
    let next = this.startWorker();
    const alive: ServiceProcess[] = [];
    try {
      for (let kill = 1; kill <= kills; kill++) {
        await this.addConnections();
        const before = await this.leases();
        alive.push(await next);
        if (this.racing) next = this.startWorker();
        await this.runWorkerUntilKilled(kill);
        await alive.shift()!.kill('SIGKILL');
        const cut = [...(await this.leases())].filter(([lease]) => !before.has(lease));
        for (const source of new Set(cut.map(([, uuid]) => this.connections.get(uuid)!)))
          this.inTheMiddle.set(source, (this.inTheMiddle.get(source) ?? 0) + 1);
        await endFetchLeases(this.engine);
        if (!this.racing) next = this.startWorker();
      }
      alive.push(await next);
      for (const uuid of this.connections.keys()) await this.engine.waitForFetches(uuid, 1, 120_000);
      for (const worker of alive.splice(0)) await worker.kill('SIGTERM');
      await this.expectExactlyOneRecord();
      return {
        kills,
        inTheMiddle: this.sources.map((source) => this.inTheMiddle.get(source) ?? 0),
        connections: this.connections.size,
        orphans: await this.sweep(),
      };
    } finally {
      for (const worker of alive) await worker.kill('SIGKILL');
    }
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }

  /**
   * Waits for the moment to kill the worker. It depends on progress and not on time, so that slow machines get as far
   * as fast ones.
   */
  private async runWorkerUntilKilled(kill: number): Promise<void> {
    if (kill % 3 === 0) return pause(this.random.next() * SHORT_LIFE_MS);
    const recorded = () => this.engine.count('select sum(new) as count from "fetch"');
    const all = this.sources.reduce((sum, { hashes }) => sum + hashes.length, 0);
    const most = Math.min(LONG_LIFE_DOCUMENTS, all / 2);
    const enough = (await recorded()) + this.random.between(1, most);
    const isEnough = async () => {
      await this.addConnections();
      return (await recorded()) >= enough;
    };
    await eventually(isEnough, 'documents are recorded', 120_000);
    await pause(this.random.next() * MOMENT_MS);
  }

  private async startWorker(): Promise<ServiceProcess> {
    const settings = { ...variablesOf(settingsOf(this.sources)), WORKER_CONCURRENCY: '20' };
    return (await startWorker(this.engine.app.databaseUrl, settings)).ready();
  }

  private async addConnections(): Promise<void> {
    const rows = await this.engine.rows<{ uuid: string }>(
      `select uuid from connection where last_fetch->>'finished_at' is null`,
    );
    const open = rows.map(({ uuid }) => this.connections.get(uuid));
    const ofEach = Math.ceil(AT_ONCE / this.sources.length);
    for (const source of this.sources) {
      for (let missing = ofEach - open.filter((one) => one === source).length; missing > 0; missing--)
        this.connections.set(await source.connect(this.engine, this.client), source);
    }
  }

  /** The leases of all running fetches with their connection. */
  private async leases(): Promise<Map<string, string>> {
    const rows = await this.engine.rows<{ lease_token: string; uuid: string }>(
      'select lease_token, uuid from connection where lease_token is not null',
    );
    return new Map(rows.map((row) => [row.lease_token, row.uuid]));
  }

  private async expectExactlyOneRecord(): Promise<void> {
    for (const [uuid, { hashes }] of this.connections) {
      const count = hashes.length;
      expect(await this.engine.fetches(uuid)).toEqual([
        expect.objectContaining({
          trigger: 'INITIAL',
          status: 'SUCCEEDED',
          seen: count,
          new: count,
          duplicate: 0,
          filtered: 0,
          failed: 0,
        }),
      ]);
      const rows = await this.engine.transactions(uuid);
      expect(rows.map((row) => row.sha256).sort()).toEqual(hashes);
      for (let n = 0; n < PULLED; n++) {
        const row = rows[this.random.between(0, rows.length)]!;
        const { body } = await this.client
          .request('get', `/v1/transactions/${row.uuid}/document`)
          .set('Accept', 'application/octet-stream')
          .buffer(true)
          .parse((response, done) => {
            const parts: Buffer[] = [];
            response.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)));
          })
          .expect(200);
        expect(sha256(body as Buffer)).toBe(row.sha256);
      }
    }
  }

  /** Deletes content without a record, one day later; returns the number. */
  private async sweep(): Promise<number> {
    const orphans = await this.engine.count('select count(*) from content where attached_at is null');
    this.engine.app.clock.advance(25 * 3600);
    expect(await this.engine.app.app.get(ContentGarbageCollector, { strict: false }).collect()).toBe(orphans);
    const owned = 'select count(*) from content c join transaction t on t.content_uuid = c.uuid';
    const records = [...this.connections.values()].reduce((sum, { hashes }) => sum + hashes.length, 0);
    expect(await this.engine.count('select count(*) from content')).toBe(records);
    expect(await this.engine.count(owned)).toBe(records);
    const [chunks] = await this.engine.rows<{ there: string; promised: string }>(
      `select (select count(*) from content_chunk) as there, (select sum(content_chunks) from transaction) as promised`,
    );
    expect(chunks!.there).toBe(chunks!.promised);
    return orphans;
  }
}
