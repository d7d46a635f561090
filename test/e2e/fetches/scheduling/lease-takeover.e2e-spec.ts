import { ContentGarbageCollector } from '../../../../src/fetches/execution/content-garbage-collector';
import { createTestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

describe('An instance that shuts down in the middle of a fetch', () => {
  it('finishes its open documents, releases the fetch and leaves no pending work', async () => {
    const first = await TestEngine.start();
    const client = await createTestClient(first.app);
    const slow = { scenario: 'slow', delay_ms: 40, documents: 400, new_per_fetch: 0, document_size_kb: 4 };
    const uuid = await connectSandbox(client, slow);
    await eventually(async () => (await first.transactions(uuid)).length >= 20, 'the first batch is recorded');
    await first.app.stop();

    // The lease has ended and the fetch is queued again, so no timeout is needed.
    const [given] = await first.rows<{ status: string; lease_token: string | null; new: number }>(
      'select f.status, f.new, c.lease_token from "fetch" f join connection c on c.uuid = f.connection_uuid where c.uuid = $1',
      uuid,
    );
    expect(given).toMatchObject({ status: 'QUEUED', lease_token: null });
    expect(given!.new).toBeLessThan(400);
    // It stopped between two commits: all downloaded documents are recorded.
    expect(await first.transactions(uuid)).toHaveLength(given!.new);
    expect(await first.count('select count(*) from content where attached_at is null')).toBe(0);

    const second = await TestEngine.start({ databaseUrl: first.app.databaseUrl });
    try {
      const all = await second.waitForFetches(uuid, 1);
      expect(all).toHaveLength(1);
      expect(all[0]).toMatchObject({ status: 'SUCCEEDED', seen: 400, new: 400, duplicate: 0, failed: 0 });
      second.app.clock.advance(25 * 3600);
      expect(await second.app.app.get(ContentGarbageCollector, { strict: false }).collect()).toBe(0);
    } finally {
      await second.stop();
      await first.pool.end();
    }
  });
});
