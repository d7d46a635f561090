import { randomUUID } from 'node:crypto';
import type { Receiver } from '../../fakes/receiver';
import type { TestClient } from '../../harness/app/test-client';
import { useSharedContext } from '../../harness/app/test-context';
import { itRequiresAuthentication } from '../../harness/http/access-tests';
import { expectError } from '../../harness/http/expect-error';
import type { TestEngine } from '../../harness/engine/test-engine';
import { useEngineAndReceiver } from '../../harness/engine/use-engine-and-receiver';
import {
  createWebhookClient,
  headersOf,
  verifyEvent,
  waitForAllEvents,
  waitForDeliveries,
} from '../provisioning/webhooks/webhook-receiver';

const PATH = '/v1/ui/source-requests';
const ask = (client: TestClient, token: string, text: unknown) =>
  client.requestWithToken(token, 'post', PATH).send({ text });

describe('POST /v1/ui/source-requests (decisions 5)', () => {
  const context = useSharedContext();
  const tokenOf = async (more: Record<string, unknown> = {}) => {
    const identity = await context.client.createIdentity();
    return { identity, token: await context.client.createToken(identity, more) };
  };
  const textsOf = async (identity: string) =>
    (
      await context.query<{ data: { text: string } }>(
        "select data from outbox where subject_uuid = $1 and type = 'source.requested' order by uuid",
        [identity],
      )
    ).map(({ data }) => data.text);

  itRequiresAuthentication(context, { method: 'post', path: () => PATH, accepts: ['token'] });

  it('records what the user wrote, without white space at both ends, and answers without a body', async () => {
    const { identity, token } = await tokenOf();
    const answer = await ask(context.client, token, '  Stadtwerke „Süd“ <b> & Co. 🙂 ');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['ratelimit-policy']).toContain('"source-requests";q=10;w=86400');
    await ask(context.client, token, 'x'.repeat(500)).expect(204);
    expect(await textsOf(identity)).toEqual(['Stadtwerke „Süd“ <b> & Co. 🙂', 'x'.repeat(500)]);
    const log = await context.query('select action, actor, details from audit_log where subject_uuid = $1', [identity]);
    const entry = { action: 'source.request', actor: `token:${identity}`, details: {} };
    expect(log.filter(({ action }) => action === entry.action)).toEqual([entry, entry]);
  });

  it.each<[unknown, string, string]>([
    [undefined, 'MISSING_REQUIRED_FIELDS', 'REQUIRED'],
    ['', 'MISSING_REQUIRED_FIELDS', 'REQUIRED'],
    [7, 'VALIDATION_FAILED', 'INVALID_TYPE_STRING'],
    ['   ', 'VALIDATION_FAILED', 'INVALID_FORMAT'],
    ['two\nlines', 'VALIDATION_FAILED', 'INVALID_FORMAT'],
    ['two\u2028lines', 'VALIDATION_FAILED', 'INVALID_FORMAT'],
    ['a\0b', 'VALIDATION_FAILED', 'INVALID_FORMAT'],
    ['x'.repeat(501), 'VALIDATION_FAILED', 'TOO_LONG'],
  ])('rejects %j', async (text, code, fieldCode) => {
    const { identity, token } = await tokenOf();
    for (const lang of ['en', 'de'] as const)
      expectError(await ask(context.client, token, text).set('Lang', lang), 422, code, { text: fieldCode }, lang);
    expect(await textsOf(identity)).toEqual([]);
  });

  it('rejects a token for one connection or integration, before it validates the body', async () => {
    const identity = await context.client.createIdentity();
    const connection_uuid = await context.createConnection({ identity });
    for (const scope of [{ connection_uuid }, { integration_id: 'imap' }]) {
      const token = await context.client.createToken(identity, scope);
      expectError(await ask(context.client, token, ''), 403, 'NOT_ALLOWED_BY_TOKEN');
    }
    expect(await textsOf(identity)).toEqual([]);
  });

  it('accepts ten requests of an identity within 24 hours, whatever the token; rejected ones do not count', async () => {
    const { identity, token } = await tokenOf();
    await ask(context.client, token, '').expect(422);
    for (let n = 0; n < 10; n++) await ask(context.client, token, `Source ${n}`).expect(204);
    const other = await context.client.createToken(identity);
    for (const lang of ['en', 'de'] as const) {
      const refused = await ask(context.client, other, 'one more').set('Lang', lang);
      expectError(refused, 429, 'SOURCE_REQUEST_QUOTA_EXCEEDED', {}, lang);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    }
    expect(await textsOf(identity)).toHaveLength(10);
    await ask(context.client, context.otherIdentityToken, 'of another identity').expect(204);
    context.app.clock.advance(86_401);
    try {
      await ask(context.client, await context.client.createToken(identity), 'a day later').expect(204);
    } finally {
      context.app.clock.advance(-86_401);
    }
  });

  it('records a request with the same Idempotency-Key once', async () => {
    const { identity, token } = await tokenOf();
    const key = randomUUID();
    await ask(context.client, token, 'once').set('Idempotency-Key', key).expect(204);
    const again = await ask(context.client, token, 'once').set('Idempotency-Key', key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([204, '', 'true']);
    const reused = await ask(context.client, token, 'twice').set('Idempotency-Key', key);
    expectError(reused, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await textsOf(identity)).toEqual(['once']);
  });
});

describe('The event source.requested (decisions 6 and 9)', () => {
  let engine: TestEngine;
  let receiver: Receiver;

  useEngineAndReceiver((started) => ([engine, receiver] = started));

  const events = async (client: TestClient) =>
    (await client.request('get', '/v1/events?type=source.requested').expect(200)).body.data as {
      event_uuid: string;
      data: object;
      deliveries: { status: string }[];
    }[];

  it('is sent to webhooks that subscribe to it and listed in the feed, until the identity is deleted', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['source.requested'] });
    const silent = await client
      .request('post', '/v1/webhooks')
      .send({ url: receiver.url('/silent') })
      .expect(201);
    const [identity, other] = [await client.createIdentity(), await client.createIdentity()];
    const data = { identity_uuid: identity, text: 'Stadtwerke' };
    await ask(client, await client.createToken(identity), data.text).expect(204);
    await ask(client, await client.createToken(other), 'kept').expect(204);
    await waitForAllEvents(engine);
    await waitForDeliveries(engine, webhook, 2);
    await waitForDeliveries(engine, silent.body.data, 0);
    const [event] = await events(client);
    expect(event).toMatchObject({ data, deliveries: [{ status: 'SENT' }] });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/events', '/events']);
    const sent = receiver.requests.find((request) => headersOf(request)['webhook-id'] === event!.event_uuid);
    expect(verifyEvent(sent!, webhook.secret)).toMatchObject({ type: 'source.requested', data });

    await client.request('delete', `/v1/identities/${identity}`).expect(204);
    expect((await events(client)).map((each) => each.data)).toEqual([{ identity_uuid: other, text: 'kept' }]);
    expect(await engine.rows('select from webhook_delivery where event_uuid = $1', event!.event_uuid)).toEqual([]);
  });
});
