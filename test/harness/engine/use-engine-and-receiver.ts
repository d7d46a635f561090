import { Receiver } from '../../fakes/receiver';
import { TestEngine } from './test-engine';

/**
 * Starts a service and an endpoint of a client once per test file, and removes them afterwards; after each test the endpoint
 * forgets its requests and its behavior. `set` receives both before the first test.
 */
export function useEngineAndReceiver(set: (started: [TestEngine, Receiver]) => void): void {
  let started: [TestEngine, Receiver] | undefined;

  beforeAll(async () => {
    started = await Promise.all([TestEngine.start(), Receiver.start()]);
    set(started);
  });
  afterEach(() => started?.[1].clear());
  afterAll(async () => {
    await started?.[0].stop();
    await started?.[1].stop();
  });
}
