import { DECLARED_FAKES, startFake } from '../../../fakes/declared-fakes';
import type { FakeProvider } from '../../../fakes/described/fake-provider';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { connectWithOAuth, TestEngine } from '../../../harness/engine/test-engine';

const IDS = Object.entries(DECLARED_FAKES)
  .filter(([, { oauth }]) => oauth)
  .map(([id]) => id);

describe('Fetching from providers whose files use OAuth', () => {
  let engine: TestEngine;
  let client: TestClient;
  const fakes = new Map<string, FakeProvider>();

  beforeAll(async () => {
    for (const id of IDS) fakes.set(id, await startFake(id));
    const providers = Object.fromEntries([...fakes.values()].flatMap(({ settings }) => Object.entries(settings)));
    engine = await TestEngine.start({ settings: { providers } });
    client = await createTestClient(engine.app);
  });
  afterAll(async () => {
    await engine.stop();
    for (const fake of fakes.values()) await fake.stop();
    expect([...fakes.values()].flatMap(({ violations }) => violations)).toEqual([]);
  });

  it.each(IDS)('records the documents of %s after the consent in its browser', async (id) => {
    const fake = fakes.get(id)!;
    const account = fake.account();
    account.add('2026-03-01');
    account.add('2026-03-02');
    const uuid = await connectWithOAuth(engine, client, id, { ...fake.declaration.step2?.(account) });
    expect((await engine.waitForFetches(uuid, 1))[0]).toMatchObject({ status: 'SUCCEEDED', new: 2, failed: 0 });
    expect(await engine.transactions(uuid)).toHaveLength(2);
  });
});
