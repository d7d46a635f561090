import { Receiver } from '../../../fakes/receiver';
import { waitForAllDelivered, createPushClient } from '../../provisioning/push/push-setup';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

describe('Two instances on one database', () => {
  let one: TestEngine;
  let other: TestEngine;
  let receiver: Receiver;

  beforeAll(async () => {
    [one, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
    other = await TestEngine.start({ databaseUrl: one.app.databaseUrl, clock: one.app.clock });
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await receiver.stop();
  });

  it('run each fetch once and push each document once', async () => {
    const client = await createPushClient(one, receiver.url());
    const uuids = await Promise.all(
      Array.from({ length: 12 }, () =>
        connectSandbox(client, { documents: 25, new_per_fetch: 5, document_size_kb: 4 }),
      ),
    );
    for (const uuid of uuids) await one.waitForFetches(uuid, 1);
    one.app.clock.advance(1440 * 60 + 60);
    await Promise.all([one.runPolls(), other.runPolls(), one.runPolls(), other.runPolls()]);
    for (const uuid of uuids) {
      const all = await one.waitForFetches(uuid, 2);
      expect(all.map(({ trigger, status, new: fresh, seen }) => [trigger, status, fresh, seen])).toEqual([
        ['INITIAL', 'SUCCEEDED', 25, 25],
        ['SCHEDULED', 'SUCCEEDED', 5, 5],
      ]);
      expect(await one.transactions(uuid)).toHaveLength(30);
    }
    await waitForAllDelivered(one, client);
    expect(receiver.requests).toHaveLength(12 * 30);
    expect(new Set(receiver.keys).size).toBe(12 * 30);
    const attempts = await one.count(
      'select count(*) from delivery_attempt a join transaction t on t.uuid = a.transaction_uuid where t.environment_uuid = $1',
      client.environmentUuid,
    );
    expect(attempts).toBe(12 * 30);
  });
});
