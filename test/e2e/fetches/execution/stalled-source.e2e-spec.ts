import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { IntegrationRegistry } from '../../../../src/integrations/integration-registry';
import type { Integration } from '../../../../src/integrations/core/integration';
import type { SourceDocument } from '../../../../src/integrations/core/source-document';
import { FetchLimits } from '../../../../src/fetches/execution/fetch-limits';
import { FetchMetrics } from '../../../../src/fetches/history/fetch-metrics';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { getConnection, TestEngine, connectSandbox } from '../../../harness/engine/test-engine';

/** Overrides the behavior of the portal in this file. */
interface StalledSource {
  list?: Integration['list'];
  open?: (calls: number, real: () => Promise<SourceDocument>) => Promise<SourceDocument>;
}

const forEver = <T>() => new Promise<T>(() => undefined);

/** An endless stream of less than one MiB. */
async function* trickle(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.from('.');
    await pause(20);
  }
}

describe('A stalled source', () => {
  let engine: TestEngine;
  let client: TestClient;
  let mischief: StalledSource = {};
  const stalls = jest.spyOn(FetchMetrics.prototype, 'recordStall');

  beforeAll(async () => {
    engine = await TestEngine.start();
    const registry = engine.app.app.get(IntegrationRegistry, { strict: false });
    const real = registry.get('sandbox');
    let opened = 0;
    const suspended: Integration = {
      ...real,
      list: (...given) => (mischief.list ?? real.list)(...given),
      download: (...given) => {
        const open = () => real.download(...given);
        return mischief.open ? mischief.open(++opened, open) : open();
      },
    };
    jest.spyOn(registry, 'get').mockReturnValue(suspended);
    client = await createTestClient(engine.app);
    Object.assign(engine.app.app.get(FetchLimits, { strict: false }), { documentMs: 2_500, fetchMs: 6_000 });
  });
  beforeEach(() => {
    mischief = {};
    stalls.mockClear();
  });
  afterAll(() => engine.stop());

  /** Advances the clock to the next fetch. */
  const nextFetch = async (uuid: string, count: number) => {
    const { next_fetch_at } = await getConnection(client, uuid);
    await engine.advanceClock((Date.parse(next_fetch_at!) - engine.app.clock.now().getTime()) / 1000 + 1);
    return engine.waitForLastFetch(uuid, count);
  };

  it('fails a stalled document, records the others, and reads it with the next fetch', async () => {
    let first = true;
    mischief.open = async (_, real) => {
      const source = await real();
      if (!first) return source;
      first = false;
      return { ...source, stream: Readable.from(trickle(), { objectMode: false }) };
    };
    const uuid = await connectSandbox(client, { documents: 5, new_per_fetch: 0, document_size_kb: 4 });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({
      status: 'PARTIAL',
      seen: 5,
      new: 4,
      failed: 1,
      error_code: null,
    });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
    expect(stalls.mock.calls).toEqual([['sandbox', 'document']]);
    mischief = {};
    expect(await nextFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 1, failed: 0 });
    expect(await engine.transactions(uuid)).toHaveLength(5);
  });

  it('fails a document whose download never starts', async () => {
    let first = true;
    mischief.open = (_, real) => {
      const stuck = first;
      first = false;
      return stuck ? forEver() : real();
    };
    const uuid = await connectSandbox(client, { documents: 3, new_per_fetch: 0, document_size_kb: 4 });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'PARTIAL', seen: 3, new: 2, failed: 1 });
  });

  it('fails the fetch with a reason when every document stalls, and continues later', async () => {
    mischief.open = () => forEver();
    const uuid = await connectSandbox(client, { documents: 6, new_per_fetch: 0, document_size_kb: 4 });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({
      status: 'FAILED',
      new: 0,
      error_code: 'PROVIDER_DOWN',
    });
    const stuck = await getConnection(client, uuid);
    expect(stuck).toMatchObject({
      status: 'ACTIVE',
      health: 'DEGRADED',
      reason: { code: 'PROVIDER_DOWN', action: 'WAIT' },
    });
    mischief = {};
    expect(await nextFetch(uuid, 2)).toMatchObject({ trigger: 'RECOVERY', status: 'SUCCEEDED', new: 6 });
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });

  it('aborts a listing that never answers, even if the connector ignores the signal', async () => {
    mischief.list = async function* () {
      await forEver();
      yield { documents: [], cursor: null };
    };
    const uuid = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 4 });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'FAILED', error_code: 'PROVIDER_DOWN' });
    expect(stalls.mock.calls).toEqual([['sandbox', 'fetch']]);
    mischief = {};
    expect(await nextFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 2 });
  });

  it('does not abort a slow source that makes progress', async () => {
    mischief.open = async (_, real) => {
      await pause(1_000);
      return real();
    };
    const uuid = await connectSandbox(client, { documents: 28, new_per_fetch: 0, document_size_kb: 4 });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({ status: 'SUCCEEDED', new: 28, failed: 0 });
    expect(stalls).not.toHaveBeenCalled();
  });
});
