import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ContentGarbageCollector } from '../../../src/fetches/execution/content-garbage-collector';
import type { Settings } from '../../../src/platform/config/settings';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { TestEngine } from '../../e2e/fetches/engine';
import { ServiceProcess } from '../../e2e/start/service-process';
import { sha256 } from '../../interop/imap/mailbox-session';
import type { SeededRandom } from './seeded-random';
import { freePort } from '../../harness/free-port';
import { WORKER_KEYS } from './worker-keys';

/** Connections that are fetched concurrently; each finished one is replaced by a new one. */
const AT_ONCE = 4;
/**
 * A third of the workers are killed within this time after they are ready: during login, listing or the first bytes.
 */
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
  /** Kills of a worker with an unfinished fetch. */
  readonly inTheMiddle: number;
  /** Connections whose documents were all fetched. */
  readonly connections: number;
  /** Contents without a record that were left by kills. */
  readonly orphans: number;
}

/**
 * A service whose workers are killed repeatedly (kill -9) while they fetch from a real server. This process is the API;
 * workers are separate processes. With `racing`, a second worker runs all the time, and at every kill the leases of
 * both expire, as if both had not renewed them in time.
 */
export class FetchCrashTest {
  private readonly connections: string[] = [];
  private inTheMiddle = 0;

  private constructor(
    private readonly engine: TestEngine,
    private readonly client: TestClient,
    private readonly source: FilledSource,
    private readonly random: SeededRandom,
    private readonly racing: boolean,
  ) {}

  static async start(source: FilledSource, random: SeededRandom, racing: boolean): Promise<FetchCrashTest> {
    const { providers = {} } = source;
    const engine = await TestEngine.start({ role: 'api', settings: { providers } });
    return new FetchCrashTest(engine, await createTestClient(engine.app), source, random, racing);
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
        await this.runWorkerUntilKilled();
        await alive.shift()!.kill('SIGKILL');
        const after = await this.leases();
        if ([...after].some((lease) => !before.has(lease))) this.inTheMiddle++;
        await this.endLeases();
        if (!this.racing) next = this.startWorker();
      }
      alive.push(await next);
      for (const uuid of this.connections) await this.engine.waitForFetches(uuid, 1, 120_000);
      for (const worker of alive.splice(0)) await worker.kill('SIGTERM');
      await this.expectExactlyOneRecord();
      return {
        kills,
        inTheMiddle: this.inTheMiddle,
        connections: this.connections.length,
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
  private async runWorkerUntilKilled(): Promise<void> {
    if (this.random.next() < 1 / 3) return pause(this.random.next() * SHORT_LIFE_MS);
    const recorded = () => this.engine.count('select sum(new) as count from "fetch"');
    const most = Math.min(LONG_LIFE_DOCUMENTS, this.source.hashes.length);
    const enough = (await recorded()) + this.random.between(1, most);
    const isEnough = async () => {
      await this.addConnections();
      return (await recorded()) >= enough;
    };
    await eventually(isEnough, 'documents are recorded', 120_000);
    await pause(this.random.next() * MOMENT_MS);
  }

  private async startWorker(): Promise<ServiceProcess> {
    const worker = await ServiceProcess.start('main', {
      ...WORKER_KEYS,
      ...variables(this.source.providers ?? {}),
      DATABASE_URL: this.engine.app.databaseUrl,
      ROLE: 'worker',
      PORT: String(await freePort()),
      DATA_DIR: '/dev/null/docfetch',
      DATABASE_POOL: '10',
      NODE_COMPILE_CACHE: join(tmpdir(), 'docfetch-crash-cache'),
    });
    return worker.ready();
  }

  private async addConnections(): Promise<void> {
    const open = await this.engine.count(`select count(*) from connection where last_fetch->>'finished_at' is null`);
    for (let missing = AT_ONCE - open; missing > 0; missing--) {
      this.connections.push(await this.source.connect(this.engine, this.client));
    }
  }

  /** The leases of all running fetches. */
  private async leases(): Promise<Set<string>> {
    const rows = await this.engine.rows<{ lease_token: string }>(
      'select lease_token from connection where lease_token is not null',
    );
    return new Set(rows.map((row) => row.lease_token));
  }

  /**
   * Ends the leases of a dead worker immediately instead of after their time. A fetch that is not the cause of the deaths must not end
   * because many of them happened to fall between two documents. The lock keeps workers that have been started from ending a fetch between
   * the snapshot of the update and the update.
   */
  private async endLeases(): Promise<void> {
    await this.engine.rows(
      `do $$ begin
         perform from connection where lease_token is not null order by uuid for update;
         update fetch_unfinished set interruptions = 0 where status = 'RUNNING';
         update connection set leased_until = now() where lease_token is not null;
       end $$`,
    );
  }

  private async expectExactlyOneRecord(): Promise<void> {
    const count = this.source.hashes.length;
    for (const uuid of this.connections) {
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
      expect(rows.map((row) => row.sha256).sort()).toEqual(this.source.hashes);
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
    const records = this.connections.length * this.source.hashes.length;
    expect(await this.engine.count('select count(*) from content')).toBe(records);
    expect(await this.engine.count(owned)).toBe(records);
    const [chunks] = await this.engine.rows<{ there: string; promised: string }>(
      `select (select count(*) from content_chunk) as there, (select sum(content_chunks) from transaction) as promised`,
    );
    expect(chunks!.there).toBe(chunks!.promised);
    return orphans;
  }
}

/** The same settings as environment variables. */
function variables(providers: Settings['providers']): Record<string, string> {
  const all = Object.entries(providers).flatMap(([id, { client, oauthBaseUrl, apiBaseUrl }]) => {
    const name = id.toUpperCase();
    return [
      [`OAUTH_${name}_CLIENT_ID`, client?.id],
      [`OAUTH_${name}_CLIENT_SECRET`, client?.secret],
      [`OAUTH_${name}_BASE_URL`, oauthBaseUrl],
      [`API_${name}_BASE_URL`, apiBaseUrl],
    ];
  });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
