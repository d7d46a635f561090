import { answer, Gate, type Receiver } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { itChecksTransactionAccess } from '../../../harness/http/transaction-access-tests';
import { useTestContext } from '../../../harness/app/test-context';
import { connectionWithDocuments } from '../../../harness/app/connection-with-documents';
import type { TestEngine } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import {
  createTransactions,
  daysUntil,
  readFacts,
  type TransactionView,
  getTransaction,
  transactionsOf,
} from '../../transactions/transaction-rows';
import { listAttempts, createDocuments, waitForIdlePush, isDelivered, secondsUntilRetry } from '../push/push-setup';

const path = (uuid: string) => `/v1/transactions/${uuid}/redeliver`;

describe('POST /v1/transactions/{transaction_uuid}/redeliver (decisions 5): access, and the effect for a pulling client', () => {
  const context = useTestContext({ role: 'all' });
  let uuids: string[];

  const redeliver = async (uuid: string) =>
    ((await context.client.request('post', path(uuid)).expect(202)).body as { data: TransactionView }).data;

  beforeAll(async () => {
    uuids = await transactionsOf(context, await connectionWithDocuments(context, { documents: 12 }));
  });
  const next = () => uuids.shift()!;

  itChecksTransactionAccess(context, { method: 'post', path, own: () => uuids.at(-1)! });

  it('makes it available again at its old position in the feed', async () => {
    const feed = async (query = '') =>
      (await context.client.request('get', `/v1/transactions${query}`).expect(200)).body as {
        data: { transaction_uuid: string }[];
        meta: { poll_cursor: string };
      };
    const before = await feed();
    const uuid = next();
    await context.client
      .request('post', `/v1/transactions/${uuid}/acknowledge`)
      .send({ result: 'REJECTED' })
      .expect(204);
    const shown = await redeliver(uuid);
    expect(shown).toEqual(await getTransaction(context, uuid));
    expect(shown.provisioning).toMatchObject({ strategy: 'POLLING', status: 'AVAILABLE', last_error: null });
    expect(shown.provisioning.next_attempt_at).toBeNull();
    expect(daysUntil(context, shown.document.available_until)).toBeGreaterThan(89.9);
    const order = (await feed()).data.map((row) => row.transaction_uuid);
    expect(order).toEqual(before.data.map((row) => row.transaction_uuid));
    expect((await feed(`?cursor=${before.meta.poll_cursor}`)).data).toEqual([]);
    // There are no document events for polling (spec 6).
    expect(await readFacts(context, uuid, 'document.available')).toEqual([]);
    const audited = await context.query(
      `select actor from audit_log where action = 'transaction.redeliver' and subject_uuid = $1`,
      [uuid],
    );
    expect(audited).toEqual([{ actor: expect.stringMatching(/^key:/) }]);
    expect(await readFacts(context, uuid, 'delivery.requested')).toHaveLength(1);
  });

  it.each(['AVAILABLE', 'PENDING', 'FAILED', 'DELIVERED', 'ACKNOWLEDGED', 'REJECTED'])(
    'accepts one that is %s',
    async (status) => {
      const uuid = next();
      await createTransactions(context, uuid, status);
      expect((await redeliver(uuid)).provisioning).toMatchObject({ status: 'AVAILABLE', last_error: null });
    },
  );

  it('notifies a webhook client again', async () => {
    const uuid = next();
    await context.query(`update environment set strategy = 'WEBHOOK' where uuid = $1`, [
      context.client.environmentUuid,
    ]);
    try {
      expect((await redeliver(uuid)).provisioning).toMatchObject({ strategy: 'WEBHOOK', status: 'AVAILABLE' });
      await redeliver(uuid);
      expect(await readFacts(context, uuid, 'document.available')).toEqual([
        { transaction_uuid: uuid },
        { transaction_uuid: uuid },
      ]);
    } finally {
      await context.query(`update environment set strategy = 'POLLING' where uuid = $1`, [
        context.client.environmentUuid,
      ]);
    }
  });

  it('rejects a document whose content was purged, and does not change it', async () => {
    const uuid = next();
    await context.query(`update transaction set content_uuid = null, status = 'DELIVERED' where uuid = $1`, [uuid]);
    const before = await getTransaction(context, uuid);
    const ask = () => context.client.request('post', path(uuid));
    expectError(await ask(), 422, 'DOCUMENT_PURGED');
    expectError(await ask().set('Lang', 'de'), 422, 'DOCUMENT_PURGED', {}, 'de');
    expect(await getTransaction(context, uuid)).toEqual(before);
  });
});

describe('POST …/redeliver for a client with pushes', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  const redeliver = async (client: TestClient, uuid: string) =>
    ((await client.request('post', path(uuid)).expect(202)).body as { data: TransactionView }).data;

  it('pushes a delivered one again, with the same Idempotency-Key and body, and continues the count', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    expect((await redeliver(client, uuid)).provisioning).toMatchObject({
      strategy: 'PUSH',
      status: 'PENDING',
      attempts: 1,
      next_attempt_at: expect.any(String),
    });
    const done = await engine.waitForTransaction(uuid, 'it is delivered again', ({ attempts }) => attempts === 2);
    expect(done).toMatchObject({ status: 'DELIVERED', due_at: null, last_error: null });
    expect(receiver.keys).toEqual([uuid, uuid]);
    expect(receiver.whole[1]!.body.equals(receiver.whole[0]!.body)).toBe(true);
    expect((await listAttempts(engine, uuid)).map(({ number }) => number)).toEqual([1, 2]);
  });

  it('resets the attempts of a failed document', async () => {
    receiver.always(answer(500));
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'the first attempt', ({ attempts }) => attempts === 1);
    await engine.rows(`update transaction set status = 'FAILED', due_at = null, attempts = 12 where uuid = $1`, uuid);
    await redeliver(client, uuid);
    const tried = await engine.waitForTransaction(uuid, 'the thirteenth', ({ attempts }) => attempts === 13);
    expect(tried).toMatchObject({ status: 'PENDING', last_error: { status: 500 } });
    // The schedule starts again with half a minute.
    expect(secondsUntilRetry(engine, tried)).toBeGreaterThan(25);
    expect(secondsUntilRetry(engine, tried)).toBeLessThanOrEqual(33);
    // A pending one is due now instead of in half a minute.
    receiver.always(answer(200));
    await redeliver(client, uuid);
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    expect((await listAttempts(engine, uuid)).map(({ number }) => number)).toEqual([1, 13, 14]);
  });

  it('uses the current strategy of the environment', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    await engine.rows(`update environment set strategy = 'POLLING' where uuid = $1`, client.environmentUuid);
    expect((await redeliver(client, uuid)).provisioning).toMatchObject({ strategy: 'POLLING', status: 'AVAILABLE' });
    await engine.rows(`update environment set strategy = 'PUSH' where uuid = $1`, client.environmentUuid);
    expect((await redeliver(client, uuid)).provisioning).toMatchObject({ strategy: 'PUSH', status: 'PENDING' });
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
  });

  it('leaves a document over the push limit for pulling, and reports it', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid, connection_uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    await engine.rows('update environment set push_limit_bytes = 100 where uuid = $1', client.environmentUuid);
    expect((await redeliver(client, uuid)).provisioning).toMatchObject({ strategy: 'PUSH', status: 'AVAILABLE' });
    const events = await engine.rows(
      `select data from outbox where type = 'document.available' and subject_uuid = $1`,
      connection_uuid,
    );
    expect(events).toEqual([{ data: { transaction_uuid: uuid, reason: 'TOO_LARGE_FOR_PUSH' } }]);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(1);
  });

  it('keeps an acknowledgement that arrives during a push, and logs the push', async () => {
    const gate = new Gate();
    receiver.next(gate.behavior);
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await receiver.waitForRequests(1);
    await client.request('post', `/v1/transactions/${uuid}/acknowledge`).send({ result: 'REJECTED' }).expect(204);
    gate.open();
    await eventually(async () => (await listAttempts(engine, uuid)).length === 1, 'the attempt is logged');
    await waitForIdlePush(engine);
    const [row] = await engine.rows<object>('select * from transaction where uuid = $1', uuid);
    expect(row).toMatchObject({ status: 'REJECTED', due_at: null, attempts: 1 });
    expect((row as { last_error: object }).last_error).toMatchObject({ code: 'REJECTED_BY_CLIENT' });
    expect(receiver.requests).toHaveLength(1);
  });

  it('drops a pending push once the client has acknowledged the document', async () => {
    receiver.always(answer(500));
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'the first attempt', ({ attempts }) => attempts === 1);
    await client.request('get', `/v1/transactions/${uuid}/document`).expect(200);
    await client.request('post', `/v1/transactions/${uuid}/acknowledge`).send({ result: 'ACCEPTED' }).expect(204);
    await engine.advanceClock(10 * 24 * 3600);
    await waitForIdlePush(engine);
    expect(receiver.requests).toHaveLength(1);
  });

  it('affects one document only', async () => {
    const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 3);
    for (const { uuid } of transactions) await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    await redeliver(client, transactions[1]!.uuid);
    await engine.waitForTransaction(transactions[1]!.uuid, 'it is delivered again', ({ attempts }) => attempts === 2);
    expect((await engine.transactions(connection)).map(({ attempts }) => attempts).sort()).toEqual([1, 1, 2]);
    expect(receiver.requests).toHaveLength(4);
  });
});
