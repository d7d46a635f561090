import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { MigratePending } from '../../../../src/provisioning/redelivery/migrate-pending';
import { answer, type Receiver } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { createWebhook } from '../../connections/webhooks/webhook-helpers';
import type { TestEngine } from '../../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../../harness/engine/use-engine-and-receiver';
import { waitForAllEvents, parseEvent } from '../webhooks/webhook-receiver';
import { createDocuments, waitForIdlePush } from '../push/push-setup';

describe('Documents that are pending when the strategy is changed', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  const set = ({ environmentUuid }: TestClient, strategy: 'PUSH' | 'WEBHOOK' | 'POLLING') =>
    engine.app.app.get(SetProvisioning, { strict: false }).set('test', environmentUuid, {
      strategy,
      url: strategy === 'PUSH' ? receiver.url() : null,
      auth: 'NONE',
      secret: null,
    });
  const migrate = () => engine.app.app.get(MigratePending, { strict: false }).migrate();

  /** Three documents of a client whose endpoint is unavailable. */
  const waiting = async () => {
    receiver.always(answer(503));
    const { client, connection } = await createDocuments(engine, receiver.url(), 3);
    const tried = async () => (await engine.transactions(connection)).every(({ attempts }) => attempts === 1);
    await eventually(tried, 'the first attempts have failed');
    await waitForIdlePush(engine);
    receiver.clear();
    return { client, connection };
  };
  const available = { status: 'AVAILABLE', strategy: 'WEBHOOK', due_at: null, last_error: null };

  it('can be pulled, and the client is notified', async () => {
    const { client, connection } = await waiting();
    await createWebhook(client, { url: receiver.url('/events') });
    await set(client, 'WEBHOOK');
    await migrate();
    expect(await engine.transactions(connection)).toEqual(Array(3).fill(expect.objectContaining(available)));
    await waitForAllEvents(engine);
    const uuids = (await engine.transactions(connection)).map(({ uuid }) => uuid);
    const events = receiver.whole.map(parseEvent);
    expect(events.map(({ type, data }) => [type, data['transaction_uuid']]).sort()).toEqual(
      uuids.map((uuid) => ['document.available', uuid]),
    );
    const { body } = await client.request('get', '/v1/transactions?status=AVAILABLE').expect(200);
    expect((body as { data: object[] }).data).toHaveLength(3);
  });

  it('are migrated also when they are recorded or attempted shortly after the change', async () => {
    const { client, connection } = await waiting();
    await set(client, 'POLLING');
    await migrate();
    await engine.rows(
      `update transaction set status = 'PENDING', strategy = 'PUSH', due_at = created_at where connection_uuid = $1`,
      connection,
    );
    await migrate();
    expect((await engine.transactions(connection)).map(({ status }) => status)).toEqual(Array(3).fill('AVAILABLE'));
  });

  it('keep their status while the strategy is push, and are not pushed because it is push again', async () => {
    const { client, connection } = await waiting();
    await migrate();
    expect((await engine.transactions(connection)).map(({ status }) => status)).toEqual(Array(3).fill('PENDING'));
    await set(client, 'POLLING');
    await migrate();
    await set(client, 'PUSH');
    await migrate();
    await engine.advanceClock(600);
    await waitForIdlePush(engine);
    expect((await engine.transactions(connection)).map(({ status }) => status)).toEqual(Array(3).fill('AVAILABLE'));
    expect(receiver.requests).toEqual([]);
  });
});
