import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { SweepWebhookDeliveries } from '../../../src/provisioning/retention/sweep-webhook-deliveries';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { createWebhook } from '../../e2e/connections/webhooks/webhook-helpers';
import { TestEngine, connectSandbox, type TransactionRow } from '../../harness/engine/test-engine';
import { createPushClient } from '../../e2e/provisioning/push/push-setup';
import type { ServiceProcess } from '../../e2e/start/service-process';
import { releaseJobs } from './dead-workers';
import { type ReceivedRequest, SlowReceiver } from './slow-receiver';
import type { SeededRandom } from './seeded-random';
import { startWorker } from './worker-process';

/** Documents and events that wait for each worker. */
const WAITING = 120;
/** The length of every tenth document, which is streamed. */
const LONG_KB = 1_500;
/** The maximum of requests in flight to one endpoint or webhook. */
const AT_ONCE = 8;
/** Documents that are read ahead for each endpoint. */
const AHEAD = 8;
/** Every third worker is killed within this time after it is ready. */
const SHORT_LIFE_MS = 400;
/** The other workers are killed shortly after at most this number of received requests. */
const LONG_LIFE_ARRIVALS = 80;
const MOMENT_MS = 60;

export interface PushCrashReport {
  readonly kills: number;
  /** Kills of a worker with documents in flight. */
  readonly inTheMiddle: number;
  readonly documents: number;
  /** Documents that arrived more than once. */
  readonly repeated: number;
  readonly events: number;
  /** Events whose delivery is unknown. */
  readonly interrupted: number;
}

/**
 * A service whose workers are killed repeatedly (kill -9) while they push documents and send events. This process is
 * the API and the receiver; the workers are separate processes.
 */
export class PushCrashTest {
  /** Results recorded before each kill: none of these may arrive again. */
  private readonly settled = new Map<string, number>();
  private inTheMiddle = 0;

  private constructor(
    private readonly engine: TestEngine,
    private readonly receiver: SlowReceiver,
    private readonly random: SeededRandom,
    private readonly pushing: { readonly client: TestClient; readonly models: readonly TransactionRow[] },
    private readonly pulling: { readonly client: TestClient; readonly model: TransactionRow },
  ) {}

  /** Creates two clients, one with push and one with webhooks, each with a document that is copied later. */
  static async start(random: SeededRandom): Promise<PushCrashTest> {
    const receiver = await SlowReceiver.start(random);
    const first = await TestEngine.start();
    // No worker runs yet, so nothing is pushed.
    const client = await createPushClient(first, receiver.url('documents'));
    await first.rows(
      `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 5, 'infinity')`,
      client.environmentUuid,
    );
    const webhookClient = await createTestClient(first.app, {
      provisioning: { strategy: 'WEBHOOK', url: null, auth: 'NONE', secret: null },
    });
    const model = async (of: TestClient, kilobytes: number) => {
      const connection = await connectSandbox(of, { documents: 1, new_per_fetch: 0, document_size_kb: kilobytes });
      await first.waitForFetches(connection, 1);
      return (await first.transactions(connection))[0]!;
    };
    const models = [await model(client, 5), await model(client, LONG_KB)];
    const pulled = await model(webhookClient, 5);
    await eventually(
      async () => (await first.count('select count(*) from outbox where dispatched_at is null')) === 0,
      'nobody is notified of what has happened so far',
    );
    await first.rows('update connection set next_fetch_at = null');
    await first.rows('delete from endpoint');
    await createWebhook(webhookClient, { url: receiver.url('events'), events: ['document.available'] });
    const { databaseUrl } = first.app;
    await first.stop();
    const engine = await TestEngine.start({ role: 'api', databaseUrl });
    return new PushCrashTest(engine, receiver, random, { client, models }, { client: webhookClient, model: pulled });
  }

  async killWorkers(kills: number): Promise<PushCrashReport> {
    let startWorker: ServiceProcess | null = null;
    try {
      for (let kill = 0; kill < kills; kill++) {
        await this.addDocuments();
        startWorker = await this.worker();
        await this.runWorkerUntilKilled(kill);
        await startWorker.kill('SIGKILL');
        await this.receiver.waitForClosedSockets();
        await this.countDeliveries(kill);
      }
      startWorker = await this.worker();
      await this.allSettled();
      await startWorker.kill('SIGTERM');
      await this.expectNothingLost();
      const interrupted = await this.expectEventsSentOnce(kills);
      return {
        kills,
        inTheMiddle: this.inTheMiddle,
        documents: new Set(this.receiver.pushes.map(({ key }) => key)).size,
        repeated: this.expectRepeatsWereInFlight(kills),
        events: this.receiver.events.length,
        interrupted,
      };
    } finally {
      await startWorker?.kill('SIGKILL');
    }
  }

  async stop(): Promise<void> {
    await this.engine.stop();
    await this.receiver.stop();
  }

  private async runWorkerUntilKilled(kill: number): Promise<void> {
    if (kill % 3 === 2) return pause(this.random.next() * SHORT_LIFE_MS);
    await this.receiver.waitForRequests(this.receiver.requestCount + this.random.between(1, LONG_LIFE_ARRIVALS));
    await pause(this.random.next() * MOMENT_MS);
  }

  private async worker(): Promise<ServiceProcess> {
    return (await startWorker(this.engine.app.databaseUrl)).ready();
  }

  /** Copies of the documents: new transactions that share their content, due now. */
  private async addDocuments(): Promise<void> {
    const due = await this.engine.count('select count(*) from transaction where due_at is not null');
    const [short, long] = this.pushing.models;
    for (let missing = WAITING - due, n = 0; n < missing; n++)
      await this.copyTransaction(n % 10 === 9 ? long! : short!, 'PENDING');
    const waiting = await this.engine.count(
      `select (select count(*) from outbox where dispatched_at is null)
        + (select count(*) from webhook_delivery where state = 'WAITING') as count`,
    );
    const { environmentUuid } = this.pulling.client;
    for (let missing = WAITING - waiting; missing > 0; missing--) {
      const transaction = await this.copyTransaction(this.pulling.model, 'AVAILABLE');
      await this.engine.rows(
        `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
         values ($1, $2, 'STANDARD', $3, 'document.available', jsonb_build_object('transaction_uuid', $4::text), now())`,
        uuid(),
        environmentUuid,
        this.pulling.model.connection_uuid,
        transaction,
      );
    }
  }

  private async copyTransaction(model: TransactionRow, status: 'PENDING' | 'AVAILABLE'): Promise<string> {
    const copy = uuid();
    await this.engine.rows(
      `insert into transaction select made.* from transaction t, jsonb_populate_record(t, jsonb_build_object(
         'uuid', $2::text, 'dedupe_key', $2::text, 'position', null, 'status', $3::text, 'attempts', 0, 'last_error', null,
         'settled_at', null, 'last_attempt_at', null, 'due_at', case when $3 = 'PENDING' then now() end)) made
       where t.uuid = $1`,
      model.uuid,
      copy,
      status,
    );
    return copy;
  }

  /** Counts documents in flight, remembers recorded results, and releases the jobs of the dead worker immediately. */
  private async countDeliveries(kill: number): Promise<void> {
    const delivered = await this.engine.rows<{ uuid: string }>(
      `select uuid from transaction where status = 'DELIVERED'`,
    );
    const known = new Set(delivered.map(({ uuid: key }) => key));
    if (this.receiver.pushes.some(({ worker, key }) => worker === kill && !known.has(key))) this.inTheMiddle++;
    for (const { uuid: key } of delivered) if (!this.settled.has(key)) this.settled.set(key, kill);
    await releaseJobs(this.engine);
  }

  private allSettled(): Promise<boolean> {
    return eventually(
      async () =>
        (await this.engine.count(
          `select (select count(*) from transaction where due_at is not null)
            + (select count(*) from outbox where dispatched_at is null)
            + (select count(*) from webhook_delivery where state = 'WAITING') as count`,
        )) === 0,
      'nothing waits any more',
      180_000,
    );
  }

  /** Expects that every document was delivered at the first recorded attempt: interrupted ones are not recorded. */
  private async expectNothingLost(): Promise<void> {
    const rows = await this.engine.rows<{ uuid: string; status: string; attempts: number; logged: string }>(
      `select t.uuid, t.status, t.attempts, (select count(*) from delivery_attempt a where a.transaction_uuid = t.uuid) as logged
       from transaction t where t.environment_uuid = $1`,
      this.pushing.client.environmentUuid,
    );
    const arrived = new Set(this.receiver.pushes.filter(({ answered }) => answered).map(({ key }) => key));
    for (const row of rows) {
      expect(row).toMatchObject({ status: 'DELIVERED', attempts: 1, logged: '1' });
      expect(arrived).toContain(row.uuid);
    }
    expect(rows.length).toBeGreaterThanOrEqual(WAITING);
    for (const { key, transaction } of this.receiver.pushes) if (transaction !== null) expect(transaction).toBe(key);
  }

  /** Returns how many documents arrived again; throws for repeats of one worker, or after the result was recorded. */
  private expectRepeatsWereInFlight(kills: number): number {
    const byKey = Map.groupBy(this.receiver.pushes, ({ key }) => key);
    let repeats = 0;
    for (const [key, arrivals] of byKey) {
      repeats += arrivals.length - 1;
      expect(new Set(arrivals.map(({ worker }) => worker)).size).toBe(arrivals.length);
      const settled = this.settled.get(key) ?? Infinity;
      expect(arrivals.at(-1)!.worker).toBeLessThanOrEqual(settled);
      expect(new Set(wholeBodies(arrivals)).size).toBe(1);
    }
    // The same number again, and the prefetched ones, may have arrived without a recorded result.
    expect(repeats).toBeLessThanOrEqual(kills * (2 * AT_ONCE + AHEAD));
    return [...byKey.values()].filter(({ length }) => length > 1).length;
  }

  /** Checks that each event is sent once (spec 6). Returns how many were interrupted. */
  private async expectEventsSentOnce(kills: number): Promise<number> {
    this.engine.app.clock.advance(301);
    await this.engine.app.app.get(SweepWebhookDeliveries, { strict: false }).sweep();
    const rows = await this.engine.rows<{ event_uuid: string; state: string; error_code: string | null }>(
      `select event_uuid, state, error_code from webhook_delivery where type = 'document.available'`,
    );
    const keys = this.receiver.events.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const delivered = rows.filter(({ state }) => state === 'DELIVERED');
    const interrupted = rows.filter(({ error_code }) => error_code === 'INTERRUPTED');
    expect(delivered.length + interrupted.length).toBe(rows.length);
    for (const { event_uuid } of delivered) expect(keys).toContain(event_uuid);
    expect(interrupted.length).toBeLessThanOrEqual(kills * AT_ONCE);
    const events = await this.engine.count(
      `select count(*) from outbox where environment_uuid = $1 and created_at > (select min(created_at) from webhook)`,
      this.pulling.client.environmentUuid,
    );
    expect(rows).toHaveLength(events);
    return interrupted.length;
  }
}

const wholeBodies = (arrivals: readonly ReceivedRequest[]) =>
  arrivals.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null);
