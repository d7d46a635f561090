import { CATCH_UP_PER_SECOND } from '../../src/provisioning/circuit/endpoint.entity';
import { HostileReceiver, tricks } from '../fakes/hostile-receiver';
import type { Receiver } from '../fakes/receiver';
import { eventually } from '../harness/eventually';
import { TestEngine, connectSandbox } from '../harness/engine/test-engine';
import { useEngineAndReceiver } from '../harness/engine/use-engine-and-receiver';
import {
  waitForAllDelivered,
  createDocuments,
  waitForIdlePush,
  createPushClient,
} from '../e2e/provisioning/push/push-setup';

const DOCUMENTS = 960;
/** The number of new documents per fetch during the outage, with two or three fetches by schedule. */
const MORE = 20;
const AT_LEAST = DOCUMENTS + 2 * MORE;
const HOUR = 3600;

describe('An endpoint that is unavailable for 62 hours (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: HostileReceiver;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([TestEngine.start(), HostileReceiver.start()]);
  });
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  it(`gets more than ${DOCUMENTS} documents once each when it is back, at a bounded rate, automatically`, async () => {
    receiver.from(tricks.resetsAtOnce);
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: DOCUMENTS, document_size_kb: 1, new_per_fetch: MORE });
    await engine.waitForFetches(connection, 1, 120_000);
    await waitForIdlePush(engine);

    // A worker that polls every five minutes for two hours, and once an hour for the other sixty.
    const waits = [...Array<number>((2 * HOUR) / 300).fill(300), ...Array<number>(60).fill(HOUR)];
    for (const wait of waits) {
      await engine.advanceClock(wait);
      await engine.waitForFetches(connection, 1, 120_000);
      await waitForIdlePush(engine);
    }
    await engine.rows('update connection set next_fetch_at = null'); // no document is new in the last four hours
    const all = (await engine.transactions(connection)).length;
    expect(all).toBeGreaterThanOrEqual(AT_LEAST);
    const attempts = await engine.rows<{ attempts: number; status: string }>(
      'select max(attempts) as attempts, status from transaction where environment_uuid = $1 group by status',
      client.environmentUuid,
    );
    // The first few opened the circuit; each later trial was another document.
    expect(attempts).toEqual([{ attempts: expect.any(Number), status: 'PENDING' }]);
    expect(attempts[0]!.attempts).toBeLessThanOrEqual(2);
    expect(receiver.served).toEqual([]);

    receiver.from(null);
    const began = performance.now();
    await engine.advanceClock(4 * HOUR); // the longest interval between two trials
    await eventually(() => Promise.resolve(receiver.served.length >= all), 'they have all arrived', 200_000);
    const seconds = (performance.now() - began) / 1000;
    await waitForAllDelivered(engine, client);
    await waitForIdlePush(engine);
    expect(receiver.served).toHaveLength(all);
    expect(new Set(receiver.served).size).toBe(all);
    // Slow machines take longer, but no machine is faster.
    expect(seconds).toBeGreaterThan(all / CATCH_UP_PER_SECOND - 1);
  }, 400_000);
});

describe('POST /v1/transactions/redeliver of a large number of documents', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  it('does not delay new documents', async () => {
    const old = 300;
    const { client, transactions } = await createDocuments(engine, receiver.url(), old, { document_size_kb: 1 });
    await waitForAllDelivered(engine, client);
    receiver.clear();
    // Nothing is sent during scheduling: the circuit of the endpoint is open until then.
    await engine.rows(
      `insert into endpoint (environment_uuid, consecutive_failures, retry_after_until, circuit_open_until)
       values ($1, 1, now() + interval '100 years', now() + interval '100 years')
       on conflict (environment_uuid) do update set retry_after_until = excluded.retry_after_until, circuit_open_until = excluded.circuit_open_until`,
      client.environmentUuid,
    );
    const answer = await client.request('post', '/v1/transactions/redeliver').send({ status: 'DELIVERED' }).expect(202);
    expect(answer.body).toEqual({ data: { count: old, skipped: 0 } });
    const waiting = 'select count(*) from transaction where environment_uuid = $1 and due_at is not null';
    await eventually(
      async () => (await engine.count(waiting, client.environmentUuid)) === old,
      'all of them are scheduled',
    );
    const fresh = await connectSandbox(client, { documents: 40, document_size_kb: 1, new_per_fetch: 0 });
    await engine.waitForFetches(fresh, 1);
    const news = (await engine.transactions(fresh)).map(({ uuid }) => uuid);
    const [single] = transactions;
    await client.request('post', `/v1/transactions/${single!.uuid}/redeliver`).expect(202);

    await engine.rows('delete from endpoint where environment_uuid = $1', client.environmentUuid);
    await waitForAllDelivered(engine, client);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(old + news.length);
    // The first requests include a few redelivered documents, so that these progress too; then all the others follow.
    const urgent = new Set([...news, single!.uuid]);
    const last = receiver.keys.findLastIndex((key) => urgent.has(key));
    expect(last).toBeLessThan(news.length + 1 + 2 * 8);
  });
});
