import { answer, Gate, Receiver } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { TestEngine } from '../../../harness/engine/test-engine';
import {
  waitForAllDelivered,
  copyTransactions,
  createDocuments,
  waitForIdlePush,
  isDelivered,
  createPushClient,
} from './push-setup';

/** More endpoints than the service sends to concurrently. */
const HANGING = 140;

describe('Hanging endpoints and the isolation of others (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let hanging: Receiver;
  let gate: Gate;
  let model: string;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    await waitForAllDelivered(engine, client);
    model = transactions[0]!.uuid;
  });
  beforeEach(async () => {
    [hanging, gate] = [await Receiver.start(), new Gate()];
    hanging.always(gate.behavior);
  });
  afterEach(async () => {
    gate.open();
    await waitForIdlePush(engine);
    receiver.clear();
    await hanging.stop();
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  const clients = (count: number, url: string): Promise<TestClient[]> =>
    Promise.all(Array.from({ length: count }, () => createPushClient(engine, url)));
  const delivered = async (client: TestClient) => {
    const [uuid] = await copyTransactions(engine, client.environmentUuid, model, 1);
    await engine.waitForTransaction(uuid!, 'the healthy client has its document', isDelivered);
  };

  it('do not delay documents of other clients, at another origin or at the same, however many there are', async () => {
    const [[elsewhere], [atSameOrigin]] = [await clients(1, receiver.url()), await clients(1, hanging.url('/healthy'))];
    hanging.when(({ path }) => path === '/healthy', answer(200));
    for (const { environmentUuid } of await clients(HANGING, hanging.url('/hanging')))
      await copyTransactions(engine, environmentUuid, model, 2);
    await hanging.waitForRequests(HANGING);
    await delivered(elsewhere!);
    expect(hanging.requests).toHaveLength(HANGING);
    await delivered(atSameOrigin!);
  });

  it('get one request at a time until they answer, and more with every response', async () => {
    const [client] = await clients(1, hanging.url());
    await copyTransactions(engine, client!.environmentUuid, model, 12);
    const gates = Array.from({ length: 3 }, () => new Gate());
    hanging.next(...gates.map(({ behavior }) => behavior));
    const inFlight: number[] = [];
    for (const [answered, one] of gates.entries()) {
      // All allowed requests have been sent after two polls.
      await hanging.waitForRequests(2 * answered + 1);
      await engine.runPolls();
      await engine.runPolls();
      inFlight.push(hanging.requests.length - answered);
      one.open();
    }
    gate.open();
    await waitForAllDelivered(engine, client!);
    expect(inFlight).toEqual([1, 2, 3]);
    expect(new Set(hanging.keys).size).toBe(12);
  });

  it('use separate connections: two environments at one origin share none', async () => {
    gate.open();
    const before = hanging.connections;
    const [one, other] = await clients(2, hanging.url());
    for (const client of [one!, other!, one!, other!]) await delivered(client);
    expect(hanging.connections - before).toBe(2);
  });

  it('hold no database connection and no document in memory while they hang', async () => {
    for (const { environmentUuid } of await clients(30, hanging.url()))
      await copyTransactions(engine, environmentUuid, model, 20);
    await hanging.waitForRequests(30);
    await eventually(
      async () =>
        (await engine.count(
          `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'docfetch'
             and state in ('active', 'idle in transaction')`,
        )) === 0,
      'no connection is in use',
    );
    expect(hanging.requests).toHaveLength(30);
  });

  it('are drained after responsive endpoints once known, and return to them when they answer again', async () => {
    const [client] = await clients(1, receiver.url());
    const queueOf = async () =>
      (
        await engine.rows<{ name: string }>(
          `select name from pgboss.job where singleton_key = $1 order by created_on desc limit 1`,
          client!.environmentUuid,
        )
      )[0]?.name;
    await delivered(client!); // its first answer
    await waitForIdlePush(engine);
    await delivered(client!);
    expect(await queueOf()).toBe('drain-endpoint');
    await waitForIdlePush(engine);
    // The response arrives too late.
    const slow = new Gate();
    receiver.next(slow.behavior);
    const [uuid] = await copyTransactions(engine, client!.environmentUuid, model, 1);
    await receiver.waitForRequests(3);
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // intended: the endpoint does not respond for a second
    slow.open();
    await engine.waitForTransaction(uuid!, 'it is delivered late', isDelivered);
    await waitForIdlePush(engine);
    await delivered(client!);
    expect(await queueOf()).toBe('drain-slow-endpoint');
    await waitForIdlePush(engine);
    await delivered(client!);
    expect(await queueOf()).toBe('drain-endpoint');
  });
});
