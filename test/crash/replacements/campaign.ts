import { setTimeout as pause } from 'node:timers/promises';
import { RemoveObjects } from '../../../src/documents/store/bucket/remove-objects';
import { ReplaceDataKeys } from '../../../src/encryption/replace-data-keys';
import { ReplaceKeys } from '../../../src/encryption/replace-keys';
import { ContentGarbageCollector } from '../../../src/fetches/execution/content-garbage-collector';
import { createWebhook } from '../../e2e/connections/webhooks/webhook-helpers';
import type { ServiceProcess } from '../../e2e/start/service-process';
import { Receiver } from '../../fakes/receiver';
import { createTestClient } from '../../harness/app/test-client';
import { EncryptedValues } from '../../harness/encryption/encrypted-values';
import { connectSandbox, TestEngine } from '../../harness/engine/test-engine';
import { eventually } from '../../harness/eventually';
import { sha256 } from '../../interop/imap/mailbox-session';
import { endFetchLeases, releaseJobs } from '../campaigns/dead-workers';
import type { SeededRandom } from '../campaigns/seeded-random';
import { startWorker } from '../campaigns/worker-process';
import { ClientsAtWork, type UsedConnection } from './clients-at-work';
import { FinalState } from './final-state';
import { KEPT_SECONDS, KeyHistory } from './key-history';
import { type DocumentPlace, SlowBucket } from './slow-bucket';

const ENVIRONMENTS = 3;
/** The connections of each environment: most documents are short, some have several chunks, and some so many that a bucket has a tail. */
const PORTALS = [
  ...Array.from({ length: 4 }, () => ({ documents: 6, document_size_kb: 20, new_per_fetch: 1 })),
  { documents: 3, document_size_kb: 900, new_per_fetch: 1 },
  { documents: 1, document_size_kb: 11_000, new_per_fetch: 0 },
];
/** Longer than every lease, and than a new key waits until it encrypts. */
const TEN_MINUTES = 601;
/** A third of the workers are killed within this time after they are ready. */
const SHORT_LIFE_MS = 400;
/** The other workers are killed shortly after at most this number of steps. */
const LONG_LIFE_STEPS = 40;
const MOMENT_MS = 60;
/** Also on a machine that does a lot else. */
const READY_MS = 300_000;
const SLOWEST_ANSWER_MS = 30;

/** A worker that was alive has taken or renewed the lease of a step a moment ago. */
const IN_PROGRESS = `replaced_at is not null and due_at between now() + interval '200 seconds' and now() + interval '300 seconds'`;
/** Grows with each step of a replacement. */
const STEPS = `select (select sum(version) from data_key) + (select sum(key_version) from content)
  + (select count(*) from audit_log where action = 'encryption.destroy-data-key') as count`;
const WAITING = `select (select count(*) from transaction where due_at is not null)
  + (select count(*) from connection where next_fetch_at <= now() or immediate_fetch_at is not null or lease_token is not null)
  + (select count(*) from fetch_unfinished) as count`;
const BUSY = `select count(*) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`;
/** Documents of which a part is encrypted with a newer key. */
const HALFWAY = `select (select count(*) from content where reencrypting_until > now()) + (select count(*) from (
  select from content_chunk group by content_uuid having count(distinct ciphertext_key_version(substring(bytes for 8))) > 1) mixed) as count`;

export interface ReplacementCrashReport {
  readonly place: DocumentPlace;
  readonly kills: number;
  /** Kills of a worker that was replacing a data key. */
  readonly inTheMiddle: number;
  /** Kills of a worker that had encrypted a part of a document. */
  readonly halfway: number;
  /** Former keys that workers, and not the end of the test, have destroyed. */
  readonly destroyed: number;
  readonly documents: number;
  readonly pulled: number;
  readonly pushed: number;
}

/**
 * A service whose workers are killed repeatedly (kill -9) while they replace the data keys of many connections and environments, and fetch
 * and push. This process is the API with its clients, the bucket and the receiver; workers are separate processes, one or two at a time.
 * Time passes for the keys only between two lives, when no process runs anything.
 */
export class ReplacementCrashTest {
  private readonly history: KeyHistory;
  private readonly values: EncryptedValues;
  private readonly clients: ClientsAtWork;
  /** The encrypted values before the first replacement. */
  private readonly before = new Map<string, string>();
  /** The hashes of the documents that were pushed, by their transactions. */
  private readonly pushed = new Map<string, Set<string>>();
  private inTheMiddle = 0;
  private halfway = 0;

  private constructor(
    private readonly engine: TestEngine,
    private readonly bucket: SlowBucket,
    private readonly receiver: Receiver,
    private readonly random: SeededRandom,
    private readonly environmentUuids: readonly string[],
    private readonly connections: readonly UsedConnection[],
  ) {
    this.history = new KeyHistory(engine);
    this.values = new EncryptedValues(engine.app.app);
    this.clients = new ClientsAtWork(engine, connections, random);
    receiver.when(
      ({ path }) => path === '/documents',
      async ({ received, response, read }) => {
        this.recordPush(await read());
        received.body = null; // not needed any more
        await pause(random.next() * SLOWEST_ANSWER_MS);
        response.end('ok');
      },
    );
  }

  static async start(place: DocumentPlace, random: SeededRandom): Promise<ReplacementCrashTest> {
    const bucket = await SlowBucket.start(place, random);
    const receiver = await Receiver.start();
    const engine = await TestEngine.start({ role: 'api', settings: bucket.settings });
    const environments: string[] = [];
    const connections: UsedConnection[] = [];
    for (let n = 0; n < ENVIRONMENTS; n++) {
      const client = await createTestClient(engine.app, {
        provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'BEARER', secret: 's3cret' },
      });
      await createWebhook(client, { url: receiver.url('/events') });
      environments.push(client.environmentUuid);
      for (const portal of PORTALS) connections.push({ client, uuid: await connectSandbox(client, portal) });
    }
    return new ReplacementCrashTest(engine, bucket, receiver, random, environments, connections);
  }

  async killWorkers(kills: number): Promise<ReplacementCrashReport> {
    await this.finishWork();
    await this.fill();
    await this.requestSuccessors(null);
    for (let kill = 0; kill < kills; kill++) {
      await this.passTime(this.random.next() < 1 / 3 ? KEPT_SECONDS : TEN_MINUTES);
      await this.live(this.environmentUuids[kill % ENVIRONMENTS]!);
      await this.history.expectDestroyedInTime();
    }
    await this.finishWork();
    const destroyed = this.history.destroyed.size;
    await this.finishReplacements();
    const state = new FinalState(this.engine, this.values, this.bucket);
    await state.expectValues(this.environmentUuids, this.before, this.clients.passwords);
    return {
      place: this.bucket.place,
      kills,
      inTheMiddle: this.inTheMiddle,
      halfway: this.halfway,
      destroyed,
      documents: await state.expectDocuments(this.pushed),
      pulled: this.clients.pulled,
      pushed: this.pushed.size,
    };
  }

  async stop(): Promise<void> {
    await this.engine.stop();
    await this.receiver.stop();
    await this.bucket.stop();
  }

  /** A worker that is not killed fetches and pushes until nothing is left to do. */
  private async finishWork(): Promise<void> {
    const worker = await (await this.startWorker()).ready();
    try {
      await eventually(async () => (await this.engine.count(WAITING)) === 0, 'nothing waits', READY_MS);
    } finally {
      await worker.kill('SIGTERM');
    }
    await this.waitForSilence();
    await this.history.expectDestroyedInTime();
  }

  /** Fills every encrypted column, and remembers what is in them. */
  private async fill(): Promise<void> {
    for (const environment of this.environmentUuids) {
      const { uuid } = this.connections.find(({ client }) => client.environmentUuid === environment)!;
      await this.values.fill(environment, uuid);
      const values = await this.values.read(environment);
      expect(this.values.columnsOf(values)).toEqual(this.values.columns);
      for (const [key, value] of values) this.before.set(key, value);
    }
  }

  /** The life of one or two workers, during which the keys of an environment get successors. */
  private async live(environment: string): Promise<void> {
    const workers: ServiceProcess[] = [];
    const enough = (await this.engine.count(STEPS)) + this.random.between(1, LONG_LIFE_STEPS);
    await this.fetchSome();
    try {
      workers.push(await this.startWorker());
      if (this.random.next() < 1 / 3) workers.push(await this.startWorker());
      this.clients.start();
      await this.requestSuccessors(environment);
      await this.runUntilKilled(workers[0]!, enough);
    } finally {
      for (const worker of workers) await worker.kill('SIGKILL');
      await this.clients.stop();
    }
    await this.waitForSilence();
    await this.countInterrupted();
    await endFetchLeases(this.engine);
    await releaseJobs(this.engine);
  }

  /** Waits for the moment to kill it, which depends on progress, so that slow machines get as far as fast ones. */
  private async runUntilKilled(worker: ServiceProcess, enough: number): Promise<void> {
    if (this.random.next() < 1 / 3) {
      await worker.ready();
      return pause(this.random.next() * SHORT_LIFE_MS);
    }
    const left = `select count(*) from data_key_version where due_at <= now() or (${IN_PROGRESS})`;
    const isEnough = async () => (await this.engine.count(STEPS)) >= enough || (await this.engine.count(left)) === 0;
    await Promise.race([
      worker.end().then(({ stdout, stderr }) => Promise.reject(new Error(`A worker has ended: ${stdout}${stderr}`))),
      eventually(isEnough, 'data keys are replaced', READY_MS),
    ]);
    await pause(this.random.next() * MOMENT_MS);
  }

  private startWorker(): Promise<ServiceProcess> {
    return startWorker(this.engine.app.databaseUrl, this.bucket.variables);
  }

  /** Some connections become due. */
  private async fetchSome(): Promise<void> {
    for (let n = 0; n < 4; n++) {
      const { uuid } = this.connections[this.random.between(0, this.connections.length)]!;
      await this.engine.rows('update connection set next_fetch_at = now() where uuid = $1', uuid);
    }
  }

  /** Resolves when neither the database nor the bucket works on anything that the dead have asked for. */
  private async waitForSilence(): Promise<void> {
    await eventually(async () => (await this.engine.count(BUSY)) === 0, 'the database has nothing to do');
    await this.bucket.waitForSilence();
  }

  private async countInterrupted(): Promise<void> {
    const inProgress = `select count(*) from data_key_version where ${IN_PROGRESS}`;
    if ((await this.engine.count(inProgress)) > 0) this.inTheMiddle++;
    if ((await this.engine.count(HALFWAY)) > 0) this.halfway++;
  }

  /** Of an environment, or of all. */
  private async requestSuccessors(environment: string | null): Promise<void> {
    await this.engine.app.app.get(ReplaceDataKeys, { strict: false }).request('cli:test', environment);
  }

  /** Contents that killed fetches have left are removed after a day. */
  private async passTime(seconds: number): Promise<void> {
    await this.history.passTime(seconds);
    await this.engine.app.app.get(ContentGarbageCollector, { strict: false }).collect();
  }

  /** Ten minutes and a day later, nothing is left of a replacement: no step needs more than its time. */
  private async finishReplacements(): Promise<void> {
    for (const seconds of [TEN_MINUTES, KEPT_SECONDS]) {
      await this.passTime(seconds);
      await this.engine.app.app.get(ReplaceKeys, { strict: false }).replaceDue();
      await this.history.expectDestroyedInTime();
    }
    await this.history.expectOnlyNewest(this.environmentUuids.length + this.connections.length);
    await this.passTime(KEPT_SECONDS);
    await this.engine.app.app.get(RemoveObjects, { strict: false }).removeDue();
  }

  private recordPush(body: Buffer): void {
    const { transaction_uuid, document } = JSON.parse(body.toString()) as {
      transaction_uuid: string;
      document: { base64: string };
    };
    const hashes = this.pushed.get(transaction_uuid) ?? new Set();
    this.pushed.set(transaction_uuid, hashes.add(sha256(Buffer.from(document.base64, 'base64'))));
  }
}
