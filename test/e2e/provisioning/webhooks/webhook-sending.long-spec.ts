import { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuid } from 'uuid';
import { decryptWebhookSecrets, encryptWebhookSecrets } from '../../../../src/connections/webhooks/webhook-secrets';
import { Webhook } from '../../../../src/connections/webhooks/webhook.entity';
import { KeyManager } from '../../../../src/platform/crypto/key-manager';
import { Jobs } from '../../../../src/platform/jobs/jobs';
import { PushLimits } from '../../../../src/provisioning/shared/push-limits';
import { SweepWebhookDeliveries } from '../../../../src/provisioning/retention/sweep-webhook-deliveries';
import { answer, Gate, Receiver, silence } from '../../../fakes/receiver';
import type { TestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import type { WebhookBody } from '../../connections/webhooks/webhook-helpers';
import { TestEngine, connectSandbox } from '../../../harness/engine/test-engine';
import {
  listDeliveries,
  headersOf,
  createWebhookClient,
  createPullClient,
  waitForDeliveries,
  waitForAllEvents,
} from './webhook-receiver';
import { useFullConcurrency } from '../push/push-setup';

const DAY = 86_400;

describe('Sending events (spec 6: once, never retried)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  // These tests run no scheduled fetches, so that the clock can be moved by days.
  beforeEach(async () => {
    [engine, receiver] = await Promise.all([TestEngine.start(), Receiver.start()]);
  });
  afterEach(async () => {
    await engine.stop();
    await receiver.stop();
  });

  /** Ends `count` fetches of one connection, each of which causes an event. */
  async function happen(client: TestClient, connection: string, count: number): Promise<void> {
    const [{ fetch_uuid }] = (await engine.rows<{ fetch_uuid: string }>(
      'select uuid as fetch_uuid from "fetch" where connection_uuid = $1 limit 1',
      connection,
    )) as [{ fetch_uuid: string }];
    const now = engine.app.clock.now();
    await engine.rows(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
       select u, $2, 'STANDARD', $3, 'fetch.finished', $4, $5 from unnest($1::uuid[]) u`,
      Array.from({ length: count }, () => uuid()),
      client.environmentUuid,
      connection,
      JSON.stringify({ fetch_uuid }),
      now,
    );
  }

  /** Registers `count` more webhooks, beyond the limit. */
  async function copyWebhook(
    original: string,
    count: number,
    { environment, url }: { environment?: string; url?: string } = {},
  ): Promise<void> {
    const em = engine.app.app.get(EntityManager, { strict: false }).fork();
    const keyManager = engine.app.app.get(KeyManager, { strict: false });
    const webhook = await em.findOneOrFail(Webhook, original);
    const keyOf = (environmentUuid: string) => keyManager.key(em, environmentUuid);
    const secrets = decryptWebhookSecrets(keyManager, await keyOf(webhook.environmentUuid), webhook);
    for (let n = 0; n < count; n++) {
      const id = { uuid: uuid(), environmentUuid: environment ?? webhook.environmentUuid, url: url ?? webhook.url };
      const dataKey = await keyOf(id.environmentUuid);
      em.persist(
        em.create(Webhook, { ...webhook, ...id, secrets: encryptWebhookSecrets(keyManager, dataKey, id, secrets) }),
      );
    }
    await em.flush();
  }

  /** Copies a connection with its fetch to another client. */
  async function copyConnection(original: string, { environmentUuid, createIdentity }: TestClient): Promise<string> {
    const identity = await createIdentity();
    const [copy] = await engine.rows<{ uuid: string }>(
      `insert into connection select copied.* from connection c cross join lateral jsonb_populate_record(c,
         jsonb_build_object('uuid', uuidv7(), 'environment_uuid', $2::uuid, 'identity_uuid', $3::uuid)) copied
       where c.uuid = $1 returning uuid`,
      original,
      environmentUuid,
      identity,
    );
    await engine.rows(
      `insert into "fetch" select copied.* from "fetch" f cross join lateral jsonb_populate_record(f,
         jsonb_build_object('uuid', uuidv7(), 'environment_uuid', $2::uuid, 'connection_uuid', $3::uuid)) copied
       where f.connection_uuid = $1`,
      original,
      environmentUuid,
      copy!.uuid,
    );
    return copy!.uuid;
  }

  /** A client with a webhook and a connection whose first fetch has ended and was deleted. */
  async function connectWithWebhook(): Promise<{ client: TestClient; webhook: WebhookBody; connection: string }> {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['fetch.finished'] });
    const connection = await connectSandbox(client, { documents: 0 });
    await engine.waitForFetches(connection, 1);
    await waitForDeliveries(engine, webhook, 1);
    await engine.rows('update connection set next_fetch_at = null');
    await engine.rows('delete from webhook_delivery');
    receiver.clear();
    return { client, webhook, connection };
  }

  const stateOf = async ({ uuid }: WebhookBody) =>
    (await engine.rows('select * from webhook where uuid = $1', uuid))[0] as {
      disabled_reason: string | null;
      consecutive_failures: number;
    };

  it('sends an event once, whatever the response', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    receiver.next(answer(500), answer(503, { 'retry-after': '1' }), answer(429), silence, answer(404));
    Object.assign(engine.app.app.get(PushLimits, { strict: false }), {
      webhookTimeoutMs: 1_000,
    } satisfies Partial<PushLimits>);
    await happen(client, connection, 5);
    await waitForDeliveries(engine, webhook, 5);
    for (const seconds of [30, 120, 3600, DAY]) await engine.advanceClock(seconds);
    await waitForAllEvents(engine);
    expect(receiver.requests).toHaveLength(5);
    expect(new Set(receiver.requests.map((sent) => headersOf(sent)['webhook-id'])).size).toBe(5);
    const codes = (await listDeliveries(engine, webhook)).map(({ error_code }) => error_code);
    expect(codes.sort()).toEqual([...Array<string>(4).fill('UNEXPECTED_STATUS'), 'TIMEOUT'].sort());
  });

  it('sends each of many events once, also with two polling instances', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    const other = await TestEngine.start({ databaseUrl: engine.app.databaseUrl, clock: engine.app.clock });
    try {
      await happen(client, connection, 450);
      await Promise.all([engine, other].map((one) => waitForAllEvents(one, 180_000)));
      const rows = await waitForDeliveries(engine, webhook, 450);
      expect(rows).toHaveLength(450);
      expect(receiver.requests).toHaveLength(450);
      expect(new Set(receiver.requests.map((sent) => headersOf(sent)['webhook-id'])).size).toBe(450);
    } finally {
      await other.stop();
    }
  });

  it('does not let a slow receiver delay another one', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    const slow = await Receiver.start();
    const gate = new Gate();
    slow.always(gate.behavior);
    try {
      const { body } = await client
        .request('post', '/v1/webhooks')
        .send({ url: slow.url(), events: ['fetch.finished'] })
        .expect(201);
      await happen(client, connection, 60);
      await waitForDeliveries(engine, webhook, 60);
      // At most eight are in flight to the slow one; the others wait as rows.
      const states = (await listDeliveries(engine, (body as { data: WebhookBody }).data)).map(({ state }) => state);
      expect(states.filter((state) => state === 'DELIVERED')).toEqual([]);
      expect(slow.requests.length).toBeLessThanOrEqual(8);
      gate.open();
      await waitForDeliveries(engine, (body as { data: WebhookBody }).data, 60);
      expect(slow.requests).toHaveLength(60);
    } finally {
      gate.open();
      await slow.stop();
    }
  });

  it.each([
    [1, 10],
    [8, 24],
  ])('does not let many hanging webhooks of %i clients delay those of another client', async (clients, arrived) => {
    const { client, webhook, connection } = await connectWithWebhook();
    const slow = await Receiver.start();
    slow.always(silence);
    try {
      const hanging = await Promise.all(
        Array.from({ length: clients }, () => createWebhookClient(engine, slow, { events: ['fetch.finished'] })),
      );
      for (const one of hanging) await copyWebhook(one.webhook.uuid, 99);
      await Promise.all(
        hanging.map(async (one) => happen(one.client, await copyConnection(connection, one.client), 1)),
      );
      await slow.waitForRequests(arrived);
      await happen(client, connection, 1);
      await waitForDeliveries(engine, webhook, 1);
      // The hanging requests have not timed out yet: the event was sent concurrently.
      expect(await engine.count(`select count(*) from webhook_delivery where state = 'FAILED'`)).toBe(0);
      if (clients === 1) expect(slow.requests).toHaveLength(10);
    } finally {
      await slow.stop();
    }
  });

  it("does not let more hanging webhooks than an origin's connection limit delay another client at that origin", async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    const hanging = new Gate();
    receiver.when(({ path }) => path === '/hanging', hanging.behavior);
    const others = await Promise.all(Array.from({ length: 14 }, () => createPullClient(engine)));
    for (const { environmentUuid: environment } of others)
      await copyWebhook(webhook.uuid, 10, { environment, url: receiver.url('/hanging') });
    for (const other of others) await happen(other, await copyConnection(connection, other), 1);
    await receiver.waitForRequests(140);
    await happen(client, connection, 1);
    await waitForDeliveries(engine, webhook, 1);
    expect(await engine.count(`select count(*) from webhook_delivery where state = 'FAILED'`)).toBe(0);
    hanging.open();
    await waitForAllEvents(engine);
  });

  it('sends one event to a webhook until it answers, and one more with every answer', async () => {
    const { client, connection } = await connectWithWebhook();
    const gates = Array.from({ length: 3 }, () => new Gate());
    const rest = new Gate();
    receiver.next(...gates.map(({ behavior }) => behavior));
    receiver.always(rest.behavior);
    await happen(client, connection, 12);
    const inFlight: number[] = [];
    for (const [answered, gate] of gates.entries()) {
      await receiver.waitForRequests(2 * answered + 1);
      await engine.runPolls();
      inFlight.push(receiver.requests.length - answered);
      gate.open();
    }
    rest.open();
    await waitForAllEvents(engine);
    expect(inFlight).toEqual([1, 2, 3]);
    expect(receiver.requests).toHaveLength(12);
  });

  it("dispatches one client's new event while thousands of another client are pending", async () => {
    const { client, connection } = await connectWithWebhook();
    const flood = await createPullClient(engine);
    await engine.rows(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at)
       select uuidv7('-1 hour'), $1, 'STANDARD', gen_random_uuid(), 'fetch.finished', '{}', now()
       from generate_series(1, $2::int) n`,
      flood.environmentUuid,
      30_000,
    );
    await happen(client, connection, 1);
    await receiver.waitForRequests(1);
    const waiting = await engine.count('select count(*) from outbox where dispatched_at is null');
    expect(waiting).toBeGreaterThan(0);
    await eventually(
      async () => (await engine.count('select count(*) from outbox where dispatched_at is null')) === 0,
      'all of them are dispatched',
    );
  });

  it('sends neither pending nor new events to a disabled registration', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    useFullConcurrency(engine);
    const gate = new Gate();
    receiver.always(gate.behavior);
    await happen(client, connection, 20);
    await engine.runPolls();
    await receiver.waitForRequests(8);
    const patch = (body: object) => client.request('patch', `/v1/webhooks/${webhook.uuid}`).send(body).expect(200);
    await patch({ enabled: false });
    await happen(client, connection, 3);
    gate.open();
    await waitForAllEvents(engine);
    const rows = await waitForDeliveries(engine, webhook, 20);
    const dropped = rows.filter(({ error_code }) => error_code === 'WEBHOOK_DISABLED');
    expect(rows).toHaveLength(20);
    expect(dropped).toHaveLength(20 - receiver.requests.length);
    expect(dropped.every(({ state, sent_at }) => state === 'FAILED' && sent_at === null)).toBe(true);

    receiver.clear();
    await patch({ enabled: true });
    await happen(client, connection, 1);
    await waitForAllEvents(engine);
    expect(receiver.requests).toHaveLength(1);
  });

  it('does not send pending events to a registration that is disabled and immediately enabled again', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    useFullConcurrency(engine);
    const gate = new Gate();
    receiver.always(gate.behavior);
    await happen(client, connection, 20);
    await engine.runPolls();
    await receiver.waitForRequests(8);
    const patch = (body: object) => client.request('patch', `/v1/webhooks/${webhook.uuid}`).send(body).expect(200);
    await patch({ enabled: false });
    await patch({ enabled: true });
    gate.open();
    await waitForAllEvents(engine);
    expect(receiver.requests).toHaveLength(8);
    const dropped = (await listDeliveries(engine, webhook)).filter(
      ({ error_code }) => error_code === 'WEBHOOK_DISABLED',
    );
    expect(dropped).toHaveLength(12);
  });

  it('disables a registration after fifty consecutive failures over a day, and records it in the audit log', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    receiver.always(answer(500));
    await happen(client, connection, 60);
    await waitForDeliveries(engine, webhook, 60);
    expect(await stateOf(webhook)).toMatchObject({ disabled_reason: null, consecutive_failures: 60 }); // not yet for a day
    engine.app.clock.advance(DAY);
    await happen(client, connection, 1);
    await waitForDeliveries(engine, webhook, 61);
    const { body } = await client.request('get', `/v1/webhooks/${webhook.uuid}`).expect(200);
    expect((body as { data: WebhookBody }).data).toMatchObject({ enabled: false, disabled_reason: 'FAILING' });
    const entries = await engine.rows(
      "select actor, details from audit_log where subject_uuid = $1 and action = 'webhook.disable'",
      webhook.uuid,
    );
    expect(entries).toEqual([{ actor: 'service', details: expect.objectContaining({ reason: 'FAILING' }) }]);

    // After enabling, the count starts again.
    await client.request('patch', `/v1/webhooks/${webhook.uuid}`).send({ enabled: true }).expect(200);
    await happen(client, connection, 1);
    await waitForDeliveries(engine, webhook, 62);
    expect(await stateOf(webhook)).toMatchObject({ disabled_reason: null, consecutive_failures: 1 });
  });

  it('does not disable a registration that fails rarely or succeeds occasionally', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    receiver.always(answer(500));
    await happen(client, connection, 49);
    await waitForDeliveries(engine, webhook, 49);
    receiver.next(answer(200));
    await happen(client, connection, 1);
    await waitForDeliveries(engine, webhook, 50);
    expect(await stateOf(webhook)).toMatchObject({ consecutive_failures: 0 });
    engine.app.clock.advance(2 * DAY);
    await happen(client, connection, 49);
    await waitForDeliveries(engine, webhook, 99);
    engine.app.clock.advance(-2 * DAY);
    expect(await stateOf(webhook)).toMatchObject({ disabled_reason: null, consecutive_failures: 49 });
  });

  it('loses no pending event when the service is restarted', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    useFullConcurrency(engine);
    const gate = new Gate();
    receiver.always(gate.behavior);
    await happen(client, connection, 30);
    await engine.runPolls();
    await receiver.waitForRequests(8);
    await happen(client, connection, 5); // not even dispatched
    const { databaseUrl, clock } = engine.app;
    const stopped = engine.app.stop();
    gate.open();
    await stopped;
    await engine.pool.end();
    engine = await TestEngine.start({ databaseUrl, clock });
    const rows = await waitForDeliveries(engine, webhook, 35);
    expect(rows.map(({ state }) => state)).toEqual(Array(35).fill('DELIVERED'));
    expect(new Set(receiver.requests.map((sent) => headersOf(sent)['webhook-id'])).size).toBe(35);
    expect(receiver.requests).toHaveLength(35);
  });

  it('aborts slow requests at shutdown, logs it, and does not resend', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    useFullConcurrency(engine);
    receiver.always(silence);
    Object.assign(engine.app.app.get(PushLimits, { strict: false }), {
      shutdownGraceMs: 100,
    } satisfies Partial<PushLimits>);
    await happen(client, connection, 10);
    await engine.runPolls();
    await receiver.waitForRequests(8);
    const { databaseUrl, clock } = engine.app;
    await engine.stop();
    receiver.always(answer(200));
    engine = await TestEngine.start({ databaseUrl, clock });
    const rows = await waitForDeliveries(engine, webhook, 10);
    expect(rows.map(({ error_code }) => error_code).sort()).toEqual(
      [...Array<string>(8).fill('INTERRUPTED'), null].concat(null).sort(),
    );
    expect(receiver.requests).toHaveLength(10);
    expect(await stateOf(webhook)).toMatchObject({ consecutive_failures: 0 });
  });

  it('closes the deliveries of a dead worker without resending them', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    await happen(client, connection, 2);
    const [lost] = await waitForDeliveries(engine, webhook, 2);
    await engine.rows("update webhook_delivery set state = 'SENDING', status = null where uuid = $1", lost!.uuid);
    const sweep = () => engine.app.app.get(SweepWebhookDeliveries, { strict: false }).sweep();
    await sweep();
    expect((await listDeliveries(engine, webhook))[0]).toMatchObject({ state: 'SENDING' });
    engine.app.clock.advance(301);
    await sweep();
    expect((await listDeliveries(engine, webhook))[0]).toMatchObject({ state: 'FAILED', error_code: 'INTERRUPTED' });
    await waitForAllEvents(engine);
    expect(receiver.requests).toHaveLength(2);
  });

  it('queues a registration with pending events whose job was lost', async () => {
    const { client, webhook, connection } = await connectWithWebhook();
    await engine.rows("delete from pgboss.job where name = 'drain-webhook'");
    await happen(client, connection, 1);
    await eventually(async () => {
      await engine.app.app.get(Jobs, { strict: false }).idle('drain-webhook');
      return receiver.requests.length === 1;
    }, 'it is sent');
    await waitForDeliveries(engine, webhook, 1);
  });
});
