import {
  answer,
  answerUnread,
  type ReceiverBehavior,
  endless,
  Receiver,
  reset,
  silence,
  stall,
} from '../../../fakes/receiver';
import { createTestClient } from '../../../harness/app/test-client';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import {
  listAttempts,
  createDocuments,
  waitForIdlePush,
  setResponseTimeout,
  isDelivered,
  pushOneDocument,
  secondsUntilRetry,
} from './push-setup';

const HOUR = 3600;
/** decisions 6: seconds before each attempt after the first. */
const WAITS = [30, 120, 600, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, 24 * HOUR];

describe('Push attempts (spec 6, decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  beforeAll(() => setResponseTimeout(engine, 400));

  it.each([
    [204, {}, 'UNEXPECTED_STATUS'],
    [201, {}, 'UNEXPECTED_STATUS'],
    [301, { location: '/elsewhere' }, 'REDIRECT_REFUSED'],
    [307, { location: '/elsewhere' }, 'REDIRECT_REFUSED'],
    [401, {}, 'UNEXPECTED_STATUS'],
    [500, {}, 'UNEXPECTED_STATUS'],
  ] as const)('treats only 200 as success: %i is retried after half a minute', async (status, headers, code) => {
    receiver.next(answer(status, headers, status === 204 ? '' : 'no'));
    const { transaction, attempt } = await pushOneDocument(engine, receiver);
    expect(transaction).toMatchObject({ status: 'PENDING', last_error: { code, status } });
    expect(attempt).toMatchObject({
      number: 1,
      status,
      error_code: code,
      response_excerpt: status === 204 ? '' : 'no',
    });
    expect(secondsUntilRetry(engine, transaction)).toBeGreaterThan(27);
    expect(secondsUntilRetry(engine, transaction)).toBeLessThanOrEqual(33);
    await engine.advanceClock(25);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(1);

    await engine.advanceClock(10);
    const done = await engine.waitForTransaction(transaction.uuid, 'it is delivered', isDelivered);
    expect(done).toMatchObject({ attempts: 2, due_at: null, last_error: null });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/documents', '/documents']);
    expect(receiver.keys).toEqual([transaction.uuid, transaction.uuid]);
    expect(receiver.whole[1]!.body.equals(receiver.whole[0]!.body)).toBe(true);
  });

  it('makes twelve attempts over three days, then marks the document as failed', async () => {
    receiver.always(answer(500));
    const { transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    for (const [index, wait] of WAITS.entries()) {
      const tried = await engine.waitForTransaction(
        uuid,
        `attempt ${index + 1}`,
        ({ attempts }) => attempts === index + 1,
      );
      expect(tried.status).toBe('PENDING');
      expect(secondsUntilRetry(engine, tried)).toBeGreaterThan(wait - 5);
      expect(secondsUntilRetry(engine, tried)).toBeLessThanOrEqual(wait * 1.1);
      // Other documents of the client are delivered in the meantime: this one does not open the circuit.
      await engine.rows('delete from endpoint');
      await engine.advanceClock(secondsUntilRetry(engine, tried) + 1);
    }
    const failed = await engine.waitForTransaction(uuid, 'it has failed', ({ status }) => status === 'FAILED');
    expect(failed).toMatchObject({
      attempts: 12,
      due_at: null,
      last_error: { code: 'UNEXPECTED_STATUS', status: 500 },
    });
    const attempts = await listAttempts(engine, uuid);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(receiver.keys).toEqual(Array.from({ length: 12 }, () => uuid));
    const events = await engine.rows<{ data: unknown }>(
      `select data from outbox where type = 'delivery.failed' and subject_uuid = $1`,
      failed.connection_uuid,
    );
    expect(events).toHaveLength(1);
    await engine.advanceClock(10 * 24 * HOUR);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(12);
  });

  it.each([
    ['503 with seconds', 503, () => '300', 300],
    ['429 with seconds', 429, () => '90', 90],
    ['503 with a date', 503, (now: Date) => new Date(now.getTime() + 600_000).toUTCString(), 600],
    ['429 that asks for less than planned', 429, () => '1', 30],
    ['500, where it means nothing', 500, () => '300', 30],
    ['503 with nonsense', 503, () => 'tomorrow', 30],
  ])('respects Retry-After of a %s', async (_, status, header, wait) => {
    receiver.next((exchange) => answer(status, { 'retry-after': header(engine.app.clock.now()) })(exchange));
    const { transaction } = await pushOneDocument(engine, receiver);
    expect(secondsUntilRetry(engine, transaction)).toBeGreaterThan(wait - 4);
    expect(secondsUntilRetry(engine, transaction)).toBeLessThanOrEqual(wait * 1.1);
  });

  it.each<[string, ReceiverBehavior, string, number | null]>([
    ['says nothing', silence, 'TIMEOUT', null],
    ['resets the connection', reset, 'CONNECTION_FAILED', null],
    ['fails without an end', endless(500), 'UNEXPECTED_STATUS', 500],
    ['fails and stalls in its answer', stall(500), 'UNEXPECTED_STATUS', 500],
    ['fails before it has read the document', answerUnread(413), 'UNEXPECTED_STATUS', 413],
  ])('retries when an endpoint %s', async (_, behavior, code, status) => {
    receiver.next(behavior);
    const { transaction, attempt } = await pushOneDocument(engine, receiver, { document_size_kb: 2048 });
    expect(transaction).toMatchObject({ status: 'PENDING', last_error: { code, status } });
    expect(attempt).toMatchObject({ status, error_code: code });
    expect((attempt.response_excerpt ?? '').length).toBeLessThanOrEqual(1024);
    expect(attempt.duration_ms).toBeLessThan(5_000);
    await engine.advanceClock(35);
    await engine.waitForTransaction(transaction.uuid, 'it is delivered', isDelivered);
  });

  it.each<[string, ReceiverBehavior]>([
    ['has no end', endless(200)],
    ['stalls', stall(200)],
  ])('treats a 200 whose response %s as delivered', async (_, behavior) => {
    receiver.next(behavior);
    const { transaction, attempt } = await pushOneDocument(engine, receiver);
    expect(transaction.status).toBe('DELIVERED');
    expect(attempt).toMatchObject({ status: 200, error_code: null });
    expect(attempt.response_excerpt!.length).toBeLessThanOrEqual(1024);
  });

  it('stores the first KiB of a response with any bytes', async () => {
    receiver.next(
      answer(500, {}, Buffer.concat([Buffer.from('a\0b'), Buffer.alloc(5_000, 'ö'), Buffer.alloc(100, 0xff)])),
    );
    const { attempt } = await pushOneDocument(engine, receiver);
    expect(attempt.response_excerpt).toMatch(/^a\uFFFDbö{500,}/);
    expect(attempt.response_excerpt!.length).toBeLessThanOrEqual(1024);
  });

  it.each([
    ['nobody listens', 'http://127.0.0.1:1/', 'CONNECTION_FAILED'],
    ['there is no TLS', 'https://127.0.0.1:PORT/', 'TLS_FAILED'],
  ])('logs the reason for a missing response: %s', async (_, url, code) => {
    const { transactions } = await createDocuments(engine, url.replace('PORT', String(receiver.port)), 1);
    const tried = await engine.waitForTransaction(
      transactions[0]!.uuid,
      'it is tried',
      ({ attempts }) => attempts === 1,
    );
    expect(tried).toMatchObject({ status: 'PENDING', last_error: { code, status: null } });
  });

  it('makes a document over the push limit available for pulling', async () => {
    const client = await createTestClient(engine.app, {
      provisioning: { strategy: 'PUSH', url: receiver.url(), auth: 'NONE', secret: null },
    });
    await engine.rows('update environment set push_limit_bytes = 20000 where uuid = $1', client.environmentUuid);
    const large = await connectSandbox(client, { documents: 1, document_size_kb: 20 });
    const small = await connectSandbox(client, { documents: 1, document_size_kb: 19 });
    await engine.waitForFetches(large, 1);
    await engine.waitForFetches(small, 1);
    const [pushed] = await engine.transactions(small);
    await engine.waitForTransaction(pushed!.uuid, 'the smaller one is delivered', isDelivered);
    const [kept] = await engine.transactions(large);
    expect(kept).toMatchObject({ status: 'AVAILABLE', due_at: null, attempts: 1, size: '20480' });
    await waitForIdlePush(engine);
    expect(receiver.keys).toEqual([pushed!.uuid]);
    await client.request('get', `/v1/transactions/${kept!.uuid}/document`).expect(200);
  });

  it('never pushes again after a 200, also not after a restart', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 3);
    for (const { uuid } of transactions) await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    const other = await TestEngine.start({ databaseUrl: engine.app.databaseUrl, clock: engine.app.clock });
    try {
      await other.advanceClock(30 * 24 * HOUR);
      await waitForIdlePush(other);
      const pushes = receiver.keys.filter((key) => transactions.some(({ uuid }) => uuid === key));
      expect(pushes.sort()).toEqual(transactions.map(({ uuid }) => uuid).sort());
      expect(
        await other.count(
          `select count(*) from transaction where environment_uuid = $1 and due_at is not null`,
          client.environmentUuid,
        ),
      ).toBe(0);
    } finally {
      await other.stop();
    }
  });
});

describe('A provisioning URL that may not be reached (decisions 8 NETWORK_ALLOW)', () => {
  it('is not contacted; the attempt states the reason', async () => {
    const [engine, receiver] = await Promise.all([
      TestEngine.start({ settings: { networkAllow: [] } }),
      Receiver.start(),
    ]);
    try {
      const client = await createTestClient(engine.app, {
        provisioning: { strategy: 'PUSH', url: 'https://example.com/', auth: 'NONE', secret: null },
      });
      // It was set while it was allowed.
      const setUrl = 'update environment set provisioning_url = $2 where uuid = $1';
      await engine.rows(setUrl, client.environmentUuid, receiver.url());
      const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
      await engine.waitForFetches(connection, 1);
      const transactions = await engine.transactions(connection);
      const { uuid } = transactions[0]!;
      const transaction = await engine.waitForTransaction(uuid, 'it is tried', ({ attempts }) => attempts === 1);
      const [attempt] = await listAttempts(engine, uuid);
      expect(transaction).toMatchObject({
        status: 'PENDING',
        last_error: { code: 'ADDRESS_NOT_ALLOWED', status: null },
      });
      expect(attempt).toMatchObject({ status: null, error_code: 'ADDRESS_NOT_ALLOWED', response_excerpt: null });
      expect(receiver.connections).toBe(0);
    } finally {
      await engine.stop();
      await receiver.stop();
    }
  });
});
