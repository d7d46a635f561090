import { FakeImapServer } from '../../fakes/imap/fake-imap-server';
import { FaultProxy } from '../../fakes/fault-proxy';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { connect, TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { RelatedRows, type DeletedResource } from './related-rows';

const SLOW = { scenario: 'slow', delay_ms: 60, documents: 60, new_per_fetch: 0, document_size_kb: 4 };
/** Longer than any test. */
const FOR_EVER = { ...SLOW, delay_ms: 60_000 };

async function fetchNow(client: TestClient, uuid: string): Promise<void> {
  await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
}

describe.each<DeletedResource>(['connection', 'identity'])('Deleting the %s while a fetch', (target) => {
  let engine: TestEngine;
  let client: TestClient;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  afterAll(() => engine.stop());

  const running = (uuid: string) =>
    eventually(async () => (await engine.fetches(uuid)).some(({ status }) => status === 'RUNNING'), 'it runs');

  it.each([
    ['due', async () => undefined, ['connection', 'data_key']],
    ['queued', fetchNow, ['connection', 'data_key', 'fetch']],
  ] as const)('is %s: it never starts', async (_, prepare, tables) => {
    const idle = await TestEngine.start({ role: 'api' });
    try {
      const other = await createTestClient(idle.app);
      const uuid = await connectSandbox(other, SLOW);
      await prepare(other, uuid);
      await idle.runPolls();
      const relatedRows = await RelatedRows.of(idle, other, uuid);
      expect([...relatedRows.tables]).toEqual(expect.arrayContaining([...tables]));
      await relatedRows.deleteNow(target);
      const worker = await TestEngine.start({ databaseUrl: idle.app.databaseUrl });
      try {
        await relatedRows.waitUntilIdle(); // the worker finds nothing to do
        await relatedRows.expectGone();
      } finally {
        await worker.stop();
      }
    } finally {
      await idle.stop();
    }
  });

  it('waits for a portal that does not answer: it ends soon', async () => {
    const uuid = await connect(client, 'sandbox', {
      ...FOR_EVER,
      delay_ms: 0,
      user: `hanging-${target}`,
      password: 'p',
    });
    await engine.waitForFetches(uuid, 1);
    // From now on every step takes a minute.
    await engine.rows(`update connection set settings = settings || '{"delay_ms": 60000}' where uuid = $1`, uuid);
    await fetchNow(client, uuid);
    await eventually(async () => (await engine.fetches(uuid)).at(-1)!.status === 'RUNNING', 'the second one runs');
    await (await RelatedRows.of(engine, client, uuid)).delete(target);
  });

  it('waits for a mailbox that does not answer: its socket is closed soon', async () => {
    const server = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] });
    const proxy = await FaultProxy.start(server);
    try {
      const fields = {
        host: 'localhost',
        port: proxy.port,
        security: 'NONE',
        user: 'anna',
        password: 'right',
      };
      const uuid = await connect(client, 'imap', fields);
      await engine.waitForFetches(uuid, 1);
      proxy.faults(() => ({ stallAfter: 1 }));
      await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
      await eventually(async () => proxy.open > 0 && (await running(uuid)), 'the fetch hangs at the mailbox');
      await (await RelatedRows.of(engine, client, uuid)).delete(target);
      await eventually(() => Promise.resolve(proxy.open === 0), 'the line to the mailbox is closed', 10_000);
    } finally {
      await proxy.stop();
      await server.stop();
    }
  });

  it('downloads and has recorded a part', async () => {
    const uuid = await connectSandbox(client, SLOW);
    await eventually(async () => (await engine.transactions(uuid)).length >= 20, 'the first batch is recorded');
    const relatedRows = await RelatedRows.of(engine, client, uuid);
    expect([...relatedRows.tables]).toEqual(
      expect.arrayContaining(['connection', 'data_key', 'fetch', 'transaction', 'content', 'content_chunk']),
    );
    await relatedRows.delete(target);
  });

  it('is in the middle of a long document', async () => {
    const uuid = await connectSandbox(client, { documents: 4, new_per_fetch: 0, document_size_kb: 20_480 });
    await eventually(
      async () =>
        (await engine.count('select count(*) from content where owner_uuid = $1 and attached_at is null', uuid)) > 0,
      'its first chunks are there',
    );
    await (await RelatedRows.of(engine, client, uuid)).delete(target);
  });

  it('commits: the deletion waits for the commit and deletes its documents', async () => {
    const uuid = await connectSandbox(client, { ...SLOW, delay_ms: 20 });
    await running(uuid);
    const held = await engine.pool.connect();
    await held.query('begin');
    await held.query('select from "fetch" where connection_uuid = $1 for update', [uuid]);
    const waiting = (what: string) =>
      eventually(
        async () =>
          (await engine.count(
            `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
            what,
          )) > 0,
        `${what} waits`,
      );
    await waiting('update fetch_unfinished%');
    const relatedRows = await RelatedRows.of(engine, client, uuid);
    const deleted = relatedRows.delete(target);
    await waiting('select uuid from connection%for update');
    await held.query('rollback');
    held.release();
    await deleted;
  });
});
