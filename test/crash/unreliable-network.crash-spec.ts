import { FaultProxy } from '../fakes/fault-proxy';
import { createTestClient, type TestClient } from '../harness/app/test-client';
import { eventually } from '../harness/eventually';
import { TestEngine, type FetchRow } from '../harness/engine/test-engine';
import { connectTo, type FilledMailbox, fillMailbox } from './campaigns/filled-mailbox';
import { SeededRandom, seedOfRun } from './campaigns/seeded-random';

const DOCUMENTS = 500;
const FOLDER = 'Rechnungen';

describe(`Fetching ${DOCUMENTS} documents from Dovecot`, () => {
  const random = new SeededRandom(seedOfRun());
  let mailbox: FilledMailbox;
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    mailbox = await fillMailbox(random, DOCUMENTS);
    await mailbox.deliverAll(FOLDER);
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterAll(async () => {
    await engine?.stop();
    await mailbox?.server.stop();
  });

  /** Advances the clock to the next fetch, and returns it when it has ended. */
  async function nextFetch(uuid: string): Promise<FetchRow> {
    const before = await engine.fetches(uuid);
    const [row] = await engine.rows<{ next_fetch_at: Date }>(
      'select next_fetch_at from connection where uuid = $1',
      uuid,
    );
    await engine.advanceClock(
      Math.max(0, (row!.next_fetch_at.getTime() - engine.app.clock.now().getTime()) / 1000) + 1,
    );
    return (await engine.waitForFetches(uuid, before.length + 1, 120_000)).at(-1)!;
  }

  const hashes = async (uuid: string) => (await engine.transactions(uuid)).map((row) => row.sha256).sort();

  it('fetches each document once over an unreliable connection', async () => {
    const proxy = await FaultProxy.start(mailbox.server);
    try {
      proxy.faults(() => ({
        cutAfter: random.between(20_000, 1_500_000),
        ...(random.next() < 0.2 && { delayMs: random.between(1, 10) }),
      }));
      const uuid = await connectTo(client, mailbox, proxy.port);
      let last = (await engine.waitForFetches(uuid, 1, 120_000))[0]!;
      while (last.status !== 'SUCCEEDED') last = await nextFetch(uuid);

      const all = await engine.fetches(uuid);
      process.stdout.write(`${all.length} fetches over ${proxy.connections} connections, ${proxy.cuts} of them cut\n`);
      expect(proxy.cuts).toBeGreaterThan(5);
      for (const { error_code } of all) expect([null, 'PROVIDER_DOWN']).toContain(error_code);
      expect(all.reduce((sum, fetch) => sum + fetch.new, 0)).toBe(DOCUMENTS);
      expect(await hashes(uuid)).toEqual(mailbox.hashes);

      proxy.faults(() => ({}));
      expect(await nextFetch(uuid)).toMatchObject({ status: 'SUCCEEDED', seen: 0, new: 0 });
      expect(await engine.transactions(uuid)).toHaveLength(DOCUMENTS);
    } finally {
      await proxy.stop();
    }
  });

  it('from a server that is unavailable for a while resumes where it stopped', async () => {
    const proxy = await FaultProxy.start(mailbox.server);
    try {
      const uuid = await connectTo(client, mailbox, proxy.port);
      await eventually(async () => (await engine.transactions(uuid)).length >= 20, 'the first documents are recorded');
      proxy.faults(() => ({ refuse: true }));
      proxy.cutAll();
      const [first] = await engine.waitForFetches(uuid, 1, 120_000);
      expect(first).toMatchObject({ status: 'PARTIAL', error_code: 'PROVIDER_DOWN', duplicate: 0 });
      expect(first!.new).toBeLessThan(DOCUMENTS);
      // Documents that the first fetch could not read wait until a listing succeeds.
      const nothing = { seen: 0, failed: 0, new: 0 };
      expect(await nextFetch(uuid)).toMatchObject({ status: 'FAILED', error_code: 'PROVIDER_DOWN', ...nothing });

      proxy.faults(() => ({}));
      const last = await nextFetch(uuid);
      expect(last).toMatchObject({ status: 'SUCCEEDED', trigger: 'RECOVERY', new: DOCUMENTS - first!.new });
      expect(await hashes(uuid)).toEqual(mailbox.hashes);
    } finally {
      await proxy.stop();
    }
  });

  it('records nothing twice when UIDVALIDITY changes between two fetches', async () => {
    const uuid = await connectTo(client, mailbox, undefined, [FOLDER]);
    await engine.waitForFetches(uuid, 1, 120_000);
    expect(await hashes(uuid)).toEqual(mailbox.hashes);

    mailbox.server.rebuild(FOLDER, 4_000_000_001);
    const repeated = { status: 'SUCCEEDED', seen: DOCUMENTS, new: 0, duplicate: DOCUMENTS, failed: 0 };
    expect(await nextFetch(uuid)).toMatchObject(repeated);

    mailbox.server.remove(FOLDER);
    await mailbox.deliverAll(FOLDER);
    expect(await nextFetch(uuid)).toMatchObject(repeated);
    expect(await nextFetch(uuid)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    expect(await engine.transactions(uuid)).toHaveLength(DOCUMENTS);
  });

  it('records nothing twice when UIDVALIDITY changes during a fetch', async () => {
    const uuid = await connectTo(client, mailbox, undefined, [FOLDER]);
    await eventually(async () => (await engine.transactions(uuid)).length >= 20, 'the first documents are recorded');
    mailbox.server.rebuild(FOLDER, 4_000_000_002);
    let last = (await engine.waitForFetches(uuid, 1, 120_000))[0]!;
    while (last.status !== 'SUCCEEDED') last = await nextFetch(uuid);
    expect((await engine.fetches(uuid)).reduce((sum, fetch) => sum + fetch.new, 0)).toBe(DOCUMENTS);
    expect(await hashes(uuid)).toEqual(mailbox.hashes);
  });
});
