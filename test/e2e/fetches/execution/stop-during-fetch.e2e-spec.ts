import { ContentGarbageCollector } from '../../../../src/fetches/execution/content-garbage-collector';
import { Gate, Receiver } from '../../../fakes/receiver';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { createPushClient, useFullConcurrency } from '../../provisioning/push/push-setup';
import { getConnection, TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

const HOUR = 3600;
/** Slow enough to be interrupted: three batches of twenty, four at a time. */
const SLOW = { scenario: 'slow', delay_ms: 60, documents: 60, new_per_fetch: 0, document_size_kb: 4 };

describe('Stopping during a fetch', () => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  /** Resolves when some documents are recorded and others are not. */
  const underWay = (uuid: string, recorded = 20): Promise<boolean> =>
    eventually(async () => (await engine.transactions(uuid)).length >= recorded, 'the first batch is recorded');

  it('a disabled connection gets no transactions; after enabling it gets the rest', async () => {
    const uuid = await connectSandbox(client, SLOW);
    await underWay(uuid);
    await client.request('put', `/v1/connections/${uuid}/disable`).expect(204);
    const atOnce = (await engine.transactions(uuid)).length;
    expect(atOnce).toBeLessThan(60);
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'CANCELLED', error_code: 'CONNECTION_NOT_ACTIVE', new: atOnce });
    expect(await engine.transactions(uuid)).toHaveLength(atOnce);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'DISABLED' });

    await client.request('put', `/v1/connections/${uuid}/enable`).expect(204);
    await engine.runPolls();
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 60 - atOnce });
    expect(new Set((await engine.transactions(uuid)).map(({ external_id }) => external_id)).size).toBe(60);
  });

  it('a deleted connection leaves nothing', async () => {
    const uuid = await connectSandbox(client, SLOW);
    await underWay(uuid);
    await client.request('delete', `/v1/connections/${uuid}`).expect(204);
    await engine.waitForIdleWorker();
    const tables = {
      connection: 'uuid',
      fetch: 'connection_uuid',
      fetch_failure: 'connection_uuid',
      transaction: 'connection_uuid',
      content: 'owner_uuid',
      data_key: 'owner_uuid',
      outbox: 'subject_uuid',
    };
    for (const [table, column] of Object.entries(tables)) {
      const left = await engine.count(`select count(*) from "${table}" where ${column} = $1`, uuid);
      expect({ table, left }).toEqual({ table, left: 0 });
    }
    const chunks =
      'select count(*) from content_chunk k left join content c on c.uuid = k.content_uuid where c.uuid is null';
    expect(await engine.count(chunks)).toBe(0);
    await client.request('get', `/v1/connections/${uuid}`).expect(404);
  });

  it('deletes the remains of a broken download a day later, and nothing else', async () => {
    const uuid = await connectSandbox(client, { scenario: 'broken_download', documents: 3, document_size_kb: 2048 });
    await engine.waitForFetches(uuid, 1);
    const unattached = 'select count(*) from content where owner_uuid = $1 and attached_at is null';
    expect(await engine.count(unattached, uuid)).toBe(1);
    const sweep = engine.app.app.get(ContentGarbageCollector, { strict: false });
    expect(await sweep.collect()).toBe(0);
    engine.app.clock.advance(25 * HOUR);
    expect(await sweep.collect()).toBeGreaterThan(0);
    expect(await engine.count(unattached, uuid)).toBe(0);
    for (const { uuid: transaction } of await engine.transactions(uuid)) {
      await client.request('get', `/v1/transactions/${transaction}/document`).expect(200);
    }
  });
});

describe('Shutting the service down', () => {
  it('during a fetch loses and repeats nothing: the next instance continues', async () => {
    const first = await TestEngine.start();
    const client = await createTestClient(first.app);
    const uuid = await connectSandbox(client, { ...SLOW, documents: 100 });
    await eventually(async () => (await first.transactions(uuid)).length >= 20, 'the first batch is recorded');
    const started = performance.now();
    await first.stop();
    expect(performance.now() - started).toBeLessThan(8_000);

    const second = await TestEngine.start({ databaseUrl: first.app.databaseUrl });
    try {
      const [interrupted] = await second.fetches(uuid);
      expect(interrupted!.status).not.toBe('FAILED');
      const before = (await second.transactions(uuid)).length;
      expect(before).toBeLessThan(100);
      const all = await second.waitForFetches(uuid, 1);
      expect(all).toHaveLength(1);
      expect(all[0]).toMatchObject({ status: 'SUCCEEDED', seen: 100, new: 100, duplicate: 0, failed: 0 });
      const ids = (await second.transactions(uuid)).map(({ external_id }) => external_id);
      expect(ids).toHaveLength(100);
      expect(new Set(ids).size).toBe(100);
      expect(await second.count('select count(*) from fetch_failure where connection_uuid = $1', uuid)).toBe(0);
    } finally {
      await second.stop();
    }
  });

  it('does not wait for an unresponsive endpoint; the interrupted attempt counts, and the next one follows the schedule', async () => {
    const receiver = await Receiver.start();
    const gate = new Gate();
    receiver.always(gate.behavior);
    const first = await TestEngine.start();
    useFullConcurrency(first);
    const client = await createPushClient(first, receiver.url());
    const uuid = await connectSandbox(client, { documents: 2, document_size_kb: 4 });
    await receiver.waitForRequests(2);
    const started = performance.now();
    await first.stop();
    expect(performance.now() - started).toBeLessThan(8_000);

    gate.open();
    const second = await TestEngine.start({ databaseUrl: first.app.databaseUrl });
    try {
      await second.advanceClock(60);
      for (const transaction of await second.transactions(uuid)) {
        const done = await second.waitForTransaction(
          transaction.uuid,
          'it is delivered',
          ({ status }) => status === 'DELIVERED',
        );
        expect(done.attempts).toBe(2);
      }
      expect(receiver.requests).toHaveLength(4);
      expect(new Set(receiver.keys).size).toBe(2);
    } finally {
      await second.stop();
      await receiver.stop();
    }
  });
});
