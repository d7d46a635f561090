import type { Integration } from '../../../../src/integrations/core/integration';
import type { DocumentRef } from '../../../../src/integrations/core/source-document';
import { IntegrationRegistry } from '../../../../src/integrations/integration-registry';
import { ContentGarbageCollector } from '../../../../src/fetches/execution/content-garbage-collector';
import { createTestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

describe('An instance that shuts down in the middle of a fetch', () => {
  it('leaves the counts of a page that it has not finished to the instance that continues it', async () => {
    const [opened, further] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let open = 0;
    const first = await TestEngine.start();
    useOnePage(first, async () => {
      if (++open <= 20) return;
      opened.resolve();
      await further.promise;
    });
    const uuid = await connectSandbox(await createTestClient(first.app), { documents: 60, document_size_kb: 4 });
    await opened.promise;
    await eventually(async () => (await first.transactions(uuid)).length >= 20, 'the first batch is recorded');
    const stopped = first.app.stop();
    further.resolve();
    await stopped;
    expect((await first.fetches(uuid))[0]!.new).toBeLessThan(60);

    const second = await TestEngine.start({ databaseUrl: first.app.databaseUrl });
    useOnePage(second, () => Promise.resolve());
    try {
      const fetch = await second.waitForLastFetch(uuid, 1);
      expect(fetch).toMatchObject({
        status: 'SUCCEEDED',
        seen: 69,
        new: 60,
        duplicate: 2,
        filtered: 7,
        failed: 0,
        filtered_by: { TYPE: 7 },
      });
    } finally {
      await second.stop();
      await first.pool.end();
    }
  });

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

/** Makes the sandbox list all documents in one page after an empty one, two of them twice and seven excluded. */
function useOnePage(engine: TestEngine, beforeDownload: () => Promise<void>): void {
  const registry = engine.app.app.get(IntegrationRegistry, { strict: false });
  const real = registry.get('sandbox');
  const onePage: Integration = {
    ...real,
    async *list(...[session, cursor, startdate]: Parameters<Integration['list']>) {
      const documents: DocumentRef[] = [];
      for await (const page of real.list(session, null, startdate)) documents.push(...page.documents);
      yield { documents: [], cursor: cursor ?? 0 };
      if (cursor !== 1)
        yield { documents: [...documents, ...documents.slice(0, 2)], filteredBy: { TYPE: 7 }, cursor: 1 };
    },
    async download(session, ref) {
      await beforeDownload();
      return real.download(session, ref);
    },
  };
  jest.spyOn(registry, 'get').mockReturnValue(onePage);
}
