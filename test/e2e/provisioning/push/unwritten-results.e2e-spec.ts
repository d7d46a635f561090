import { Writable } from 'node:stream';
import { migrateDatabase } from '../../../../src/bootstrap/database/open-database';
import { PushCapacity } from '../../../../src/provisioning/push/sending/push-capacity';
import { PushLimits } from '../../../../src/provisioning/shared/push-limits';
import { FaultProxy } from '../../../fakes/fault-proxy';
import { Gate, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { throughPooler } from '../../../setup/poolers';
import { PostgresServer } from '../../../harness/app/postgres-server';
import { TestEngine } from '../../../harness/engine/test-engine';
import { copyTransactions, createDocuments, isDelivered, waitForDrains, waitForIdlePush } from './push-setup';

const DOCUMENTS = 300;
const OUTAGES = 6;

describe('Push results while the database is unavailable (decisions 6)', () => {
  let server: PostgresServer;
  let proxy: FaultProxy;
  let receiver: Receiver;
  let engine: TestEngine;
  let environment: string;
  let model: string;
  let log = '';
  /** Queries the database directly, without the proxy. */
  let observer: TestEngine['rows'];

  beforeAll(async () => {
    [server, receiver] = await Promise.all([PostgresServer.start(), Receiver.start()]);
    await migrateDatabase(server.url);
    const { databaseUrl, ...pooling } = throughPooler(server.url);
    const address = new URL(databaseUrl);
    proxy = await FaultProxy.start({ host: '127.0.0.1', port: Number(address.port) });
    address.port = String(proxy.port);
    const sink = new Writable({
      write: (line: Buffer, _, done) => {
        log += line.toString();
        done();
      },
    });
    const settings = { databaseUrl: address.href, ...pooling, logLevel: 'error' } as const;
    engine = await TestEngine.start({ databaseUrl: server.url, log: sink, settings });
    observer = (text, ...values) => engine.rows(text, ...values);
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    environment = client.environmentUuid;
    model = transactions[0]!.uuid;
    await engine.waitForTransaction(model, 'the first one is delivered', isDelivered);
    receiver.clear();
  });
  beforeEach(async () => {
    // To an endpoint that a busy machine has made slow, several documents would be sent at once.
    await waitForDrains(engine);
    engine.app.app.get(PushCapacity, { strict: false }).rememberWindow(environment, 1);
  });
  afterEach(() => receiver.clear());
  afterAll(async () => {
    await engine?.stop().catch(() => undefined);
    await receiver?.stop();
    await proxy?.stop();
    await server?.stop();
  });

  const waiting = async (): Promise<number> => {
    const text = 'select count(*) from transaction where environment_uuid = $1 and due_at is not null';
    const ask = () => observer<{ count: string }>(text, environment);
    const [row] = await ask().catch(() => ask());
    return Number(row!.count);
  };
  const expectOnceEach = async (uuids: readonly string[]) => {
    await eventually(async () => (await waiting().catch(() => 1)) === 0, 'all is written', 90_000);
    expect(receiver.keys).toHaveLength(uuids.length);
    expect(new Set(receiver.keys)).toEqual(new Set(uuids));
    const rows = await observer<{ attempts: number }>(
      'select attempts from transaction where uuid = any($1::uuid[])',
      uuids,
    );
    expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  };

  it.each(['restarted', 'cut off'] as const)(
    'are written later, and no document is sent twice, however often the database is %s',
    async (how) => {
      const uuids = await copyTransactions(engine, environment, model, DOCUMENTS);
      for (let outage = 1; outage <= OUTAGES; outage++) {
        await receiver.waitForRequests(Math.floor((outage * DOCUMENTS) / (OUTAGES + 2)), 60_000);
        if (how === 'cut off') proxy.cutAll();
        else await server.restart(outage % 2 ? 'immediate' : 'fast');
      }
      await expectOnceEach(uuids);
    },
    180_000,
  );

  it('block other requests until they are written', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const uuids = await copyTransactions(engine, environment, model, 40);
    await receiver.waitForRequests(1);
    proxy.faults(() => ({ refuse: true }));
    proxy.cutAll();
    gate.open();
    const opened = proxy.connections;
    await eventually(async () => proxy.connections > opened + 3, 'it is tried to be written again and again');
    expect(receiver.requests).toHaveLength(1);
    proxy.faults(() => ({}));
    await expectOnceEach(uuids);
  });

  it('are not sent again by another job of the same process that takes over the lost job', async () => {
    const gate = new Gate();
    receiver.next(gate.behavior);
    const uuids = await copyTransactions(engine, environment, model, 2);
    await receiver.waitForRequests(1);
    // As the job queue does when a job sends no heartbeat for too long.
    await engine.rows(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`);
    await eventually(
      async () =>
        (await engine.count(
          `select count(*) from pgboss.job where singleton_key = $1 and retry_count > 0 and state = 'completed'`,
          environment,
        )) > 0,
      'the job has been taken over',
    );
    expect(receiver.requests).toHaveLength(1);
    gate.open();
    await waitForIdlePush(engine);
    await expectOnceEach(uuids);
  });

  it('are logged when the process has to end before the database is back', async () => {
    Object.assign(engine.app.app.get(PushLimits, { strict: false }), {
      shutdownGraceMs: 50,
      writeGraceMs: 50,
    } satisfies Partial<PushLimits>);
    const gate = new Gate();
    receiver.always(gate.behavior);
    const [uuid] = await copyTransactions(engine, environment, model, 1);
    await receiver.waitForRequests(1);
    proxy.faults(() => ({ refuse: true }));
    proxy.cutAll();
    gate.open();
    const lost = proxy.connections;
    await eventually(async () => proxy.connections > lost + 1, 'it cannot be written');
    await engine.stop().catch(() => undefined);
    expect(log).toMatch(new RegExp(`"transaction_uuid":"${uuid}".*The result of a push is lost`));
  });
});
