import { Gate, Receiver } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { type TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import {
  changeUrl,
  waitForAllDelivered,
  createDocuments,
  waitForIdlePush,
  createPushClient,
  useFullConcurrency,
} from './push-setup';

/** More than two lookup batches. */
const DOCUMENTS = 600;

describe('A large backlog for one endpoint', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  beforeAll(() => useFullConcurrency(engine));

  it('is sent without waiting for a request that hangs, and no document in flight is sent twice', async () => {
    const { client, connection } = await waiting(engine, receiver.url());
    const gate = new Gate();
    receiver.next(gate.behavior);
    await engine.rows('delete from endpoint where environment_uuid = $1', client.environmentUuid);
    await engine.runPolls();
    const delivered = `select count(*) from transaction where connection_uuid = $1 and status = 'DELIVERED'`;
    await eventually(
      async () => (await engine.count(delivered, connection)) === DOCUMENTS - 1,
      'all but one are delivered',
    );
    gate.open();
    await waitForAllDelivered(engine, client);
    expect(receiver.requests).toHaveLength(DOCUMENTS);
    expect(new Set(receiver.keys).size).toBe(DOCUMENTS);
  });

  it("is sent to the client's current URL, except documents in flight", async () => {
    const [before, after] = await Promise.all([Receiver.start(), Receiver.start()]);
    const gate = new Gate();
    before.always(gate.behavior);
    const { client, connection } = await waiting(engine, before.url());
    await engine.rows('delete from endpoint where environment_uuid = $1', client.environmentUuid);
    await engine.runPolls();
    await eventually(async () => before.requests.length > 0, 'the first batch is on its way');
    await changeUrl(engine, client, after.url());
    gate.open();
    await waitForAllDelivered(engine, client);

    expect(before.requests.length).toBeLessThan(DOCUMENTS / 4);
    expect(before.requests.length + after.requests.length).toBe(DOCUMENTS);
    expect(new Set([...before.keys, ...after.keys]).size).toBe(DOCUMENTS);
    expect(await engine.count('select count(*) from transaction where connection_uuid = $1', connection)).toBe(
      DOCUMENTS,
    );
    await Promise.all([before.stop(), after.stop()]);
  });

  it('shrinks when the client acknowledges documents, except those in flight', async () => {
    const gate = new Gate();
    const slow = await Receiver.start();
    slow.always(gate.behavior);
    const { client, connection, transactions } = await createDocuments(engine, slow.url(), 48);
    await slow.waitForRequests(8);
    const transaction_uuids = transactions.map(({ uuid }) => uuid);
    await client
      .request('post', '/v1/transactions/acknowledge')
      .send({ transaction_uuids, result: 'ACCEPTED' })
      .expect(204);
    engine.app.clock.advance(2); // documents that were due a second ago are looked up again
    gate.open();
    await waitForIdlePush(engine);
    expect(slow.requests).toHaveLength(8);
    const after = await engine.transactions(connection);
    expect(after.map(({ status }) => status)).toEqual(Array(48).fill('ACKNOWLEDGED'));
    expect(after.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(8);
    await slow.stop();
  });
});

/** A client with due documents and an endpoint whose circuit is open. */
async function waiting(engine: TestEngine, url: string): Promise<{ client: TestClient; connection: string }> {
  const client = await createPushClient(engine, url);
  await engine.rows(
    `insert into endpoint (environment_uuid, consecutive_failures, circuit_open_until) values ($1, 0, 'infinity')`,
    client.environmentUuid,
  );
  const connection = await connectSandbox(client, { documents: DOCUMENTS, new_per_fetch: 0, document_size_kb: 1 });
  await engine.waitForFetches(connection, 1, 180_000);
  return { client, connection };
}
