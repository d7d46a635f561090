import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { Metrics } from '../../../src/platform/metrics/metrics';
import { PurgeDocuments } from '../../../src/provisioning/retention/purge-documents';
import { SweepRetention } from '../../../src/provisioning/retention/sweep-retention';
import { answer, Gate, type Receiver } from '../../fakes/receiver';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { expectError } from '../../harness/http/expect-error';
import { parseMetrics, metricValue } from '../../harness/app/metrics-text';
import { TestEngine, connectSandbox, type TransactionRow } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import { listAttempts, createDocuments, waitForIdlePush, isDelivered } from '../provisioning/push/push-setup';
import type { TransactionView } from './transaction-rows';

const DAY = 86_400;
/** The time limit of a pull that has started. */
const LAST_READERS = 600;

describe('The retention of content (decisions 4)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));
  afterEach(async () => {
    // Purges the documents, so that each test counts only its own.
    engine.app.clock.advance(100 * DAY);
    await waitForIdlePush(engine);
    await sweep();
  });

  const sweep = (of = engine) => of.app.app.get(SweepRetention, { strict: false }).sweep();
  const document = (uuid: string) => `/v1/transactions/${uuid}/document`;
  const show = async (client: TestClient, uuid: string): Promise<TransactionView> =>
    ((await client.request('get', `/v1/transactions/${uuid}`).expect(200)).body as { data: TransactionView }).data;
  const feed = async (client: TestClient): Promise<string[]> =>
    ((await client.request('get', '/v1/transactions').expect(200)).body as { data: TransactionView[] }).data.map(
      ({ transaction_uuid }) => transaction_uuid,
    );
  const daysLeft = ({ document: { available_until } }: TransactionView) =>
    (new Date(available_until).getTime() - engine.app.clock.now().getTime()) / (DAY * 1000);

  /** Counts the contents and chunks of a connection. */
  async function kept(connection: string): Promise<{ contents: number; chunks: number }> {
    const of = 'from content c';
    const contents = await engine.count(`select count(*) ${of} where owner_uuid = $1`, connection);
    const chunks = await engine.count(
      `select count(*) ${of} join content_chunk k on k.content_uuid = c.uuid where owner_uuid = $1`,
      connection,
    );
    return { contents, chunks };
  }

  /** Chunks without content: purged content must not leave chunks behind. */
  const stray = () =>
    engine.count(
      'select count(*) from content_chunk k where not exists (select 1 from content where uuid = content_uuid)',
    );

  /** Stops scheduled fetches, because the clock advances by months. */
  const fetchNoMore = () => engine.rows('update connection set next_fetch_at = null');

  async function pushed(documents: number) {
    const found = await createDocuments(engine, receiver.url(), documents);
    await fetchNoMore();
    return found;
  }

  const heldBack = ({ environmentUuid }: TestClient) =>
    eventually(async () => {
      const held = 'select count(*) from endpoint where environment_uuid = $1 and circuit_open_until is not null';
      return (await engine.count(held, environmentUuid)) === 1;
    }, 'the endpoint is held back');

  async function polled(
    documents: number,
    fields: Record<string, unknown> = {},
    client?: TestClient,
  ): Promise<{ client: TestClient; connection: string; uuids: string[] }> {
    const by = client ?? (await createTestClient(engine.app));
    const connection = await connectSandbox(by, { documents, new_per_fetch: 0, document_size_kb: 4, ...fields });
    await engine.waitForFetches(connection, 1);
    await fetchNoMore();
    return { client: by, connection, uuids: (await engine.transactions(connection)).map(({ uuid }) => uuid) };
  }

  /**
   * Advances the clock to just before the end of the given days, and then to just after the time of the last readers.
   */
  async function keptFor(days: number, connection: string, contents: number): Promise<void> {
    engine.app.clock.advance(days * DAY - 60);
    expect(await sweep()).toBe(0);
    expect((await kept(connection)).contents).toBe(contents);
    engine.app.clock.advance(60 + LAST_READERS + 1);
  }

  async function gone(client: TestClient, uuid: string): Promise<void> {
    expectError(await client.request('get', document(uuid)), 404, 'DOCUMENT_NOT_AVAILABLE');
    expectError(await client.request('post', `/v1/transactions/${uuid}/redeliver`), 422, 'DOCUMENT_PURGED');
  }

  it('is 90 days for unacknowledged documents, whose record stays', async () => {
    const { client, connection, uuids } = await polled(2, { document_size_kb: 600 });
    const before = await show(client, uuids[0]!);
    expect(daysLeft(before)).toBeCloseTo(90, 1);
    expect((await kept(connection)).chunks).toBeGreaterThan(2);
    await keptFor(90, connection, 2);
    expect(await sweep()).toBe(2);
    expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
    expect(await stray()).toBe(0);
    for (const uuid of uuids) await gone(client, uuid);
    expect(await show(client, uuids[0]!)).toEqual(before);
    expect(before.provisioning.status).toBe('AVAILABLE');
    expect(await feed(client)).toEqual(expect.arrayContaining(uuids));
    const [row] = await engine.rows<{ content_uuid: string | null; sha256: string }>(
      'select content_uuid, sha256 from transaction where uuid = $1',
      uuids[0],
    );
    expect(row).toMatchObject({ content_uuid: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await sweep()).toBe(0);
    // The client may still acknowledge the document; the content is not restored.
    await client.request('post', `/v1/transactions/${uuids[0]!}/acknowledge`).send({ result: 'ACCEPTED' }).expect(204);
    expect((await show(client, uuids[0]!)).document.available_until).toBe(before.document.available_until);
  });

  it('is that of the document for its renditions', async () => {
    const { client, connection, uuids } = await polled(2);
    const [document, other] = uuids as [string, string];
    // Its content becomes that of a rendition of the first document.
    await engine.rows(
      `with taken as (update transaction set content_uuid = null where uuid = $2 returning environment_uuid)
       insert into rendition (uuid, environment_uuid, connection_uuid, transaction_uuid, dedupe_key, filename, mime_type, size,
         sha256, content_uuid, content_chunks, created_at)
       select t.uuid, t.environment_uuid, t.connection_uuid, $1, 'rendition', t.filename, t.mime_type, t.size, t.sha256,
         t.content_uuid, t.content_chunks, t.created_at
       from transaction t, taken where t.uuid = $2`,
      document,
      other,
    );
    const rendition = `/v1/transactions/${document}/renditions/${other}`;
    await client.request('get', rendition).expect(200);
    await keptFor(90, connection, 2);
    expectError(await client.request('get', rendition), 404, 'DOCUMENT_NOT_AVAILABLE');
    expect(await sweep()).toBe(1);
    expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
    expectError(await client.request('get', rendition), 404, 'DOCUMENT_NOT_AVAILABLE');
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    expect(await engine.count('select count(*) from rendition where connection_uuid = $1', connection)).toBe(0);
  });

  it('is 7 days after an acknowledgement', async () => {
    const { client, connection, uuids } = await polled(2);
    const [accepted, rejected] = uuids as [string, string];
    await client.request('post', `/v1/transactions/${accepted}/acknowledge`).send({ result: 'ACCEPTED' }).expect(204);
    await client.request('post', `/v1/transactions/${rejected}/acknowledge`).send({ result: 'REJECTED' }).expect(204);
    expect(daysLeft(await show(client, accepted))).toBeCloseTo(7, 1);
    await keptFor(7, connection, 2);
    expect(await sweep()).toBe(2);
    await gone(client, accepted);
    expect((await show(client, accepted)).provisioning.status).toBe('ACKNOWLEDGED');
    expect((await show(client, rejected)).provisioning.last_error!.code).toBe('REJECTED_BY_CLIENT');
  });

  it('is 7 days after a delivered push, and sends no failure event', async () => {
    const { client, connection, transactions } = await pushed(1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    expect(daysLeft(await show(client, uuid))).toBeCloseTo(7, 1);
    await keptFor(7, connection, 1);
    expect(await sweep()).toBe(1);
    await gone(client, uuid);
    expect((await show(client, uuid)).provisioning).toMatchObject({ status: 'DELIVERED', last_error: null });
    const failures = `select count(*) from outbox where type = 'delivery.failed' and data->>'transaction_uuid' = $1`;
    expect(await engine.count(failures, uuid)).toBe(0);
  });

  it('restarts when a document is redelivered', async () => {
    const { client, connection, uuids } = await polled(1);
    engine.app.clock.advance(80 * DAY);
    await client.request('post', `/v1/transactions/${uuids[0]!}/redeliver`).expect(202);
    await keptFor(90, connection, 1);
    expect(await sweep()).toBe(1);
  });

  it('follows the settings of the environment from their change on', async () => {
    const { client, uuids: before } = await polled(1);
    await engine.rows(
      'update environment set retention_days = 3, retention_delivered_days = 0 where uuid = $1',
      client.environmentUuid,
    );
    const { connection, uuids } = await polled(2, {}, client);
    expect(daysLeft(await show(client, before[0]!))).toBeCloseTo(90, 1);
    expect(daysLeft(await show(client, uuids[0]!))).toBeCloseTo(3, 1);
    // 0 days: immediately after the acknowledgement.
    await client.request('post', `/v1/transactions/${uuids[1]!}/acknowledge`).send({ result: 'ACCEPTED' }).expect(204);
    expectError(await client.request('get', document(uuids[1]!)), 404, 'DOCUMENT_NOT_AVAILABLE');
    engine.app.clock.advance(LAST_READERS + 1);
    expect(await sweep()).toBe(1);
    await gone(client, uuids[1]!);
    expect(await kept(connection)).toEqual({ contents: 1, chunks: 1 });
    engine.app.clock.advance(3 * DAY);
    expect(await sweep()).toBe(1);
    expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
    await client.request('get', document(before[0]!)).expect(200);
  });

  /** Blocks the client's endpoint indefinitely. */
  const pauseForEver = ({ environmentUuid }: TestClient) =>
    engine.rows(
      `update endpoint set retry_after_until = now() + interval '100 years', circuit_open_until = now() + interval '100 years'
       where environment_uuid = $1`,
      environmentUuid,
    );

  it('does not end for pending documents: they are delivered eventually', async () => {
    receiver.always(answer(503));
    const { client, connection, transactions } = await pushed(20);
    await heldBack(client);
    await waitForIdlePush(engine);
    await pauseForEver(client);
    await engine.advanceClock(120 * DAY);
    expect(await sweep()).toBe(0);
    expect((await kept(connection)).contents).toBe(20);
    receiver.always(answer(200));
    await engine.rows('delete from endpoint where environment_uuid = $1', client.environmentUuid);
    await waitForIdlePush(engine);
    for (const { uuid } of transactions) {
      await engine.waitForTransaction(uuid, 'it is delivered', ({ status }) => status === 'DELIVERED');
    }
    expect(await sweep()).toBe(0);
    engine.app.clock.advance(7 * DAY + LAST_READERS + 1);
    expect(await sweep()).toBe(20);
  });

  it('restarts after a final failure, so that the document can be redelivered', async () => {
    receiver.always(answer(503));
    const { client, connection, transactions } = await pushed(1);
    const { uuid } = transactions[0]!;
    await engine.waitForTransaction(uuid, 'it is tried', ({ attempts }) => attempts === 1);
    await engine.rows('update transaction set attempts = 11 where uuid = $1', uuid);
    await engine.advanceClock(100 * DAY);
    await engine.waitForTransaction(uuid, 'it has failed', ({ status }) => status === 'FAILED');
    expect(await sweep()).toBe(0);
    expect(daysLeft(await show(client, uuid))).toBeCloseTo(90, 0);
    receiver.always(answer(200));
    await client.request('post', `/v1/transactions/${uuid}/redeliver`).expect(202);
    await waitForIdlePush(engine);
    await engine.waitForTransaction(uuid, 'it is delivered', ({ status }) => status === 'DELIVERED');
    expect((await kept(connection)).contents).toBe(1);
  });

  it('does not end during a push', async () => {
    const gate = new Gate();
    receiver.next(gate.behavior);
    const { client, transactions } = await pushed(1);
    const { uuid } = transactions[0]!;
    await receiver.waitForRequests(1);
    engine.app.clock.advance(91 * DAY);
    expect(await sweep()).toBe(0);
    gate.open();
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    expect(await listAttempts(engine, uuid)).toHaveLength(1);
    expect(daysLeft(await show(client, uuid))).toBeCloseTo(7, 1);
    await client.request('get', document(uuid)).expect(200);
  });

  it('lets pulls that started in time finish, for ten minutes', async () => {
    const { client, uuids } = await polled(1, { document_size_kb: 61_440 });
    const begin = async () => {
      const request = httpGet(`${engine.app.url}${document(uuids[0]!)}`, {
        headers: { 'X-API-KEY': client.apiKey, Accept: 'application/octet-stream' },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const ended = new Promise<string>((resolve) => {
        response.once('error', () => resolve('broken off'));
        response.once('end', () => resolve('whole'));
      });
      await once(response, 'readable');
      return { response, ended };
    };
    const [quick, slow] = [await begin(), await begin()];
    engine.app.clock.advance(90 * DAY + LAST_READERS - 60);
    expectError(await client.request('get', document(uuids[0]!)), 404, 'DOCUMENT_NOT_AVAILABLE');
    expect(await sweep()).toBe(0);
    quick.response.resume();
    expect(await quick.ended).toBe('whole');
    engine.app.clock.advance(120);
    expect(await sweep()).toBe(1);
    slow.response.resume();
    expect(await slow.ended).toBe('broken off');
    await gone(client, uuids[0]!);
  });

  it('ends batch by batch, and is counted', async () => {
    const { connection } = await polled(250, { document_size_kb: 1 });
    const [{ sum }] = (await engine.rows<{ sum: string }>(
      'select sum(size) from transaction where connection_uuid = $1',
      connection,
    )) as [{ sum: string }];
    engine.app.clock.advance(91 * DAY);
    const purge = engine.app.app.get(PurgeDocuments, { strict: false });
    expect((await purge.purgeBatch()).documents).toBe(100);
    expect((await kept(connection)).contents).toBe(150);
    const counted = async () => {
      const found = parseMetrics(await engine.app.app.get(Metrics, { strict: false }).registry.metrics());
      return {
        documents: metricValue(found, 'docfetch_documents_purged_total'),
        bytes: metricValue(found, 'docfetch_documents_purged_bytes_total'),
      };
    };
    const before = await counted();
    const rest = await engine.rows<TransactionRow>(
      'select size from transaction where connection_uuid = $1 and content_uuid is not null',
      connection,
    );
    const bytes = rest.reduce((total, { size }) => total + Number(size), 0);
    expect(await sweep()).toBe(150);
    const after = await counted();
    expect(after.documents - before.documents).toBe(150);
    expect(after.bytes - before.bytes).toBe(bytes);
    expect(bytes).toBeLessThan(Number(sum));
    expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
  });

  it('ends with fewer large documents at a time, and with at least one', async () => {
    const { connection } = await polled(6, { document_size_kb: 1 });
    const mebi = 1024 * 1024;
    const sizes = [200, 200, 50, 10, 300, 1].map((size) => size * mebi);
    await engine.rows(
      `update transaction t set size = (array[${sizes.join(',')}])[numbered.n], available_until = available_until + numbered.n * interval '1 second'
       from (select uuid, row_number() over (order by uuid) as n from transaction where connection_uuid = $1) numbered
       where t.uuid = numbered.uuid`,
      connection,
    );
    engine.app.clock.advance(91 * DAY);
    const purge = engine.app.app.get(PurgeDocuments, { strict: false });
    const batches: number[] = [];
    for (let purged = await purge.purgeBatch(); purged.documents > 0; purged = await purge.purgeBatch())
      batches.push(purged.bytes / mebi);
    expect(batches).toEqual([400, 360, 1]);
    expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
  });

  it('ends once for each document, with several instances and concurrent acknowledgements and deletions', async () => {
    const other = await TestEngine.start({ databaseUrl: engine.app.databaseUrl, clock: engine.app.clock });
    try {
      const alone = await polled(230);
      engine.app.clock.advance(91 * DAY);
      const numbers = await Promise.all([sweep(), sweep(other), sweep(), sweep(other)]);
      expect(numbers.reduce((sum, number) => sum + number)).toBe(230);
      expect(await kept(alone.connection)).toEqual({ contents: 0, chunks: 0 });

      receiver.always(answer(503));
      const [purged, deleted] = [await polled(230), await polled(230)];
      const waiting = await pushed(30);
      await heldBack(waiting.client);
      await waitForIdlePush(engine);
      await waitForIdlePush(other);
      await pauseForEver(waiting.client);
      engine.app.clock.advance(91 * DAY);
      await Promise.all([engine.runPolls(), other.runPolls()]);
      await Promise.all([waitForIdlePush(engine), waitForIdlePush(other)]);
      const acknowledged = purged.uuids.slice(0, 50);
      await Promise.all([
        sweep(),
        sweep(other),
        deleted.client.request('delete', `/v1/connections/${deleted.connection}`).expect(204),
        purged.client
          .request('post', '/v1/transactions/acknowledge')
          .send({ transaction_uuids: acknowledged, result: 'ACCEPTED' })
          .expect(204),
        sweep(),
        sweep(other),
      ]);
      // Documents that were acknowledged before the sweep reached them are kept for seven more days.
      engine.app.clock.advance(8 * DAY);
      await Promise.all([waitForIdlePush(engine), waitForIdlePush(other)]);
      await Promise.all([sweep(), sweep(other)]);
      for (const { connection } of [purged, deleted]) {
        expect(await kept(connection)).toEqual({ contents: 0, chunks: 0 });
      }
      expect(await engine.transactions(purged.connection)).toHaveLength(230);
      // Documents that still wait to be pushed are never purged.
      expect((await kept(waiting.connection)).contents).toBe(30);
      for (const { status } of await engine.transactions(waiting.connection)) expect(status).toBe('PENDING');
      expect(await stray()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
