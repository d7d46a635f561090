import { CircuitMonitor } from '../../../../src/provisioning/circuit/circuit-monitor';
import { answer, Gate, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import {
  getConnection,
  type TestEngine,
  connectSandbox,
  type TransactionRow,
} from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import {
  changeUrl,
  waitForAllDelivered,
  listAttempts,
  createDocuments,
  waitForIdlePush,
  isDelivered,
  createPushClient,
  useFullConcurrency,
} from '../push/push-setup';

describe('An endpoint that fails (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  beforeAll(() => useFullConcurrency(engine));

  const attemptsBy = async (connection: string): Promise<number> =>
    (await engine.transactions(connection)).reduce((sum, { attempts }) => sum + attempts, 0);

  it('gets one trial at a time after five failures, in growing intervals, each counted, and everything when it is back', async () => {
    receiver.always(answer(503, {}, 'down'));
    const { client, connection } = await createDocuments(engine, receiver.url(), 40);
    await eventually(async () => (await attemptsBy(connection)) >= 5, 'five attempts have failed');
    await waitForIdlePush(engine);
    const began = receiver.requests.length;
    expect(began).toBeGreaterThanOrEqual(5);
    expect(began).toBeLessThanOrEqual(12); // the requests that were in flight when the fifth failed
    expect(await attemptsBy(connection)).toBe(began);

    for (const [trials, seconds] of [31, 61, 121, 241].entries()) {
      await engine.advanceClock(seconds - 6);
      await waitForIdlePush(engine);
      expect(receiver.requests).toHaveLength(began + trials);
      await engine.advanceClock(6);
      await waitForIdlePush(engine);
      expect(receiver.requests).toHaveLength(began + trials + 1);
      expect(await attemptsBy(connection)).toBe(began + trials + 1);
    }
    // Each trial was another document: those without an attempt are first.
    expect(new Set(receiver.keys).size).toBe(began + 4);
    const log = await listAttempts(engine, receiver.keys.at(-1)!);
    expect(log).toMatchObject([{ number: 1, status: 503, error_code: 'UNEXPECTED_STATUS', response_excerpt: 'down' }]);

    receiver.always(answer(200));
    const before = receiver.requests.length;
    await engine.advanceClock(490);
    await waitForAllDelivered(engine, client);
    const after = receiver.keys.slice(before);
    expect(after).toHaveLength(40);
    expect(new Set(after).size).toBe(40);
  });

  it('is tried in reserved slots, separate from those of responsive endpoints', async () => {
    receiver.always(answer(503));
    const { client } = await createDocuments(engine, receiver.url(), 8);
    await waitForIdlePush(engine);
    const gate = new Gate();
    receiver.always(gate.behavior);
    const before = receiver.requests.length;
    await engine.advanceClock(40);
    await engine.runPolls();
    await eventually(async () => receiver.requests.length === before + 1, 'the trial hangs');
    const jobs = await engine.rows<{ name: string }>(
      `select name from pgboss.job where state < 'completed' and singleton_key = $1`,
      client.environmentUuid,
    );
    expect(jobs).toEqual([{ name: 'drain-slow-endpoint' }]);
    await engine.runPolls();
    expect(receiver.requests).toHaveLength(before + 1);
    gate.open();
    await waitForAllDelivered(engine, client);
  });

  it('is tried no earlier than Retry-After', async () => {
    receiver.always(answer(503, { 'retry-after': '1800' }));
    const { client, connection } = await createDocuments(engine, receiver.url(), 8);
    await eventually(async () => (await attemptsBy(connection)) === 8, 'all attempts have failed');
    await engine.advanceClock(1_700);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(8);
    await engine.advanceClock(300); // later than requested, because of the jitter
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(9);
    await engine.advanceClock(1_700);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(9);
    receiver.always(answer(200));
    await engine.advanceClock(300);
    await waitForAllDelivered(engine, client);
  });

  it('stays closed while its other documents succeed', async () => {
    const { transactions } = await createDocuments(engine, receiver.url(), 0).then(async ({ client }) => {
      let turn = 0;
      receiver.always((exchange) => answer(turn++ % 2 ? 200 : 500)(exchange));
      const connection = await connectSandbox(client, { documents: 20, document_size_kb: 4 });
      await engine.waitForFetches(connection, 1);
      return { transactions: await engine.transactions(connection) };
    });
    for (const { uuid } of transactions)
      await engine.waitForTransaction(uuid, 'it is tried', ({ attempts }) => attempts === 1);
    const rows = await engine.rows<TransactionRow>(
      'select * from transaction where uuid = any($1::uuid[])',
      transactions.map(({ uuid }) => uuid),
    );
    expect(rows.filter(isDelivered)).toHaveLength(10);
  });

  it('receives at most eight documents concurrently', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const { client } = await createDocuments(engine, receiver.url(), 30);
    await receiver.waitForRequests(8);
    await drainUntilGate(engine);
    expect(receiver.requests).toHaveLength(8);
    gate.open();
    await waitForAllDelivered(engine, client);
    expect(new Set(receiver.keys).size).toBe(30);
    expect(receiver.requests).toHaveLength(30);
  });

  it('does not delay other clients, however many such endpoints there are', async () => {
    const dead = await Receiver.start();
    const gate = new Gate();
    dead.always(gate.behavior);
    try {
      // More than the workers for fetches and pushes.
      const clients = await Promise.all(
        Array.from({ length: engine.app.settings.workerConcurrency + 3 }, () => createPushClient(engine, dead.url())),
      );
      await Promise.all(clients.map((client) => connectSandbox(client, { documents: 9, document_size_kb: 4 })));
      await dead.waitForRequests(8 * engine.app.settings.workerConcurrency);
      const { transactions } = await createDocuments(engine, receiver.url(), 2);
      for (const { uuid } of transactions) await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
      expect(receiver.requests).toHaveLength(2);
    } finally {
      gate.open();
      await waitForIdlePush(engine);
      await dead.stop();
    }
  });

  it('loses and repeats nothing when a connection with documents in flight is deleted', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const client = await createPushClient(engine, receiver.url());
    const kept = await connectSandbox(client, { documents: 8, document_size_kb: 4 });
    await receiver.waitForRequests(8);
    const deleted = await connectSandbox(client, { documents: 8, document_size_kb: 4 });
    await engine.waitForFetches(deleted, 1);
    await client.request('delete', `/v1/connections/${deleted}`).expect(204);
    gate.open();
    await waitForAllDelivered(engine, client);
    await waitForIdlePush(engine);
    expect(await getConnection(client, kept)).toMatchObject({ status: 'ACTIVE' });
    const expected = (await engine.transactions(kept)).map(({ uuid }) => uuid);
    expect([...receiver.keys].sort()).toEqual(expected.sort());
    expect(await engine.transactions(deleted)).toEqual([]);
  });

  it('does not get documents again because others of the same batch were deleted meanwhile', async () => {
    const client = await createPushClient(engine, 'http://127.0.0.1:1/');
    const kept = await connectSandbox(client, { documents: 8, document_size_kb: 4, new_per_fetch: 0 });
    const deleted = await connectSandbox(client, { documents: 8, document_size_kb: 4, new_per_fetch: 0 });
    const last = await connectSandbox(client, { documents: 1, document_size_kb: 4, new_per_fetch: 0 });
    for (const connection of [kept, deleted, last]) await engine.waitForFetches(connection, 1);
    await waitForIdlePush(engine);
    const [first, gate] = [new Gate(), new Gate()];
    receiver.next(first.behavior);
    receiver.always(gate.behavior);
    await changeUrl(engine, client, receiver.url());
    await engine.rows('delete from endpoint');
    await engine.rows(
      `update transaction t set attempts = 0, due_at = timestamp '2000-01-01' + make_interval(days => o.place::int)
       from unnest($1::uuid[]) with ordinality o (connection, place) where t.connection_uuid = o.connection`,
      [kept, deleted, last],
    );
    await receiver.waitForRequests(8); // all documents of the first connection; those of the second are next in the same batch
    await client.request('delete', `/v1/connections/${deleted}`).expect(204);
    engine.app.clock.advance(1); // prefetched documents are looked up again
    first.open();
    await receiver.waitForRequests(9);
    const [behind] = await engine.transactions(last);
    expect(receiver.keys[8]).toBe(behind!.uuid);
    gate.open();
    await waitForAllDelivered(engine, client);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(9);
  });

  it('is not affected by the deletion of a document in flight', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 3);
    await receiver.waitForRequests(3);
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    gate.open();
    await waitForIdlePush(engine);
    for (const { uuid } of transactions) expect(await listAttempts(engine, uuid)).toEqual([]);
    expect(receiver.requests).toHaveLength(3);
  });

  it('causes no reminder, and no document behind it expires, while its environment is moved', async () => {
    const { environmentUuid } = await createPushClient(engine, receiver.url());
    const ago = (hours: number) => engine.app.clock.in(-hours * 3600);
    await engine.rows(
      `insert into endpoint (environment_uuid, consecutive_failures, failing_since, opened_at, failing_events, last_error)
       values ($1, 5, $2, $2, 1, '{"code": "UNEXPECTED_STATUS", "status": 503}')`,
      environmentUuid,
      ago(80),
    );
    await engine.rows('insert into worker_uptime (started_at, seen_at) values ($1, $2)', ago(75), ago(0));
    const pollWith = async (fence: string | null) => {
      await engine.rows('update environment set fence = $2 where uuid = $1', environmentUuid, fence);
      await engine.app.app.get(CircuitMonitor, { strict: false }).poll();
      const [state] = await engine.rows(
        `select (select count(*)::int from outbox where environment_uuid = $1 and type = 'endpoint.failing') as reminders,
           expire_before is not null as expires from endpoint where environment_uuid = $1`,
        environmentUuid,
      );
      return state;
    };
    for (const fence of ['MOVING', 'MOVED', 'ARRIVING']) {
      expect(await pollWith(fence)).toEqual({ reminders: 0, expires: false });
    }
    expect(await pollWith(null)).toEqual({ reminders: 1, expires: true });
    await engine.rows('delete from endpoint where environment_uuid = $1', environmentUuid);
  });
});

/** The drain cannot end while the gate is closed, so this runs a poll of the scheduler instead. */
async function drainUntilGate(engine: TestEngine): Promise<void> {
  await engine.runPolls();
  await engine.runPolls();
}
