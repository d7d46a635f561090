import { DrainEndpoint } from '../../../../src/provisioning/push/drain-endpoint';
import { answer, Receiver } from '../../../fakes/receiver';
import { eventually } from '../../../harness/eventually';
import { TestEngine } from '../../../harness/engine/test-engine';
import { createDocuments, waitForIdlePush, isDelivered } from '../push/push-setup';

describe('A half-open circuit with several instances (decisions 6)', () => {
  it('receives another document with every trial on any instance, and so every document that it accepts', async () => {
    const receiver = await Receiver.start();
    receiver.always(answer(500));
    const first = await TestEngine.start();
    const { client, connection } = await createDocuments(first, receiver.url(), 5);
    await eventually(
      async () => (await first.transactions(connection)).every(({ attempts }) => attempts === 1),
      'each has failed once',
    );
    await waitForIdlePush(first);
    const { databaseUrl, clock } = first.app;
    await first.stop();
    receiver.clear();
    // Without their own scheduler: each sends exactly when the test requests it.
    const instances = await Promise.all([1, 2].map(() => TestEngine.start({ role: 'api', databaseUrl, clock })));
    const [one, other] = instances as [TestEngine, TestEngine];
    try {
      const attempt = async (by: TestEngine) => {
        await by.app.app
          .get(DrainEndpoint, { strict: false })
          .drain(client.environmentUuid, AbortSignal.timeout(30_000));
      };
      receiver.always(answer(500));
      for (const [times, by] of [one, other, other, one, other].entries()) {
        clock.advance(60 * 2 ** times);
        await attempt(by);
        await attempt(one);
        await attempt(other);
        expect(receiver.keys).toHaveLength(times + 1); // one at a time over all instances
      }
      expect(new Set(receiver.keys).size).toBe(5);

      // One document is always rejected: the other instance's trial is another one, and closes the circuit for all others.
      const refused = receiver.keys[0]!;
      receiver.clear();
      receiver.when(({ headers }) => headers['idempotency-key'] === refused, answer(500));
      clock.advance(4 * 3600);
      await attempt(one);
      await attempt(other);
      clock.advance(4 * 3600);
      await attempt(other);
      const rows = await one.transactions(connection);
      expect(rows.filter((row) => !isDelivered(row)).map(({ uuid }) => uuid)).toEqual([refused]);
    } finally {
      await Promise.all(instances.map((instance) => instance.stop()));
      await receiver.stop();
    }
  });
});
