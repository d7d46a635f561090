import { Writable } from 'node:stream';
import { CHUNK_BYTES } from '../../../src/documents/store/document-store';
import { RemoveObjects } from '../../../src/documents/store/bucket/remove-objects';
import type { Type } from '@nestjs/common';
import { FetchLimits } from '../../../src/fetches/execution/fetch-limits';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { SweepRetention } from '../../../src/provisioning/retention/sweep-retention';
import { FakeS3Server } from '../../fakes/s3/fake-s3-server';
import { Receiver } from '../../fakes/receiver';
import { eventually } from '../../harness/eventually';
import { expectError } from '../../harness/http/expect-error';
import { TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import {
  waitForAllDelivered,
  listAttempts,
  createDocuments,
  waitForIdlePush,
  createPushClient,
} from '../provisioning/push/push-setup';

describe('A service with documents in a bucket', () => {
  let server: FakeS3Server;
  let engine: TestEngine;
  let receiver: Receiver;
  let log = '';

  /** Shortens the delay for the test. */
  const pauseFor = (storagePauseMs: number) =>
    [Jobs, FetchLimits].map((limits: Type<object>) =>
      Object.assign(engine.app.app.get(limits, { strict: false }), { storagePauseMs }),
    );

  beforeAll(async () => {
    [server, receiver] = await Promise.all([FakeS3Server.start(), Receiver.start()]);
    const endpoint = `http://localhost:${server.port}`;
    engine = await TestEngine.start({
      settings: {
        storage: { ...server.keys, bucket: server.bucket, endpoint, addressing: 'path', prefix: '' },
        logLevel: 'debug',
      },
      log: new Writable({
        write(chunk, _, done) {
          log += String(chunk);
          done();
        },
      }),
    });
  });
  beforeEach(() => pauseFor(100));
  afterEach(() => {
    server.fault = () => undefined;
    server.requests.length = 0;
    receiver.clear();
    log = '';
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([server.stop(), receiver.stop()]);
  });

  const remove = () => engine.app.app.get(RemoveObjects, { strict: false }).removeDue();
  const refuse = (refused: string) => {
    server.fault = ({ method }) =>
      method === refused ? { status: 403, body: '<Code>AccessDenied</Code>' } : undefined;
  };
  const refused = (method: string, times: number) =>
    eventually(
      () => Promise.resolve(server.requests.filter((request) => request.method === method).length >= times),
      `${method} has been refused ${times} times`,
    );

  it('stores fetched documents in it, delivers from it, and deletes every object at the end', async () => {
    const { client, connection, transactions } = await createDocuments(engine, receiver.url(), 6, {
      document_size_kb: 700,
    });
    await waitForAllDelivered(engine, client);
    const arrived = receiver.whole.map(({ body }) => JSON.parse(String(body)) as { transaction_uuid: string });
    expect(arrived.map(({ transaction_uuid }) => transaction_uuid).sort()).toEqual(
      transactions.map(({ uuid }) => uuid).sort(),
    );
    const chunks = ({ size }: { size: string }) => Math.ceil(Number(size) / CHUNK_BYTES);
    const all = transactions.reduce((sum, one) => sum + chunks(one), 0);
    expect(all).toBeGreaterThan(6);
    expect(server.objects.size).toBe(all);
    expect(await engine.count('select count(*) from content_chunk')).toBe(0);

    const [first] = transactions;
    const raw = await client
      .request('get', `/v1/transactions/${first!.uuid}/document`)
      .set('Accept', 'application/octet-stream')
      .set('Range', 'bytes=262140-262149')
      .buffer(true)
      .expect(206);
    expect((raw.body as Buffer).length).toBe(10);

    await engine.rows(
      "update transaction set available_until = now() - interval '1 hour' where uuid = $1",
      first!.uuid,
    );
    await engine.app.app.get(SweepRetention, { strict: false }).sweep();
    await remove();
    expect(server.objects.size).toBe(all - chunks(first!));
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    await remove();
    expect(server.objects.size).toBe(0);
    expect(log).not.toContain(server.keys.secretKey);
  });

  it('answers a download with 500 and Retry-After while the bucket is unavailable, and sends the document afterwards', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    await waitForAllDelivered(engine, client);
    const download = (accept: string, lang = 'en') =>
      client.request('get', `/v1/transactions/${transactions[0]!.uuid}/document`).set({ Accept: accept, Lang: lang });
    refuse('GET');
    for (const [accept, lang] of [
      ['application/json', 'en'],
      ['application/octet-stream', 'de'],
    ] as const) {
      const answer = await download(accept, lang);
      expectError(answer, 500, 'TEMPORARILY_UNAVAILABLE', {}, lang);
      expect(answer.headers['retry-after']).toBe('5');
      for (const header of ['content-disposition', 'etag', 'content-range']) {
        expect(answer.headers).not.toHaveProperty(header);
      }
    }
    server.fault = () => undefined;
    await download('application/octet-stream').expect(200);
    expect(log).not.toContain(server.keys.secretKey);
  });

  it('uses no attempt while the bucket is unavailable, and delivers the documents afterwards', async () => {
    refuse('GET');
    const { client, transactions } = await createDocuments(engine, receiver.url(), 3);
    await refused('GET', 6);
    const waiting = await engine.transactions(transactions[0]!.connection_uuid);
    for (const { uuid, status, attempts, due_at } of waiting) {
      expect({ status, attempts, isDue: due_at !== null }).toEqual({ status: 'PENDING', attempts: 0, isDue: true });
      expect(await listAttempts(engine, uuid)).toEqual([]);
    }
    expect(log).toContain('the bucket \\"belege\\" cannot be used: 403 AccessDenied');
    expect(log).not.toContain(server.keys.secretKey);
    server.fault = () => undefined;
    await waitForIdlePush(engine);
    await waitForAllDelivered(engine, client);
    expect(receiver.whole).toHaveLength(3);
  });

  it('does not retry a source immediately while it cannot store documents', async () => {
    pauseFor(3_000);
    refuse('PUT');
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 0, document_size_kb: 4 });
    await eventually(
      () => Promise.resolve(new RegExp(`"connection_uuid":"${connection}".*A fetch is interrupted`).test(log)),
      'the fetch is interrupted',
    );
    const asked = server.requests.length;
    for (let polls = 0; polls < 5; polls++) await engine.runPolls();
    expect(server.requests).toHaveLength(asked);
    server.fault = () => undefined;
    const [fetch] = await engine.waitForFetches(connection, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 3, new: 3, failed: 0 });
  });

  it('fails no document while the bucket is unavailable, and fetches them afterwards', async () => {
    refuse('PUT');
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: 3, new_per_fetch: 0, document_size_kb: 4 });
    await refused('PUT', 4);
    const { body } = await client.request('get', `/v1/connections/${connection}`).expect(200);
    expect(body).toMatchObject({ data: { status: 'ACTIVE', reason: null } });
    expect(await engine.rows('select * from fetch_failure where connection_uuid = $1', connection)).toEqual([]);
    server.fault = () => undefined;
    await eventually(async () => {
      await engine.advanceClock(60);
      return (await engine.fetches(connection)).every(({ status }) => status === 'SUCCEEDED');
    }, 'the fetch succeeds');
    expect(await engine.fetches(connection)).toMatchObject([{ seen: 3, new: 3, failed: 0 }]);
    await waitForAllDelivered(engine, client);
  });
});
