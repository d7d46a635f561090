import { IntegrationRegistry } from '../../../../src/integrations/integration-registry';
import type { Integration } from '../../../../src/integrations/core/integration';
import { DocumentUnavailable, InvalidCredentials, Transient } from '../../../../src/integrations/core/source-errors';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, connectSandbox, updateFields } from '../../../harness/engine/test-engine';
import { PAGE, PagedSource } from './paged-source';

describe('A listing of several pages', () => {
  let engine: TestEngine;
  let client: TestClient;
  let source: PagedSource;
  let real: Integration;
  const of = (documents: number) => connectSandbox(client, { documents, new_per_fetch: 0, document_size_kb: 4 });

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
    const registry = engine.app.app.get(IntegrationRegistry, { strict: false });
    real = registry.get('sandbox');
    jest.spyOn(registry, 'get').mockImplementation(() => source.integration());
  });
  beforeEach(() => {
    source = new PagedSource(real);
  });
  afterAll(() => engine.stop());

  /** Moves the clock to the next fetch. */
  const soon = async (uuid: string) => {
    const { next_fetch_at } = await getConnection(client, uuid);
    await engine.advanceClock((Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()) / 1000 + 1);
  };

  it('downloads documents of the next page during the last one of a page, and commits them in order', async () => {
    const further = Promise.withResolvers<void>();
    const opened: string[] = [];
    source.open = async ({ filename }, open) => {
      opened.push(filename);
      if (opened.length === PAGE) await further.promise;
      if (opened.length > PAGE) further.resolve();
      return open();
    };
    const uuid = await of(3 * PAGE);
    const done = { status: 'SUCCEEDED', seen: 3 * PAGE, new: 3 * PAGE, duplicate: 0, failed: 0 };
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject(done);
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual(opened);
  });

  it('is repeated from the beginning when the start date becomes earlier in the middle of it', async () => {
    const [begun, further] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    source.beforePage = () => (begun.resolve(), further.promise);
    const fields = { documents: 10, new_per_fetch: 0, document_size_kb: 4, startdate: '2025-12-29' };
    const uuid = await connectSandbox(client, fields);
    await begun.promise;
    await updateFields(client, uuid, { startdate: '2025-01-01' });
    further.resolve();
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 3 });
    await soon(uuid);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 7, duplicate: 3 });
    expect(await engine.transactions(uuid)).toHaveLength(10);
  });

  it('that fails records all documents that were listed before, and resumes after them', async () => {
    const broken = Promise.withResolvers<void>();
    source.beforePage = (number) => {
      if (number < 1) return;
      broken.resolve();
      throw new Transient('The listing has broken.');
    };
    source.open = async (_, open) => {
      await broken.promise;
      return open();
    };
    const uuid = await of(2 * PAGE);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({
      status: 'PARTIAL',
      new: PAGE,
      error_code: 'PROVIDER_DOWN',
    });
    expect(await engine.transactions(uuid)).toHaveLength(PAGE);

    source.beforePage = () => undefined;
    await soon(uuid);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: PAGE, duplicate: 0 });
    expect(source.cursors).toEqual([null, 1]);
  });

  it('completes over several fetches although consecutive documents fail', async () => {
    const ids: (string | null)[] = [];
    source.open = ({ externalId }, open) => {
      if (!ids.includes(externalId)) ids.push(externalId);
      const at = ids.indexOf(externalId);
      return at >= PAGE && at < 2 * PAGE ? Promise.reject(new Transient('The source answers 500.')) : open();
    };
    const uuid = await of(4 * PAGE);
    const [first] = await engine.waitForFetches(uuid, 1);
    expect(first).toMatchObject({ status: 'PARTIAL', error_code: 'PROVIDER_DOWN' });
    expect(first!.failed).toBe(PAGE);
    await soon(uuid);
    const rest = 4 * PAGE - PAGE - first!.new;
    const second = { status: 'PARTIAL', error_code: null, new: rest, failed: PAGE };
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject(second);
    expect(await engine.transactions(uuid)).toHaveLength(3 * PAGE);
  });

  it('yields new documents however many earlier ones still fail', async () => {
    let number = 0;
    const broken = new Set<string | null>();
    source.there = 4 * PAGE;
    source.open = ({ externalId }, open) => {
      if (++number <= 4 * PAGE && number % 4 === 2) broken.add(externalId);
      return broken.has(externalId) ? Promise.reject(new Transient('The source answers 500.')) : open();
    };
    const uuid = await of(5 * PAGE);
    const first = { status: 'PARTIAL', error_code: null, new: 3 * PAGE, failed: PAGE };
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject(first);
    source.there = Infinity;
    await soon(uuid);
    const second = { status: 'PARTIAL', error_code: null, new: PAGE, failed: PAGE };
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject(second);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
  });

  it('stops after a hundred consecutive unreadable documents and leaves the rest to the next fetch', async () => {
    const count = 37 * PAGE;
    const broken = new Set<string>();
    const tried: string[] = [];
    source.there = count;
    source.open = ({ dedupeKey }, open) => {
      if (source.there === count) broken.add(dedupeKey);
      if (!broken.has(dedupeKey)) return open();
      tried.push(dedupeKey);
      return Promise.reject(new DocumentUnavailable('It is locked.', false));
    };
    const uuid = await of(count + PAGE);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'PARTIAL', new: 0, failed: count });

    tried.splice(0);
    source.there = Infinity;
    await soon(uuid);
    const second = { status: 'PARTIAL', error_code: null, new: PAGE, failed: 100 };
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject(second);
    expect(new Set(tried).size).toBe(100);
    const left = [...broken].filter((key) => !tried.includes(key));
    tried.splice(0);

    await soon(uuid);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ error_code: null, new: 0, failed: 100 });
    // Clients that have not been served come first.
    expect(tried.slice(0, left.length).sort()).toEqual(left.sort());

    broken.clear();
    await soon(uuid);
    expect(await engine.waitForLastFetch(uuid, 4)).toMatchObject({ status: 'SUCCEEDED', new: count, failed: 0 });
    expect(await engine.transactions(uuid)).toHaveLength(count + PAGE);
  });

  it('stops when a document fails permanently for the whole source', async () => {
    let asked = 0;
    source.beforePage = () => void asked++;
    source.open = () => Promise.reject(new InvalidCredentials('The login was refused.'));
    const uuid = await of(100 * PAGE);
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({
      status: 'FAILED',
      new: 0,
      error_code: 'LOGIN_REJECTED',
    });
    expect(source.isLeft).toBe(true);
    expect(asked).toBeLessThan(10);
  });
});
