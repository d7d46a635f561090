import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { answer, Gate, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { type TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import {
  waitForAllDelivered,
  createDocuments,
  waitForIdlePush,
  createPushClient,
  useFullConcurrency,
} from '../push/push-setup';

/** The number of documents in flight to one endpoint. */
const AT_ONCE = 8;

describe('An endpoint that sends Retry-After (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  beforeAll(() => useFullConcurrency(engine));

  const attemptsOfAll = (environment: string) =>
    engine.count('select sum(attempts) as count from transaction where environment_uuid = $1', environment);

  /** Resolves when the results of all requests in flight are recorded. */
  const settled = async (environment: string, count: number) => {
    await eventually(async () => (await attemptsOfAll(environment)) === count, `${count} attempts are settled`);
    await waitForIdlePush(engine);
  };

  it.each([
    ['429', 429, () => '120'],
    ['503', 503, () => '120'],
    ['429 with a date', 429, (now: Date) => new Date(now.getTime() + 120_999).toUTCString()],
  ])('receives nothing during the pause: %s', async (_, status, header) => {
    receiver.always((exchange) => answer(status, { 'retry-after': header(engine.app.clock.now()) })(exchange));
    const { client } = await createDocuments(engine, receiver.url(), 20);
    // The requests in flight at the first rejection; all other documents wait and have used no attempt.
    await waitForIdlePush(engine);
    const began = receiver.requests.length;
    expect(began).toBeGreaterThan(0);
    expect(began).toBeLessThanOrEqual(AT_ONCE);
    await settled(client.environmentUuid, began);

    await engine.advanceClock(100);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(began);

    await engine.advanceClock(25); // one trial is sent, and the endpoint requests another pause
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(began + 1);
    expect(await attemptsOfAll(client.environmentUuid)).toBe(began + 1);

    receiver.always(answer(200));
    await engine.advanceClock(100);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(began + 1);
    await engine.advanceClock(60);
    await waitForAllDelivered(engine, client);
    expect(new Set(receiver.keys).size).toBe(20);
  });

  it('receives nothing during the pause, although requests in flight succeeded', async () => {
    const refusal = Promise.withResolvers<void>();
    const others = new Gate();
    receiver.next(async (exchange) => {
      await refusal.promise;
      await answer(429, { 'retry-after': '60' })(exchange);
    });
    receiver.always(others.behavior);
    const { client } = await createDocuments(engine, receiver.url(), 20);
    await receiver.waitForRequests(AT_ONCE);
    refusal.resolve();
    await eventually(async () => (await attemptsOfAll(client.environmentUuid)) === 1, 'the refusal is settled');
    others.open();
    await settled(client.environmentUuid, AT_ONCE);
    expect(receiver.requests).toHaveLength(AT_ONCE);
    await engine.advanceClock(50);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(AT_ONCE);
    await engine.advanceClock(20);
    await waitForAllDelivered(engine, client);
    expect(receiver.requests).toHaveLength(20 + 1);
  });

  it('is not considered unavailable because it rejected several requests concurrently', async () => {
    const gate = new Gate(429);
    receiver.always(async ({ response, ...exchange }) => {
      response.setHeader('retry-after', '5');
      await gate.behavior({ response, ...exchange });
    });
    const { client } = await createDocuments(engine, receiver.url(), 20);
    await receiver.waitForRequests(AT_ONCE);
    gate.open();
    await settled(client.environmentUuid, AT_ONCE);
    receiver.always(answer(200));
    await engine.advanceClock(6); // far less than the five minutes between two trials
    await eventually(async () => {
      const [row] = await engine.rows<{ count: string }>(
        `select count(*) from transaction where environment_uuid = $1 and status = 'DELIVERED'`,
        client.environmentUuid,
      );
      return Number(row!.count) === 20 - AT_ONCE;
    }, 'those that were not refused are delivered');
    await engine.advanceClock(40);
    await waitForAllDelivered(engine, client);
  });

  it('has its circuit opened after five consecutive rejections, however short the pauses', async () => {
    receiver.always(answer(429, { 'retry-after': '30' }));
    const { client } = await createDocuments(engine, receiver.url(), 20);
    await waitForIdlePush(engine);
    const began = receiver.requests.length;
    await settled(client.environmentUuid, began);
    for (const more of [1, 2, 3, 4, 5]) {
      await engine.advanceClock(31);
      await waitForIdlePush(engine);
      expect(receiver.requests).toHaveLength(began + more);
    }
    await engine.advanceClock(50); // one trial has failed: the next one is due after a minute
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(began + 5);
    receiver.always(answer(200));
    await engine.advanceClock(600);
    await waitForAllDelivered(engine, client);
  });

  it('does not slow down other clients', async () => {
    const other = await Receiver.start();
    try {
      receiver.always(answer(429, { 'retry-after': '3600' }));
      const { client } = await createDocuments(engine, receiver.url(), 4);
      const healthy = await createDocuments(engine, other.url(), 4);
      await waitForAllDelivered(engine, healthy.client);
      await waitForIdlePush(engine);
      await engine.rows('delete from connection where environment_uuid = $1', client.environmentUuid);
    } finally {
      await other.stop();
    }
  });

  it('is reset when the support team sets another URL or secret', async () => {
    receiver.always(answer(503, { 'retry-after': '7200' }));
    const client = await createPushClient(engine, receiver.url('/old'));
    const connection = await connectSandbox(client, { documents: 12, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    await waitForIdlePush(engine);
    const refused = receiver.requests.length;
    expect(refused).toBeLessThanOrEqual(AT_ONCE);
    await settled(client.environmentUuid, refused);
    receiver.always(answer(200));
    const set = engine.app.app.get(SetProvisioning, { strict: false });
    const given = { strategy: 'PUSH', auth: 'BEARER', secret: 'new' } as const;
    await set.set('test', client.environmentUuid, { ...given, url: receiver.url('/new') });
    await waitForIdlePush(engine);
    // All documents except the rejected ones.
    expect(receiver.requests.filter(({ path }) => path === '/new')).toHaveLength(12 - refused);
  });

  it('causes no pause when another URL was set before it answered', async () => {
    const [gate, old] = [new Gate(), '/old'];
    receiver.when(
      ({ path }) => path === old,
      async (exchange) => {
        await gate.opened;
        await answer(503, { 'retry-after': '86400' })(exchange);
      },
    );
    const client = await createPushClient(engine, receiver.url(old));
    const connection = await connectSandbox(client, { documents: 40, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    await receiver.waitForRequests(AT_ONCE);
    const sent = receiver.requests.length;
    const set = engine.app.app.get(SetProvisioning, { strict: false });
    await set.set('test', client.environmentUuid, {
      strategy: 'PUSH',
      url: receiver.url('/new'),
      auth: 'NONE',
      secret: null,
    });
    gate.open();
    await eventually(async () => receiver.requests.length === 40, 'everything else goes to the new address');
    await engine.advanceClock(60); // documents that the former endpoint rejected are retried as after any first failure
    await waitForAllDelivered(engine, client);
    expect(receiver.requests.filter(({ path }) => path === old)).toHaveLength(sent);
    expect(receiver.requests).toHaveLength(40 + sent);
    expect(
      await engine.rows(
        'select uuid from endpoint join environment on uuid = environment_uuid where uuid = $1 and (failing_since is not null or circuit_open_until is not null)',
        client.environmentUuid,
      ),
    ).toEqual([]);
  });
});
