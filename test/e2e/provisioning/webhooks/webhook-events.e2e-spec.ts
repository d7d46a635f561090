import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { answer, Receiver } from '../../../fakes/receiver';
import { createWebhook } from '../../connections/webhooks/webhook-helpers';
import { getConnection, TestEngine, connectSandbox, type TransactionRow } from '../../../harness/engine/test-engine';
import {
  listDeliveries,
  headersOf,
  createWebhookClient,
  createPullClient,
  waitForDeliveries,
  waitForAllEvents,
  parseEvent,
  verifyEvent,
} from './webhook-receiver';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ALL = ['document.available', 'connection.status_changed', 'fetch.finished', 'delivery.failed'];

describe('Webhooks (spec 6, decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let second: Receiver;

  beforeAll(async () => {
    [engine, receiver, second] = await Promise.all([TestEngine.start(), Receiver.start(), Receiver.start()]);
  });
  afterEach(() => {
    receiver.clear();
    second.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([receiver.stop(), second.stop()]);
  });

  const identityOf = async (client: TestClient, connection: string) => {
    const { body } = await client.request('get', `/v1/connections/${connection}`).expect(200);
    const uuid = (body as { data: { identity_uuid: string } }).data.identity_uuid;
    const answered = await client.request('get', `/v1/identities/${uuid}`).expect(200);
    return (answered.body as { data: { identity_uuid: string; client_identifier: string } }).data;
  };
  const about = async (client: TestClient, connection: string) => {
    const { identity_uuid, client_identifier } = await identityOf(client, connection);
    return { client_identifier, identity_uuid, connection_uuid: connection };
  };
  const documentOf = (transaction: TransactionRow) => ({
    transaction_uuid: transaction.uuid,
    document_type: transaction.document_type,
    external_id: transaction.external_id,
    filename: transaction.filename,
    mime_type: transaction.mime_type,
    size: Number(transaction.size),
    sha256: transaction.sha256,
  });

  it('sends one signed event for every available document, with exactly the members of the contract', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver);
    const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 0 });
    await engine.waitForFetches(connection, 1);
    await waitForDeliveries(engine, webhook, 3);
    const transactions = await engine.transactions(connection);
    expect(transactions.map(({ status }) => status)).toEqual(Array(3).fill('AVAILABLE'));

    expect(receiver.whole).toHaveLength(3);
    const subject = await about(client, connection);
    const byTransaction = new Map(receiver.whole.map((sent) => [parseEvent(sent).data.transaction_uuid, sent]));
    for (const transaction of transactions) {
      const received = byTransaction.get(transaction.uuid)!;
      const event = verifyEvent(received, webhook.secret);
      expect(event).toEqual({
        type: 'document.available',
        timestamp: expect.stringMatching(INSTANT),
        data: { ...subject, ...documentOf(transaction) },
      });
      expect(Object.keys(event.data)).toEqual([
        'client_identifier',
        'identity_uuid',
        'connection_uuid',
        'transaction_uuid',
        'document_type',
        'external_id',
        'filename',
        'mime_type',
        'size',
        'sha256',
      ]);
      expect(received).toMatchObject({ method: 'POST', path: '/events' });
      expect(headersOf(received)).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(received.body.length),
      });
    }
    const ids = receiver.whole.map((sent) => headersOf(sent)['webhook-id']);
    expect(new Set(ids).size).toBe(3);

    // The document of the event can be pulled.
    const { body } = await client.request('get', `/v1/transactions/${transactions[0]!.uuid}/document`).expect(200);
    expect((body as { data: { transaction_uuid: string } }).data.transaction_uuid).toBe(transactions[0]!.uuid);
  });

  it('sends an event to two registrations with the same webhook-id, each signed with its own secret', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver);
    const other = await createWebhook(client, { url: second.url() });
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(connection, 1);
    await Promise.all([waitForDeliveries(engine, webhook, 1), waitForDeliveries(engine, other, 1)]);
    const [one, two] = [receiver.whole[0]!, second.whole[0]!];
    expect(headersOf(one)['webhook-id']).toBe(headersOf(two)['webhook-id']);
    expect(verifyEvent(one, webhook.secret)).toEqual(verifyEvent(two, other.secret));
    expect(() => verifyEvent(one, other.secret)).toThrow();
  });

  it('signs with the old and the new secret while one is being replaced', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['fetch.finished'] });
    const { body } = await client
      .request('patch', `/v1/webhooks/${webhook.uuid}`)
      .send({ rotate_secret: true })
      .expect(200);
    const { secret } = (body as { data: { secret: string } }).data;
    const connection = await connectSandbox(client, { documents: 0 });
    await engine.waitForFetches(connection, 1);
    await waitForDeliveries(engine, webhook, 1);
    const [first] = receiver.whole;
    expect(headersOf(first!)['webhook-signature']!.split(' ')).toHaveLength(2);
    expect(verifyEvent(first!, webhook.secret)).toEqual(verifyEvent(first!, secret));
  });

  it('sends fetch.finished and connection.status_changed to subscribers', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ALL });
    const connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 4 });
    const [fetch] = await engine.waitForFetches(connection, 1);
    await client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    await waitForAllEvents(engine);
    await waitForDeliveries(engine, webhook, 4);
    const subject = await about(client, connection);
    const of = (type: string) =>
      receiver.whole.map((received) => verifyEvent(received, webhook.secret)).filter((event) => event.type === type);
    expect(of('fetch.finished')).toEqual([
      {
        type: 'fetch.finished',
        timestamp: expect.stringMatching(INSTANT),
        data: {
          ...subject,
          fetch: {
            uuid: fetch!.uuid,
            connection_uuid: connection,
            trigger: 'INITIAL',
            status: 'SUCCEEDED',
            counts: { seen: 2, new: 2, duplicate: 0, filtered: 0, failed: 0 },
            filtered_by: {},
            error: null,
            created_at: expect.stringMatching(INSTANT),
            started_at: expect.stringMatching(INSTANT),
            finished_at: expect.stringMatching(INSTANT),
          },
        },
      },
    ]);
    // Completing the setup also changes the status.
    expect(of('connection.status_changed').map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { ...subject, status: 'ACTIVE', previous_status: 'PENDING', reason: null },
        { ...subject, status: 'DISABLED', previous_status: 'ACTIVE', reason: null },
      ]),
    );
    expect(of('connection.status_changed')).toHaveLength(2);
    expect(of('document.available')).toHaveLength(2);
  });

  it('contains the reason of a failed fetch and of rejected credentials, in English', async () => {
    const events = ['fetch.finished', 'connection.status_changed'];
    const { client, webhook } = await createWebhookClient(engine, receiver, { events });
    const connection = await connectSandbox(client, { scenario: 'password_changed' });
    await engine.waitForFetches(connection, 1);
    await engine.advanceClock(61);
    await engine.waitForFetches(connection, 2);
    await eventually(async () => (await getConnection(client, connection)).status === 'INVALID_CREDENTIALS', 'refused');
    await waitForAllEvents(engine);
    const events_ = receiver.whole.map((received) => verifyEvent(received, webhook.secret));
    const failed = events_.filter(({ type }) => type === 'fetch.finished').at(-1)!;
    expect(failed.data.fetch).toMatchObject({
      status: 'FAILED',
      error: { code: 'LOGIN_REJECTED', message: expect.stringMatching(/^The provider rejected/) },
    });
    expect(events_.find(({ data }) => data.status === 'INVALID_CREDENTIALS')!.data).toMatchObject({
      previous_status: 'ACTIVE',
      reason: 'LOGIN_REJECTED',
    });
  });

  it('sends an event for a document that could not be delivered', async () => {
    const client = await createTestClient(engine.app, {
      provisioning: { strategy: 'PUSH', url: second.url(), auth: 'NONE', secret: null },
    });
    const webhook = await createWebhook(client, {
      url: receiver.url(),
      events: ['delivery.failed', 'document.available'],
    });
    second.always(answer(503));
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    const [transaction] = await engine.transactions(connection);
    await engine.waitForTransaction(
      transaction!.uuid,
      'the first attempt is settled',
      ({ attempts }) => attempts === 1,
    );
    await engine.rows('update transaction set attempts = 11, due_at = now() where uuid = $1', transaction!.uuid);
    await engine.runPolls();
    await waitForDeliveries(engine, webhook, 1);
    expect(receiver.whole.map((received) => verifyEvent(received, webhook.secret))).toEqual([
      {
        type: 'delivery.failed',
        timestamp: expect.stringMatching(INSTANT),
        data: {
          ...(await about(client, connection)),
          ...documentOf(transaction!),
          attempts: 12,
          error: {
            code: 'UNEXPECTED_STATUS',
            status: 503,
            message: expect.stringContaining('503'),
          },
        },
      },
    ]);
  });

  it('sends only the selected events', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['connection.status_changed'] });
    const connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    await waitForAllEvents(engine);
    expect(receiver.whole.map((received) => parseEvent(received).type)).toEqual(['connection.status_changed']);
    expect(await listDeliveries(engine, webhook)).toHaveLength(1);
  });

  it('sends nothing to another environment', async () => {
    const otherClient = await createWebhookClient(engine, second, { events: ALL });
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ALL });
    await engine.waitForFetches(await connectSandbox(client, { documents: 1, new_per_fetch: 0 }), 1);
    await waitForDeliveries(engine, webhook, 3);
    await waitForAllEvents(engine);
    expect(second.requests).toEqual([]);
    expect(await listDeliveries(engine, otherClient.webhook)).toEqual([]);
  });

  it("notifies a connection's own webhook of that connection only, in addition to the environment's", async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['fetch.finished'] });
    const [one, other] = [
      await connectSandbox(client, { documents: 0 }),
      await connectSandbox(client, { documents: 0 }),
    ];
    await Promise.all([engine.waitForFetches(one, 1), engine.waitForFetches(other, 1)]);
    await waitForAllEvents(engine);
    receiver.clear();
    const { body } = await client
      .request('put', `/v1/connections/${one}/webhook`)
      .send({ url: second.url('/own'), events: ['fetch.finished'] })
      .expect(200);
    const own = (body as { data: { uuid: string; secret: string } }).data;
    for (const connection of [one, other]) {
      await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
      await engine.waitForFetches(connection, 2);
    }
    await waitForAllEvents(engine);
    await waitForDeliveries(engine, webhook, 4);
    expect(receiver.whole.map((received) => parseEvent(received).data.connection_uuid).sort()).toEqual(
      [one, other].sort(),
    );
    expect(second.whole.map((received) => verifyEvent(received, own.secret).data.connection_uuid)).toEqual([one]);
    expect(second.whole[0]!.path).toBe('/own');
  });

  it('sends no document events to a polling client (spec 6), but its other events', async () => {
    const client = await createTestClient(engine.app);
    const webhook = await createWebhook(client, { url: receiver.url(), events: ALL });
    await engine.waitForFetches(await connectSandbox(client, { documents: 2, new_per_fetch: 0 }), 1);
    await waitForDeliveries(engine, webhook, 2);
    await waitForAllEvents(engine);
    const types = receiver.whole.map((received) => parseEvent(received).type);
    expect(types.sort()).toEqual(['connection.status_changed', 'fetch.finished']);
  });

  it('sends no events for pushed documents', async () => {
    const client = await createTestClient(engine.app, {
      provisioning: { strategy: 'PUSH', url: second.url(), auth: 'NONE', secret: null },
    });
    const webhook = await createWebhook(client, {
      url: receiver.url(),
      events: ['document.available', 'fetch.finished'],
    });
    const connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    await second.waitForRequests(2);
    await waitForDeliveries(engine, webhook, 1);
    await waitForAllEvents(engine);
    expect(receiver.whole.map((received) => parseEvent(received).type)).toEqual(['fetch.finished']);
  });

  it('sends no earlier events to a new registration', async () => {
    const client = await createPullClient(engine);
    await engine.waitForFetches(await connectSandbox(client, { documents: 1, new_per_fetch: 0 }), 1);
    await waitForAllEvents(engine);
    const webhook = await createWebhook(client, { url: receiver.url(), events: ALL });
    await waitForAllEvents(engine);
    expect(await listDeliveries(engine, webhook)).toEqual([]);
  });

  it('deletes pending deliveries and the log with the connection', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ALL });
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(connection, 1);
    await waitForAllEvents(engine);
    expect((await listDeliveries(engine, webhook)).length).toBeGreaterThan(1);
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    expect(await listDeliveries(engine, webhook)).toEqual([]);
    await client.request('get', `/v1/webhooks/${webhook.uuid}`).expect(200);
  });

  it('belongs to its environment', async () => {
    const client = await createPullClient(engine);
    const webhook = await createWebhook(client, { url: receiver.url() });
    await client.request('post', `/v1/webhooks/${webhook.uuid}/test`).expect(200);
    await engine.rows('delete from api_key where environment_uuid = $1', client.environmentUuid);
    await engine.rows('delete from environment where uuid = $1', client.environmentUuid);
    expect(await engine.count('select count(*) from webhook where uuid = $1', webhook.uuid)).toBe(0);
    expect(await listDeliveries(engine, webhook)).toEqual([]);
  });
});
