import type { Type } from '@nestjs/common';
import { Writable } from 'node:stream';
import { FetchLimits } from '../../../../src/fetches/execution/fetch-limits';
import { Jobs } from '../../../../src/platform/jobs/jobs';
import { Receiver } from '../../../fakes/receiver';
import { FakeVault } from '../../../fakes/vault';
import type { TestClient } from '../../../harness/app/test-client';
import { connectSandbox, TestEngine } from '../../../harness/engine/test-engine';
import { eventually } from '../../../harness/eventually';
import { expectError } from '../../../harness/http/expect-error';
import { createWebhook, type WebhookBody } from '../../connections/webhooks/webhook-helpers';
import { createPushClient, listAttempts, waitForAllDelivered } from '../../provisioning/push/push-setup';
import { listDeliveries, waitForDeliveries } from '../../provisioning/webhooks/webhook-receiver';

const RETRY_MS = 100;

describe('A service whose KMS is unavailable (decisions 8)', () => {
  let vault: FakeVault;
  let engine: TestEngine;
  let receiver: Receiver;
  let client: TestClient;
  let webhook: WebhookBody;
  let connection: string;
  let log = '';

  beforeAll(async () => {
    [vault, receiver] = await Promise.all([FakeVault.start(), Receiver.start()]);
    engine = await TestEngine.start({
      settings: {
        encryptionKeys: [{ id: 'v1', kms: 'vault', resource: 'transit/docfetch' }],
        kmsCacheSeconds: 0,
        vaultAddress: vault.url,
        vaultToken: 'vault-token',
        logLevel: 'error',
      },
      log: new Writable({
        write(chunk, _, done) {
          log += String(chunk);
          done();
        },
      }),
    });
    for (const limits of [Jobs, FetchLimits] as Type<object>[]) {
      Object.assign(engine.app.app.get(limits, { strict: false }), { storagePauseMs: RETRY_MS });
    }
    client = await createPushClient(engine, receiver.url());
    webhook = await createWebhook(client, { url: receiver.url('/events'), events: ['fetch.finished'] });
    connection = await connectSandbox(client, { documents: 2, new_per_fetch: 0, document_size_kb: 4 });
    await engine.waitForFetches(connection, 1);
    await waitForAllDelivered(engine, client);
    await waitForDeliveries(engine, webhook, 1);
  });
  afterEach(() => {
    vault.isAway = false;
    vault.refused.length = 0;
    log = '';
  });
  afterAll(async () => {
    await engine?.stop();
    await Promise.all([vault?.stop(), receiver?.stop()]);
  });

  const logged = (pattern: RegExp) => eventually(() => Promise.resolve(pattern.test(log)), `${pattern} is logged`);

  it('fails no fetch, uses no delivery attempt and loses no event, and continues afterwards', async () => {
    const [document] = await engine.transactions(connection);
    const [event] = await listDeliveries(engine, webhook);
    vault.isAway = true;

    await client.request('post', `/v1/events/${event!.event_uuid}/resend`).expect(202);
    await logged(/"queue":"drain-webhook".*A job failed/);
    await client.request('post', `/v1/transactions/${document!.uuid}/redeliver`).expect(202);
    await logged(/"queue":"drain-(slow-)?endpoint".*A job failed/);
    await client.request('post', `/v1/connections/${connection}/fetch-now`).expect(202);
    await eventually(
      () => Promise.resolve(vault.refused.includes(`data-key:${connection}`)),
      'a worker has asked for the key of the connection',
    );
    expect(log).toContain('the key \\"v1\\" of ENCRYPTION_KEYS cannot be used: Vault: status 503');
    expect(log).not.toContain('vault-token');

    const { body } = await client.request('get', `/v1/connections/${connection}`).expect(200);
    expect(body).toMatchObject({ data: { status: 'ACTIVE', health: 'OK', reason: null } });
    expect(await listAttempts(engine, document!.uuid)).toHaveLength(1);
    expect((await listDeliveries(engine, webhook)).at(-1)).toMatchObject({ state: 'WAITING', sent_at: null });

    vault.isAway = false;
    await eventually(async () => {
      await engine.advanceClock(60);
      return (await engine.fetches(connection)).every(({ status }) => status === 'SUCCEEDED');
    }, 'the fetch succeeds');
    await waitForAllDelivered(engine, client);
    expect(receiver.keys.filter((key) => key === document!.uuid)).toHaveLength(2);
    // That of the first fetch, its repetition, and that of the second fetch.
    const deliveries = await waitForDeliveries(engine, webhook, 3);
    expect(deliveries.map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
  });

  it('answers 500 with Retry-After and stores nothing when something new needs a data key', async () => {
    const identity_uuid = await client.createIdentity();
    const fields = { user: 'anna', password: 'secret' };
    const create = (lang: 'en' | 'de') =>
      client
        .request('post', '/v1/connections')
        .set('Lang', lang)
        .send({ integration_id: 'sandbox', name: 'Portal', identity_uuid, fields });
    const count = () => engine.count('select count(*) from connection');
    const before = await count();
    vault.isAway = true;
    for (const lang of ['en', 'de'] as const) {
      const refused = await create(lang);
      expectError(refused, 500, 'TEMPORARILY_UNAVAILABLE', {}, lang);
      expect(refused.headers['retry-after']).toBe('5');
    }
    expect(await count()).toBe(before);
    vault.isAway = false;
    expect((await create('en')).status).toBe(201);
  });
});
