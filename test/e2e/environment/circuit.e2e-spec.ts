import { answer, type Receiver } from '../../fakes/receiver';
import type { TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import type { TestEngine } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import { waitForAllDelivered, createDocuments, waitForIdlePush } from '../provisioning/push/push-setup';

interface Circuit {
  readonly circuit: string;
  readonly failing_since: string | null;
}

describe('The circuit in GET /v1/environment (decisions 9)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  const circuitOf = async (client: TestClient): Promise<Circuit> =>
    ((await client.request('get', '/v1/environment').expect(200)).body as { data: { provisioning: Circuit } }).data
      .provisioning;

  it('opens when the endpoint fails, shows since when, and closes when it recovers', async () => {
    receiver.always(answer(503));
    const begin = engine.app.clock.now().getTime();
    const { client } = await createDocuments(engine, receiver.url(), 10);
    await eventually(async () => (await circuitOf(client)).circuit === 'OPEN', 'the circuit opens');
    await waitForIdlePush(engine);
    const since = Date.parse((await circuitOf(client)).failing_since!);
    expect(since).toBeGreaterThanOrEqual(begin);
    expect(since).toBeLessThanOrEqual(engine.app.clock.now().getTime());

    receiver.always(answer(200));
    await engine.advanceClock(301);
    await waitForAllDelivered(engine, client);
    expect(await circuitOf(client)).toMatchObject({ circuit: 'CLOSED', failing_since: null });
  });
});
