import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { answer, Receiver } from '../../../fakes/receiver';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { type WebhookBody, createWebhook } from '../../connections/webhooks/webhook-helpers';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { listDeliveries, waitForDeliveries, waitForAllEvents, verifyEvent } from '../webhooks/webhook-receiver';

const MIB = 1024 * 1024;

describe('Documents over the push limit (decisions 6)', () => {
  let engine: TestEngine;
  let pushes: Receiver;
  let events: Receiver;

  beforeAll(async () => {
    [engine, pushes, events] = await Promise.all([TestEngine.start(), Receiver.start(), Receiver.start()]);
  });
  afterEach(() => {
    pushes.clear();
    events.clear();
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([pushes.stop(), events.stop()]);
  });

  const limit = (client: TestClient, pushLimitBytes?: number) =>
    engine.app.app.get(SetProvisioning, { strict: false }).set('test', client.environmentUuid, {
      strategy: 'PUSH',
      url: pushes.url(),
      auth: 'NONE',
      secret: null,
      pushLimitBytes,
    });

  async function pushing(pushLimitBytes?: number): Promise<{ client: TestClient; webhook: WebhookBody }> {
    const client = await createTestClient(engine.app);
    await limit(client, pushLimitBytes);
    return { client, webhook: await createWebhook(client, { url: events.url() }) };
  }

  it('are not pushed; the client is notified with the reason and can pull them', async () => {
    const { client, webhook } = await pushing(MIB);
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 1025 });
    await engine.waitForFetches(connection, 1);
    await waitForDeliveries(engine, webhook, 1);
    const [transaction] = await engine.transactions(connection);
    expect(transaction).toMatchObject({ status: 'AVAILABLE', due_at: null, attempts: 1 });
    const event = verifyEvent(events.whole[0]!, webhook.secret);
    expect(event).toMatchObject({
      type: 'document.available',
      data: { transaction_uuid: transaction!.uuid, size: Number(transaction!.size), reason: 'TOO_LARGE_FOR_PUSH' },
    });
    expect(pushes.requests).toEqual([]);
    const path = `/v1/transactions/${transaction!.uuid}`;
    const { body } = await client
      .request('get', `${path}/document`)
      .set('Accept', 'application/octet-stream')
      .expect(200);
    expect((body as Buffer).length).toBe(Number(transaction!.size));
  });

  it('do not include a document of exactly the limit, which is pushed', async () => {
    const { client, webhook } = await pushing();
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 1024 });
    await pushes.waitForRequests(1);
    const [transaction] = await engine.transactions(connection);
    await engine.waitForTransaction(transaction!.uuid, 'it is pushed', ({ status }) => status === 'DELIVERED');

    await limit(client, Number(transaction!.size));
    const same = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 1024 });
    const [again] = (await engine.waitForFetches(same, 1)) && (await engine.transactions(same));
    expect(Number(again!.size)).toBe(Number(transaction!.size));
    await engine.waitForTransaction(again!.uuid, 'it is pushed', ({ status }) => status === 'DELIVERED');
    await waitForAllEvents(engine);
    expect(await listDeliveries(engine, webhook)).toEqual([]);

    await limit(client, Number(transaction!.size) - 1);
    const over = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 1024 });
    await engine.waitForFetches(over, 1);
    await waitForDeliveries(engine, webhook, 1);
    expect((await engine.transactions(over))[0]).toMatchObject({ status: 'AVAILABLE' });
  });

  it('become available for polling when the limit is lowered while they wait', async () => {
    const { client, webhook } = await pushing();
    pushes.always(answer(503));
    const connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 16 });
    await engine.waitForFetches(connection, 1);
    for (const { uuid } of await engine.transactions(connection)) {
      await engine.waitForTransaction(uuid, 'the first attempt is settled', ({ attempts }) => attempts === 1);
    }
    await limit(client, 4096);
    await engine.advanceClock(40);
    for (const { uuid } of await engine.transactions(connection)) {
      await engine.waitForTransaction(
        uuid,
        'It can be pulled',
        ({ status, due_at }) => status === 'AVAILABLE' && !due_at,
      );
    }
    await waitForDeliveries(engine, webhook, 2);
    expect(events.whole.map((sent) => verifyEvent(sent, webhook.secret).data.reason)).toEqual(
      Array(2).fill('TOO_LARGE_FOR_PUSH'),
    );
    expect(pushes.requests).toHaveLength(2);
  });
});
