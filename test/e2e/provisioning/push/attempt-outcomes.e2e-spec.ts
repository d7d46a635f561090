import { SetProvisioning } from '../../../../src/identities/environments/set-provisioning';
import { Gate, Receiver } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import { rejectionOf } from '../../../harness/rejection-of';
import { createDocuments, waitForIdlePush, isDelivered, createPushClient } from './push-setup';

interface AttemptBody {
  readonly number: number;
  readonly status: number | null;
  readonly error: { code: string; message: string } | null;
}

describe('Every outcome of a push (decisions 6)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  beforeAll(async () => {
    [engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
  });
  afterEach(() => receiver.clear());
  // One test replaces the engine.
  afterAll(async () => {
    await engine.stop();
    await receiver.stop();
  });

  const attempts = async (client: TestClient, uuid: string): Promise<AttemptBody[]> =>
    ((await client.request('get', `/v1/transactions/${uuid}/attempts`).expect(200)).body as { data: AttemptBody[] })
      .data;

  const limit = (client: TestClient, pushLimitBytes: number) =>
    engine.app.app.get(SetProvisioning, { strict: false }).set('test', client.environmentUuid, {
      strategy: 'PUSH',
      url: receiver.url(),
      auth: 'NONE',
      secret: null,
      pushLimitBytes,
    });

  it('is logged as an attempt when the document is too large, each time', async () => {
    const client = await createPushClient(engine, receiver.url());
    await limit(client, 1024);
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    const { uuid } = (await engine.transactions(connection))[0]!;
    const refused = { status: null, error: { code: 'TOO_LARGE_FOR_PUSH', message: expect.any(String) as string } };
    expect(await attempts(client, uuid)).toMatchObject([{ number: 1, ...refused }]);

    await client.request('post', `/v1/transactions/${uuid}/redeliver`).expect(202);
    expect(await attempts(client, uuid)).toMatchObject([
      { number: 1, ...refused },
      { number: 2, ...refused },
    ]);
    const { body } = await client.request('get', `/v1/transactions/${uuid}`).set('Lang', 'de').expect(200);
    expect(body).toMatchObject({
      data: {
        provisioning: {
          status: 'AVAILABLE',
          attempts: 2,
          next_attempt_at: null,
          last_error: {
            code: 'TOO_LARGE_FOR_PUSH',
            message: 'Das Dokument ist zu groß für die Zustellung. Es kann stattdessen abgeholt werden.',
          },
        },
      },
    });

    await limit(client, 10_000);
    await client.request('post', `/v1/transactions/${uuid}/redeliver`).expect(202);
    await waitForIdlePush(engine);
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    expect(await attempts(client, uuid)).toMatchObject([{}, {}, { number: 3, status: 200, error: null }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is logged as an attempt when the service stops during it, and counts', async () => {
    const gate = new Gate();
    receiver.next(gate.behavior);
    const { client, transactions } = await createDocuments(engine, receiver.url(), 1);
    const { uuid } = transactions[0]!;
    await receiver.waitForRequests(1);
    const { databaseUrl, clock } = engine.app;
    await engine.stop();
    gate.open();
    engine = await TestEngine.start({ databaseUrl, clock });
    const stopped = await engine.waitForTransaction(uuid, 'it waits', () => true);
    expect(stopped).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      last_error: { code: 'INTERRUPTED', status: null },
    });
    // The state of the endpoint does not change.
    expect(await engine.rows('select * from endpoint where environment_uuid = $1', client.environmentUuid)).toEqual([]);
    await engine.advanceClock(35);
    await waitForIdlePush(engine);
    await engine.waitForTransaction(uuid, 'it is delivered', isDelivered);
    const log = await engine.rows(
      'select number, error_code from delivery_attempt where transaction_uuid = $1 order by uuid',
      uuid,
    );
    expect(log).toEqual([
      { number: 1, error_code: 'INTERRUPTED' },
      { number: 2, error_code: null },
    ]);
    expect(receiver.keys).toEqual([uuid, uuid]);
  });
});

describe('A provisioning URL (decisions 6)', () => {
  let engine: TestEngine;
  beforeAll(
    async () => (engine = await TestEngine.start({ role: 'api', settings: { networkAllow: ['127.0.0.0/8'] } })),
  );
  afterAll(() => engine.stop());

  it.each([
    ['plain http on the internet', 'http://example.com/documents', 'INVALID_WEBHOOK_URL'],
    ['plain http to a public address', 'http://93.184.216.34/', 'INVALID_WEBHOOK_URL'],
    ['a fragment', 'https://example.com/#here', 'INVALID_WEBHOOK_URL'],
    ['credentials', 'https://user:secret@example.com/', 'INVALID_WEBHOOK_URL'],
    ['another scheme', 'ftp://example.com/', 'INVALID_WEBHOOK_URL'],
    ['no address at all', 'example.com', 'INVALID_WEBHOOK_URL'],
    ['a private address that is closed', 'http://10.1.2.3/', 'ADDRESS_NOT_ALLOWED'],
    ['the metadata service', 'https://169.254.169.254/', 'ADDRESS_NOT_ALLOWED'],
  ])('is rejected with %s', async (_, url, code) => {
    const client = await createPushClient(engine, 'https://example.com/');
    const set = engine.app.app.get(SetProvisioning, { strict: false });
    const given = { strategy: 'PUSH', url, auth: 'NONE', secret: null } as const;
    const refusal = await rejectionOf(set.set('test', client.environmentUuid, given));
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', details: { errors: [{ field: 'url', code }] } });
    const [row] = await engine.rows<{ provisioning_url: string }>(
      'select provisioning_url from environment where uuid = $1',
      client.environmentUuid,
    );
    expect(row!.provisioning_url).toBe('https://example.com/');
  });

  it.each([
    'https://example.com/documents?a=1',
    'http://127.0.0.1:4000/',
    'http://localhost:4000/',
    'http://receiver:80/',
  ])('may be %s', async (url) => {
    await expect(createPushClient(engine, url)).resolves.toBeDefined();
  });
});
