import { answer, Gate, type Receiver } from '../../fakes/receiver';
import { eventually } from '../../harness/eventually';
import { createWebhook } from '../connections/webhooks/webhook-helpers';
import { type TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import {
  waitForAllDelivered,
  createDocuments,
  waitForIdlePush,
  createPushClient,
  useFullConcurrency,
} from '../provisioning/push/push-setup';
import { createPullClient, waitForAllEvents } from '../provisioning/webhooks/webhook-receiver';
import { RelatedRows, type DeletedResource } from './related-rows';

const ALL_EVENTS = ['document.available', 'connection.status_changed', 'fetch.finished', 'delivery.failed'];
const HOUR = 3600;

describe.each<DeletedResource>(['connection', 'identity'])('Deleting the %s', (target) => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  beforeAll(() => useFullConcurrency(engine));

  const attempted = (connection: string, attempts: number) =>
    eventually(async () => {
      const rows = await engine.transactions(connection);
      return rows.reduce((sum, row) => sum + row.attempts, 0) >= attempts;
    }, `${attempts} attempts are settled`);

  /** Advances the clock by two days, so that any pending delivery would be sent. */
  async function expectSilence(): Promise<void> {
    const before = receiver.requests.length;
    for (const seconds of [60, HOUR, 48 * HOUR]) {
      await engine.advanceClock(seconds);
      await waitForIdlePush(engine);
      await waitForAllEvents(engine);
    }
    expect(receiver.requests).toHaveLength(before);
  }

  it('while a push waits for its retry: it is never retried', async () => {
    receiver.always(answer(500));
    const { client, connection } = await createDocuments(engine, receiver.url(), 2);
    await attempted(connection, 2);
    const relatedRows = await RelatedRows.of(engine, client, connection);
    expect([...relatedRows.tables]).toEqual(expect.arrayContaining(['delivery_attempt', 'transaction']));
    receiver.always(answer(200));
    await relatedRows.delete(target);
    await expectSilence();
  });

  it('while pushes wait behind a hanging one: no other is sent, and its result is ignored', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const { client, connection } = await createDocuments(engine, receiver.url(), 30);
    await receiver.waitForRequests(8); // the maximum of concurrent pushes to one endpoint
    const relatedRows = await RelatedRows.of(engine, client, connection);
    await relatedRows.deleteNow(target);
    await engine.advanceClock(1); // a push prepared within the last tenth of a second counts as in flight
    gate.open();
    await waitForIdlePush(engine);
    await relatedRows.expectGone();
    expect(receiver.requests).toHaveLength(8);
    await expectSilence();
  });

  it('during the upload of a long document: the upload is aborted', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let whole: boolean | undefined;
    receiver.always(async ({ response, read }) => {
      await released;
      whole = await read().then(
        () => true,
        () => false,
      );
      response.writeHead(200).end();
    });
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 30_720 });
    await receiver.waitForRequests(1);
    const relatedRows = await RelatedRows.of(engine, client, connection);
    await relatedRows.deleteNow(target);
    release();
    await eventually(() => Promise.resolve(whole !== undefined), 'the request has ended');
    expect(whole).toBe(false);
    await waitForIdlePush(engine);
    await relatedRows.expectGone();
  });

  it('while the circuit of its endpoint is open: the trial is a document of another connection', async () => {
    receiver.always(answer(503));
    const { client, connection } = await createDocuments(engine, receiver.url(), 12);
    await attempted(connection, 5);
    await waitForIdlePush(engine);
    const other = await connectSandbox(client, { documents: 3, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(other, 1);
    await (await RelatedRows.of(engine, client, connection)).delete(target);
    receiver.clear();
    await engine.advanceClock(301);
    await waitForIdlePush(engine);
    await engine.advanceClock(25 * HOUR);
    await waitForAllDelivered(engine, client);
    const theirs = (await engine.transactions(other)).map(({ uuid }) => uuid).sort();
    expect([...receiver.keys].sort()).toEqual(theirs);
  });

  it('while events wait and are in flight: none is sent afterwards', async () => {
    const gate = new Gate();
    receiver.always(gate.behavior);
    const client = await createPullClient(engine);
    await createWebhook(client, { url: receiver.url('/environment'), events: ALL_EVENTS });
    const connection = await connectSandbox(client, { documents: 20, new_per_fetch: 0, document_size_kb: 4 });
    await client
      .request('put', `/v1/connections/${connection}/webhook`)
      .send({ url: receiver.url('/own'), events: ALL_EVENTS })
      .expect(200);
    await engine.waitForFetches(connection, 1);
    await client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    await receiver.waitForRequests(10);
    await eventually(async () => {
      const [row] = await engine.rows<{ waiting: number; sending: number }>(
        `select count(*) filter (where state = 'WAITING')::int as waiting, count(*) filter (where state = 'SENDING')::int as sending
         from webhook_delivery where webhook_uuid in (select uuid from webhook where environment_uuid = $1)`,
        client.environmentUuid,
      );
      return row!.waiting > 0 && row!.sending >= 8;
    }, 'some events wait behind others');
    const relatedRows = await RelatedRows.of(engine, client, connection);
    expect([...relatedRows.tables]).toEqual(expect.arrayContaining(['webhook', 'webhook_delivery', 'outbox']));
    await relatedRows.deleteNow(target);
    const before = receiver.requests.length;
    gate.open();
    await waitForAllEvents(engine);
    await relatedRows.expectGone();
    // One may have been claimed, and its event created, just before the deletion.
    expect(receiver.requests.length).toBeLessThanOrEqual(before + 1);
    await expectSilence();
  });

  it('during a bulk redelivery: it continues with the remaining documents', async () => {
    const client = await createPushClient(engine, receiver.url());
    const connections = [];
    for (const documents of [40, 30]) {
      const connection = await connectSandbox(client, { documents, new_per_fetch: 0, document_size_kb: 4 });
      await engine.waitForFetches(connection, 1);
      connections.push(connection);
    }
    const [gone, stays] = connections as [string, string];
    await waitForAllDelivered(engine, client);
    const [last] = (await engine.transactions(gone)).slice(-1);
    receiver.clear();
    // A lock on the last of its documents stops the redelivery halfway.
    const held = await engine.pool.connect();
    await held.query('begin');
    await held.query('select from transaction where uuid = $1 for update', [last!.uuid]);
    for (const connection_uuid of [gone, undefined]) {
      await client
        .request('post', '/v1/transactions/redeliver')
        .send({ status: 'DELIVERED', ...(connection_uuid && { connection_uuid }) })
        .expect(202);
    }
    const lockWaits = (count: number) =>
      eventually(
        async () =>
          (await engine.count(
            `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )) >= count,
        `${count} wait for a lock`,
      );
    await lockWaits(1);
    const relatedRows = await RelatedRows.of(engine, client, gone);
    expect([...relatedRows.tables]).toContain('redelivery');
    const deleted = relatedRows.delete(target);
    await lockWaits(2);
    await held.query('rollback');
    held.release();
    await deleted;
    await eventually(
      async () => (await engine.count('select count(*) from redelivery where finished_at is null')) === 0,
      'the redelivery ends',
    );
    await waitForAllDelivered(engine, client);
    const theirs = (await engine.transactions(stays)).map(({ uuid }) => uuid).sort();
    expect(receiver.keys.filter((key) => theirs.includes(key)).sort()).toEqual(theirs);
  });
});
