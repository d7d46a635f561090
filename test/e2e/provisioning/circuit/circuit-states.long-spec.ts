import { answer, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { createWebhook } from '../../connections/webhooks/webhook-helpers';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { listDeliveries, waitForDeliveries, waitForAllEvents, parseEvent } from '../webhooks/webhook-receiver';
import {
  changeUrl,
  waitForAllDelivered,
  listAttempts,
  createDocuments,
  waitForIdlePush,
  isDelivered,
  createPushClient,
} from '../push/push-setup';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** decisions 6: seconds before each attempt after the first. */
const WAITS = [30, 120, 600, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, 24 * HOUR];

describe('The circuit of an endpoint (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let events: Receiver;

  beforeAll(async () => {
    [engine, receiver, events] = await Promise.all([TestEngine.start(), Receiver.start(), Receiver.start()]);
  });
  afterEach(() => {
    receiver.clear();
    events.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([receiver.stop(), events.stop()]);
  });

  const now = () => engine.app.clock.now();
  const endpointOf = async (environment: string) =>
    (
      await engine.rows<{ opened_at: Date | null }>('select * from endpoint where environment_uuid = $1', environment)
    )[0];
  const eventsOf = (environment: string, type: string) =>
    engine.rows<{ data: Record<string, unknown>; created_at: Date }>(
      'select data, created_at from outbox where environment_uuid = $1 and type = $2 order by uuid',
      environment,
      type,
    );
  /** Advances the clock in steps, as a worker experiences it. */
  const pass = async (seconds: number, step: number) => {
    for (let passed = 0; passed < seconds; passed += step) {
      await engine.advanceClock(step);
      await waitForIdlePush(engine);
    }
  };

  it.each([204, 401])(
    'lets a single document fail by its own schedule at an endpoint that answers %i',
    async (status) => {
      receiver.always(answer(status));
      const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 1);
      const { uuid } = transactions[0]!;
      const path = `/v1/transactions/${uuid}`;
      const began = now();
      for (let number = 1; number < 12; number++) {
        await waitForIdlePush(engine);
        const { attempts } = await engine.waitForTransaction(
          uuid,
          `attempt ${number} is settled`,
          (row) => row.attempts >= number,
        );
        expect(attempts).toBe(number);
        const { body } = await client.request('get', path).expect(200);
        const { provisioning } = (body as { data: { provisioning: { next_attempt_at: string } } }).data;
        const wait = (new Date(provisioning.next_attempt_at).getTime() - now().getTime()) / 1000;
        expect(wait).toBeGreaterThan(WAITS[number - 1]! - 20);
        expect(wait).toBeLessThanOrEqual(WAITS[number - 1]! * 1.1 + 1);
        await engine.advanceClock(wait / 2);
        await waitForIdlePush(engine);
        expect(await listAttempts(engine, uuid)).toHaveLength(number);
        await engine.advanceClock(wait / 2 + 1);
      }
      const failed = await engine.waitForTransaction(uuid, 'it has failed', (row) => row.status === 'FAILED');
      expect(failed).toMatchObject({ attempts: 12, due_at: null, last_error: { code: 'UNEXPECTED_STATUS', status } });
      const hours = (now().getTime() - began.getTime()) / HOUR / 1000;
      expect(hours).toBeGreaterThan(71);
      expect(hours).toBeLessThan(80);
      const log = await listAttempts(engine, uuid);
      const intervals = log
        .slice(1)
        .map(({ started_at }, index) => started_at.getTime() - log[index]!.started_at.getTime());
      expect(intervals).toEqual(intervals.toSorted((a, b) => a - b));
      await pass(10 * DAY, DAY);
      expect(receiver.requests).toHaveLength(12);
      const failures = await eventsOf(client.environmentUuid, 'delivery.failed');
      expect(failures.map(({ data }) => data.transaction_uuid)).toEqual([uuid]);

      receiver.always(answer(200));
      await client.request('post', '/v1/transactions/redeliver').send({ status: 'FAILED' }).expect(202);
      await engine.waitForTransaction(uuid, 'it is scheduled again', (row) => row.status !== 'FAILED');
      await waitForIdlePush(engine);
      await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
      expect((await listAttempts(engine, uuid)).at(-1)).toMatchObject({ number: 13, status: 200 });
      expect(await engine.transactions(connection)).toHaveLength(1);
    },
  );

  it('is not opened by one document among a hundred that is always rejected', async () => {
    const { client, connection } = await createDocuments(engine, 'http://127.0.0.1:1/', 1);
    const [bad] = await engine.transactions(connection);
    await changeUrl(engine, client, receiver.url());
    receiver.when(({ headers }) => headers['idempotency-key'] === bad!.uuid, answer(422));
    const good = await connectSandbox(client, { documents: 99, new_per_fetch: 0, document_size_kb: 1 });
    await engine.waitForFetches(good, 1);
    await engine.advanceClock(40);
    await waitForIdlePush(engine);
    for (const { uuid } of await engine.transactions(good))
      await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);

    // From now on it is the only one: its consecutive failures open the circuit, which still sends new documents as trials.
    let late = 0;
    for (const wait of [
      3 * 60,
      15 * 60,
      40 * 60,
      2 * HOUR,
      3 * HOUR,
      5 * HOUR,
      9 * HOUR,
      14 * HOUR,
      23 * HOUR,
      27 * HOUR,
    ]) {
      await engine.advanceClock(wait);
      await waitForIdlePush(engine);
      await engine.advanceClock(1_000); // the interval of the circuit has passed
      const more = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 1 });
      await engine.waitForFetches(more, 1);
      late++;
      await waitForIdlePush(engine);
      const [fresh] = await engine.transactions(more);
      await engine.waitForTransaction(fresh!.uuid, 'what is new is delivered', isDelivered);
      expect((await endpointOf(client.environmentUuid))?.opened_at ?? null).toBeNull();
    }
    await engine.advanceClock(DAY);
    await waitForIdlePush(engine);
    const failed = await engine.waitForTransaction(bad!.uuid, 'it ends', ({ status }) => status === 'FAILED');
    expect(failed.attempts).toBe(12);
    expect(new Set(receiver.keys).size).toBe(1 + 99 + late);
  });

  it('fails documents that have waited for 72 hours after one last attempt each; redelivery restarts them', async () => {
    receiver.always(answer(500));
    const count = 60;
    const { client, connection } = await createDocuments(engine, receiver.url(), count, { document_size_kb: 1 });
    await waitForIdlePush(engine);
    await pass(70 * HOUR, 2 * HOUR);
    const waiting = await engine.transactions(connection);
    expect(waiting.every(({ status }) => status === 'PENDING')).toBe(true);
    const untried = waiting.filter(({ attempts }) => attempts === 0);
    expect(untried.length).toBeGreaterThan(10);
    // One of them is redelivered: its 72 hours start again.
    await client.request('post', `/v1/transactions/${untried[0]!.uuid}/redeliver`).expect(202);
    await pass(4 * HOUR, HOUR);
    const others = untried.slice(1).map(({ uuid }) => uuid);
    const after = await eventually(async () => {
      await waitForIdlePush(engine); // the last attempts can take several time slices of the worker
      const rows = await engine.transactions(connection);
      return rows.every(({ uuid, status }) => status === 'FAILED' || !others.includes(uuid)) && rows;
    }, 'those that have waited have failed');
    const byUuid = new Map(after.map((row) => [row.uuid, row]));
    for (const uuid of others) {
      expect(await listAttempts(engine, uuid)).toHaveLength(byUuid.get(uuid)!.attempts);
    }
    expect(byUuid.get(untried[0]!.uuid)!.status).toBe('PENDING');
    expect(untried.slice(2).filter(({ uuid }) => byUuid.get(uuid)!.attempts === 1).length).toBeGreaterThan(5);
    await pass(2 * DAY, 2 * HOUR);
    const failed = (await engine.transactions(connection)).filter(({ status }) => status === 'FAILED');
    expect(failed).toHaveLength(count - 1);
    expect(await eventsOf(client.environmentUuid, 'delivery.failed')).toHaveLength(count - 1);

    receiver.clear();
    receiver.always(answer(200));
    await client.request('post', '/v1/transactions/redeliver').send({ status: 'FAILED' }).expect(202);
    await engine.advanceClock(27 * HOUR); // the one redelivered earlier waits for its own next attempt
    await waitForAllDelivered(engine, client);
    expect(receiver.keys).toHaveLength(count);
    expect(new Set(receiver.keys).size).toBe(count);
  }, 120_000);

  it('does not count the time in which no worker ran', async () => {
    receiver.always(answer(500));
    const { connection } = await createDocuments(engine, receiver.url(), 20, { document_size_kb: 1 });
    await waitForIdlePush(engine);
    const { databaseUrl, clock } = engine.app;
    await engine.stop();
    clock.advance(10 * DAY);
    engine = await TestEngine.start({ databaseUrl, clock });
    await engine.runPolls();
    await waitForIdlePush(engine);
    await pass(24 * HOUR, 4 * HOUR);
    expect((await engine.transactions(connection)).every(({ status }) => status === 'PENDING')).toBe(true);
    await engine.rows('delete from connection where uuid = $1', connection);
  });

  it('sends endpoint.failing when it opens and after one and two days, and endpoint.recovered', async () => {
    const url = `${receiver.url()}?a=1&token=s3cret`;
    const client = await createPushClient(engine, url);
    const webhook = await createWebhook(client, {
      url: events.url(),
      events: ['endpoint.failing', 'endpoint.recovered'],
    });
    receiver.always(answer(503));
    const began = now();
    const connection = await connectSandbox(client, { documents: 20, new_per_fetch: 0, document_size_kb: 1 });
    await engine.waitForFetches(connection, 1);
    await waitForIdlePush(engine);
    await waitForDeliveries(engine, webhook, 1);
    const event = parseEvent(events.whole[0]!);
    expect(event).toMatchObject({
      type: 'endpoint.failing',
      data: {
        url: `${receiver.url()}?a=1`,
        last_error: { code: 'UNEXPECTED_STATUS', status: 503, message: 'The endpoint answered 503 instead of 200.' },
        waiting: 20,
      },
    });
    const since = new Date(event.data.since as string).getTime();
    expect(since).toBeGreaterThanOrEqual(began.getTime());
    expect(since).toBeLessThanOrEqual(now().getTime());
    expect(JSON.stringify(event)).not.toContain('s3cret');

    const opened = (await endpointOf(client.environmentUuid))!.opened_at!.getTime();
    await pass(64 * HOUR, HOUR);
    await waitForAllEvents(engine);
    const failing = await eventsOf(client.environmentUuid, 'endpoint.failing');
    const hours = failing.map(({ created_at }) => (created_at.getTime() - opened) / HOUR / 1000);
    expect(hours).toHaveLength(3);
    expect(hours[0]).toBeLessThan(0.1);
    for (const [index, expected] of [24, 48].entries()) {
      expect(hours[index + 1]).toBeGreaterThanOrEqual(expected);
      expect(hours[index + 1]).toBeLessThan(expected + 1.1);
    }
    receiver.always(answer(200));
    await engine.advanceClock(4 * HOUR);
    await waitForAllDelivered(engine, client);
    await waitForDeliveries(engine, webhook, 4);
    const recovered = events.whole.map((sent) => parseEvent(sent)).filter((one) => one.type === 'endpoint.recovered');
    expect(recovered).toHaveLength(1);
    expect(recovered[0]!.data).toMatchObject({
      url: `${receiver.url()}?a=1`,
      since: event.data.since,
      last_error: { code: 'UNEXPECTED_STATUS' },
      waiting: 19,
    });
    expect(await listDeliveries(engine, webhook)).toHaveLength(4);
  });

  it('shows the earliest possible time as next_attempt_at, never one in the past', async () => {
    receiver.always(answer(503));
    const { client, connection } = await createDocuments(engine, receiver.url(), 30, { document_size_kb: 1 });
    await waitForIdlePush(engine);
    const check = async () => {
      const before = now().getTime();
      const { body } = await client.request('get', '/v1/transactions?status=PENDING').expect(200);
      const { data } = body as { data: { transaction_uuid: string; provisioning: { next_attempt_at: string } }[] };
      expect(data).toHaveLength(30);
      const [row] = await engine.rows<{ circuit_open_until: Date }>(
        'select circuit_open_until from endpoint where environment_uuid = $1',
        client.environmentUuid,
      );
      for (const { transaction_uuid: uuid, provisioning } of data) {
        const next = new Date(provisioning.next_attempt_at).getTime();
        expect(next).toBeGreaterThanOrEqual(row!.circuit_open_until.getTime());
        expect(next).toBeGreaterThanOrEqual(before);
        const one = await client.request('get', `/v1/transactions/${uuid}`).expect(200);
        const { data: single } = one.body as { data: { provisioning: { next_attempt_at: string } } };
        expect(new Date(single.provisioning.next_attempt_at).getTime()).toBeGreaterThanOrEqual(
          row!.circuit_open_until.getTime(),
        );
      }
    };
    await check();
    // The interval has passed, and no worker has polled yet.
    engine.app.clock.advance(3 * HOUR);
    await check();
    await waitForIdlePush(engine);
    await check();
    await engine.rows('delete from connection where uuid = $1', connection);
  });
});
