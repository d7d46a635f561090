import { randomUUID } from 'node:crypto';
import { answer, type Receiver } from '../../fakes/receiver';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { openConsole } from '../../harness/http/console-session';
import { expectError } from '../../harness/http/expect-error';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { useSharedContext } from '../../harness/app/test-context';
import { createWebhook } from '../connections/webhooks/webhook-helpers';
import { type TestEngine, connectSandbox } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import {
  headersOf,
  createWebhookClient,
  createPullClient,
  waitForDeliveries,
  waitForAllEvents,
  parseEvent,
} from '../provisioning/webhooks/webhook-receiver';

interface Event {
  readonly event_uuid: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
  readonly deliveries: { webhook_uuid: string; status: string; response_status: number | null; sent_at: string }[];
}

interface Feed {
  readonly data: Event[];
  readonly meta: { readonly next_cursor: string | null; readonly has_more: boolean; readonly poll_cursor: string };
}

const list = async (client: TestClient, query = ''): Promise<Feed> =>
  (await client.request('get', `/v1/events${query}`).expect(200)).body as Feed;
const resend = (client: TestClient, uuid: string) => client.request('post', `/v1/events/${uuid}/resend`);
const ALL = ['document.available', 'connection.status_changed', 'fetch.finished', 'delivery.failed'];

describe('GET /v1/events: errors (decisions 5)', () => {
  const context = useSharedContext();

  itRequiresAuthentication(context, { method: 'get', path: () => '/v1/events', accepts: ['key'] });

  it('rejects a UI token with the key', async () => {
    const asked = context.client.request('get', '/v1/events').set('X-TOKEN', context.token);
    expectError(await asked, 403, 'NOT_ALLOWED_BY_TOKEN');
  });

  it.each([
    [
      'type=webhook.test&connection_uuid=x&created_from=soon&since=1',
      {
        type: 'INVALID_OPTION',
        connection_uuid: 'INVALID_UUID',
        created_from: 'INVALID_DATETIME',
        since: 'UNKNOWN_PROPERTY',
      },
    ],
    ['cursor=nonsense', { cursor: 'INVALID_CURSOR' }],
    ['limit=501', { limit: 'TOO_LARGE' }],
  ])('rejects ?%s', async (query, invalidFields) => {
    for (const lang of ['en', 'de'] as const) {
      const asked = context.client.request('get', `/v1/events?${query}`).set('Lang', lang);
      expectError(await asked, 422, 'VALIDATION_FAILED', invalidFields, lang);
    }
  });

  it('rejects a cursor of the transactions or of another environment', async () => {
    const { body } = await context.client.request('get', '/v1/transactions?limit=1').expect(200);
    const foreign = await list(context.otherClient);
    for (const cursor of [body.meta.poll_cursor as string, foreign.meta.poll_cursor]) {
      const asked = context.client.request('get', `/v1/events?cursor=${cursor}`);
      expectError(await asked, 422, 'VALIDATION_FAILED', { cursor: 'INVALID_CURSOR' });
    }
  });
});

describe('GET /v1/console/events (decisions 10)', () => {
  const context = useSharedContext();

  it('answers the events newest first, page by page, to sessions of the environment', async () => {
    const { client, otherClient } = context;
    for (const uuid of [client.environmentUuid, otherClient.environmentUuid]) {
      await context.query(
        `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
         select uuidv7(), $1, 'STANDARD', $1, 'endpoint.failing',
           jsonb_build_object('url', 'https://a.example', 'since', now(), 'waiting', number,
             'error', '{"code": "HTTP_STATUS", "status": 503}'::jsonb), now(), now()
         from generate_series(1, 5) number`,
        [uuid],
      );
    }
    const console = await openConsole(context.app, client.environmentUuid);
    const waiting: unknown[] = [];
    let cursor = '';
    do {
      const asked = console.request('get', `/v1/console/events?limit=2&type=endpoint.failing${cursor}`);
      const { data, meta } = (await asked.expect(200)).body as Feed;
      waiting.push(...data.map((event) => event.data.waiting));
      cursor = meta.has_more ? `&cursor=${meta.next_cursor}` : '';
    } while (cursor);
    expect(waiting).toEqual([5, 4, 3, 2, 1]);
    const refused = console.request('get', '/v1/console/events?cursor=nonsense');
    expectError(await refused, 422, 'VALIDATION_FAILED', { cursor: 'INVALID_CURSOR' });
    expectError(await client.request('get', '/v1/console/events'), 401, 'MISSING_CREDENTIALS');
  });
});

describe('Events (decisions 5, 6 and 9)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  /** A client whose webhook has received the events of a fetch and its documents. */
  async function fetchedClient(documents: number, given: object = { events: ALL }) {
    const { client, webhook } = await createWebhookClient(engine, receiver, given);
    const connection = await connectSandbox(client, { documents });
    await engine.waitForFetches(connection, 1);
    await engine.rows('update connection set next_fetch_at = null where uuid = $1', connection);
    await waitForAllEvents(engine);
    return { client, webhook, connection };
  }

  it('lists the events that the webhook received, in order, with the results', async () => {
    const { client, webhook, connection } = await fetchedClient(3);
    await waitForDeliveries(engine, webhook, 5);
    const { data, meta } = await list(client);
    expect(meta).toEqual({ next_cursor: null, has_more: false, poll_cursor: expect.any(String) });
    expect(data.map(({ type }) => type).toSorted()).toEqual([
      'connection.status_changed', // its setup is complete
      ...Array<string>(3).fill('document.available'),
      'fetch.finished',
    ]);
    for (const event of data) {
      const sent = receiver.requests.find((request) => headersOf(request)['webhook-id'] === event.event_uuid)!;
      expect(parseEvent(sent)).toEqual({ type: event.type, timestamp: event.created_at, data: event.data });
      expect(event.data).toMatchObject({ connection_uuid: connection });
      expect(event.deliveries).toEqual([
        { webhook_uuid: webhook.uuid, status: 'SENT', response_status: 200, sent_at: expect.stringMatching(/Z$/) },
      ]);
    }
  });

  it('lists each event exactly once in pages, and later ones to a client that kept its cursor', async () => {
    const { client, connection } = await fetchedClient(5);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await list(client, `?limit=2${cursor}`);
      seen.push(...page.data.map(({ event_uuid }) => event_uuid));
      cursor = `&cursor=${page.meta.poll_cursor}`;
      if (!page.meta.has_more) break;
      expect(page.meta.next_cursor).toBe(page.meta.poll_cursor);
    }
    expect(new Set(seen).size).toBe(7);
    expect(seen).toHaveLength(7);
    const end = (await list(client, '?cursor=now')).meta.poll_cursor;
    await client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    await waitForAllEvents(engine);
    for (const kept of [cursor.replace('&cursor=', ''), end]) {
      const { data } = await list(client, `?cursor=${kept}`);
      expect(data.map(({ type }) => type)).toEqual(['connection.status_changed']);
      expect(data[0]!.data).toMatchObject({ status: 'DISABLED', previous_status: 'ACTIVE' });
    }
  });

  it('filters by type, connection and time; entries of the timeline are not listed', async () => {
    const { client, connection } = await fetchedClient(2);
    const other = await connectSandbox(client, { documents: 1, user: 'other' });
    await engine.waitForFetches(other, 1);
    await waitForAllEvents(engine);
    const types = async (query: string) => (await list(client, query)).data.map(({ type }) => type);
    expect(await types('?type=fetch.finished')).toEqual(['fetch.finished', 'fetch.finished']);
    expect(await types(`?connection_uuid=${other}`)).toHaveLength(3);
    expect(await types(`?connection_uuid=${connection}&type=document.available`)).toHaveLength(2);
    expect(await types(`?connection_uuid=${randomUUID()}`)).toEqual([]);
    expect(await types('?created_from=2999-01-01')).toEqual([]);
    expect(await types('?created_from=2020-01-01')).toHaveLength(7);
    expect((await types('')).filter((type) => !ALL.includes(type))).toEqual([]);
  });

  it('lists events without a subscribed webhook, and none of another environment', async () => {
    const client = await createPullClient(engine);
    const connection = await connectSandbox(client, { documents: 1 });
    await engine.waitForFetches(connection, 1);
    await waitForAllEvents(engine);
    const { data } = await list(client);
    expect(data.map(({ deliveries }) => deliveries)).toEqual([[], [], []]);
    expect((await list(await createTestClient(engine.app))).data).toEqual([]);
  });

  it('shows failed deliveries', async () => {
    receiver.always(answer(500));
    const { client, webhook } = await fetchedClient(1, { events: ['document.available'] });
    const [event] = (await list(client, '?type=document.available')).data;
    expect(event!.deliveries).toMatchObject([{ webhook_uuid: webhook.uuid, status: 'FAILED', response_status: 500 }]);
    await engine.rows(
      "update webhook_delivery set status = null, error_code = 'INTERRUPTED' where event_uuid = $1",
      event!.event_uuid,
    );
    const [again] = (await list(client, '?type=document.available')).data;
    expect(again!.deliveries).toMatchObject([{ status: 'INTERRUPTED', response_status: null }]);
  });

  it('does not list the events of a deleted connection', async () => {
    const { client, connection } = await fetchedClient(1);
    const [event] = (await list(client)).data;
    await client.request('delete', `/v1/connections/${connection}`).expect(204);
    expect((await list(client)).data).toEqual([]);
    expectError(await resend(client, event!.event_uuid), 404, 'EVENT_NOT_FOUND');
  });

  describe('POST /v1/events/{event_uuid}/resend', () => {
    it('resends the event once, with the same id and content', async () => {
      receiver.next(answer(500));
      const { client, webhook } = await fetchedClient(1, { events: ['document.available'] });
      const [event] = (await list(client, '?type=document.available')).data;
      const [first] = receiver.requests;
      receiver.clear();
      const { body } = await resend(client, event!.event_uuid).expect(202);
      expect(body).toEqual({ data: { event_uuid: event!.event_uuid, webhooks: 1 } });
      await waitForAllEvents(engine);
      await waitForDeliveries(engine, webhook, 2);
      expect(receiver.requests).toHaveLength(1);
      expect(headersOf(receiver.requests[0]!)['webhook-id']).toBe(headersOf(first!)['webhook-id']);
      expect(parseEvent(receiver.requests[0]!)).toEqual(parseEvent(first!));
      const [again] = (await list(client, '?type=document.available')).data;
      expect(again!.deliveries.map(({ status }) => status)).toEqual(['FAILED', 'SENT']);
      await engine.advanceClock(48 * 3600);
      await waitForAllEvents(engine);
      const ids = receiver.requests.map((request) => headersOf(request)['webhook-id']);
      expect(ids.filter((id) => id === event!.event_uuid)).toHaveLength(1);
    });

    it("resends to all webhooks with the type now: new ones and the connection's, not disabled ones", async () => {
      const { client, webhook, connection } = await fetchedClient(1, { events: ['document.available'] });
      const [event] = (await list(client, '?type=document.available')).data;
      await client.request('patch', `/v1/webhooks/${webhook.uuid}`).send({ enabled: false }).expect(200);
      expect((await resend(client, event!.event_uuid).expect(202)).body.data.webhooks).toBe(0);
      await createWebhook(client, { url: receiver.url('/new') });
      await createWebhook(client, { url: receiver.url('/other'), events: ['fetch.finished'] });
      await client
        .request('put', `/v1/connections/${connection}/webhook`)
        .send({ url: receiver.url('/own') })
        .expect(200);
      receiver.clear();
      expect((await resend(client, event!.event_uuid).expect(202)).body.data.webhooks).toBe(2);
      await waitForAllEvents(engine);
      expect(receiver.requests.map(({ path }) => path).toSorted()).toEqual(['/new', '/own']);
    });

    it('is executed once for one Idempotency-Key, and is recorded in the audit log', async () => {
      const { client } = await fetchedClient(1, { events: ['document.available'] });
      const [event] = (await list(client, '?type=document.available')).data;
      receiver.clear();
      const key = randomUUID();
      for (let i = 0; i < 2; i++) await resend(client, event!.event_uuid).set('Idempotency-Key', key).expect(202);
      await waitForAllEvents(engine);
      expect(receiver.requests).toHaveLength(1);
      expect(
        await engine.rows('select action, details from audit_log where subject_uuid = $1', event!.event_uuid),
      ).toEqual([{ action: 'event.resend', details: { type: 'document.available', webhooks: 1 } }]);
    });

    it('rejects events of another client', async () => {
      const { client, connection } = await fetchedClient(1);
      const [event] = (await list(client)).data;
      const otherClient = await createTestClient(engine.app);
      const [unlisted] = await engine.rows<{ uuid: string }>(
        "select uuid from outbox where subject_uuid = $1 and type = 'connection.created'",
        connection,
      );
      for (const lang of ['en', 'de'] as const) {
        const asked = (by: TestClient, uuid: string) => resend(by, uuid).set('Lang', lang);
        expectError(await asked(client, 'x'), 422, 'VALIDATION_FAILED', { event_uuid: 'INVALID_UUID' }, lang);
        expectError(await asked(client, randomUUID()), 404, 'EVENT_NOT_FOUND', {}, lang);
        expectError(await asked(client, unlisted!.uuid), 404, 'EVENT_NOT_FOUND', {}, lang);
        expectError(await asked(otherClient, event!.event_uuid), 403, 'NOT_YOUR_EVENT', {}, lang);
      }
    });
  });
});
