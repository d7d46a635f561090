import { DrainEndpoint } from '../../../src/provisioning/drain-endpoint';
import { answer, Receiver } from '../../fakes/receiver';
import { eventually } from '../../harness/eventually';
import { Engine } from '../fetches/engine';
import { documentsFor, drained, isDelivered } from './pushing';

const PROBE = 301;

describe('An endpoint that is held back, and probed by several instances (contract 6)', () => {
  it('gets another document with every probe, whichever instance sends it, and so all that it does not refuse', async () => {
    const receiver = await Receiver.start();
    receiver.always(answer(500));
    const first = await Engine.start();
    const { client, connection } = await documentsFor(first, receiver.url(), 5);
    await eventually(
      async () => (await first.transactions(connection)).every(({ attempts }) => attempts === 1),
      'each has failed once',
    );
    await drained(first);
    const { databaseUrl, clock } = first.app;
    await first.stop();
    receiver.clear();
    // Without a calendar of their own: each probes exactly when it is told to.
    const instances = await Promise.all([1, 2].map(() => Engine.start({ role: 'api', databaseUrl, clock })));
    const [one, other] = instances as [Engine, Engine];
    try {
      const probe = async (by: Engine) => {
        clock.move(PROBE);
        await by.app.app.get(DrainEndpoint, { strict: false }).run(client.environmentUuid, AbortSignal.timeout(30_000));
      };
      receiver.always(answer(500));
      for (const by of [one, other, other, one, other]) await probe(by);
      expect(receiver.keys).toHaveLength(5);
      expect(new Set(receiver.keys).size).toBe(5);

      // One of them is refused for good: the other instance's probe is not it, and opens the way for all others.
      const refused = receiver.keys[0]!;
      receiver.clear();
      receiver.when(({ headers }) => headers['idempotency-key'] === refused, answer(500));
      await probe(one);
      expect(receiver.keys).toEqual([refused]);
      await probe(other);
      expect(receiver.keys).toHaveLength(6);
      const rows = await one.transactions(connection);
      expect(rows.filter((row) => !isDelivered(row)).map(({ uuid }) => uuid)).toEqual([refused]);
    } finally {
      await Promise.all(instances.map((instance) => instance.stop()));
      await receiver.stop();
    }
  });
});
