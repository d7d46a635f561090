import { type CollectedSpan, OtlpCollector } from '../../../fakes/otlp-collector';
import { Receiver } from '../../../fakes/receiver';
import { invoiceMail } from '../../../interop/imap/invoice-mails';
import { createTestClient } from '../../../harness/app/test-client';
import { eventually } from '../../../harness/eventually';
import { connectSandbox, type TestEngine } from '../../../harness/engine/test-engine';
import { connectInbox, send, smtpPort, startInbox } from '../../inbox/inbox-setup';
import { createDocuments, waitForAllDelivered } from '../../provisioning/push/push-setup';
import { createWebhookClient, waitForDeliveries } from '../../provisioning/webhooks/webhook-receiver';

describe('The trace of the cause', () => {
  let collector: OtlpCollector;
  let receiver: Receiver;
  let engine: TestEngine;

  beforeEach(async () => {
    [collector, receiver] = await Promise.all([OtlpCollector.start(), Receiver.start()]);
    engine = await startInbox({ settings: { otlpEndpoint: collector.url } });
  });
  afterEach(() => Promise.all([collector.stop(), receiver.stop()]));

  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  const parentOf = ({ parentSpanId }: CollectedSpan) => collector.spans.find(({ spanId }) => spanId === parentSpanId);
  const triggers = () =>
    named('fetch').map((span) => [span.attributes['docfetch.trigger'], parentOf(span)?.name ?? null]);

  it('has the first fetch, that after a recovery and that for a mail, and not that of the schedule', async () => {
    const client = await createTestClient(engine.app);
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(connection, 1);
    await engine.advanceClock(86_460);
    await engine.waitForFetches(connection, 2);
    await client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    await client.request('put', `/v1/connections/${connection}/enable`).expect(204);
    await engine.waitForFetches(connection, 3);
    const inbox = await connectInbox(client);
    await engine.waitForFetches(inbox.uuid, 1);
    await send(smtpPort(engine.app), { to: inbox.address, raw: invoiceMail('a.pdf').build() });
    await engine.waitForFetches(inbox.uuid, 2);
    const [row] = await engine.rows<{ set: boolean }>(
      'select bool_or(immediate_fetch_traceparent is not null) as set from connection',
    );
    expect(row).toEqual({ set: false }); // the claim has taken it
    await engine.stop();
    expect(triggers()).toEqual([
      ['INITIAL', 'PUT /v1/connections/:uuid/step2'],
      ['SCHEDULED', null],
      ['RECOVERY', 'PUT /v1/connections/:uuid/enable'],
      ['INITIAL', 'POST /v1/connections'],
      ['SCHEDULED', 'mail'],
    ]);
  });

  it('has the events of a fetch and of a request, and an event that is sent again', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, {
      events: ['document.available', 'fetch.finished', 'connection.status_changed'],
    });
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await waitForDeliveries(engine, webhook, 3);
    await client.request('put', `/v1/connections/${connection}/disable`).expect(204);
    const sent = await waitForDeliveries(engine, webhook, 4);
    const available = sent.find(({ type }) => type === 'document.available')!;
    await client.request('post', `/v1/events/${available.event_uuid}/resend`).expect(202);
    await waitForDeliveries(engine, webhook, 5);
    await engine.stop();

    const [fetch] = named('fetch');
    const typeOf = (event: unknown) => sent.find(({ event_uuid }) => event_uuid === event)!.type;
    const causes = named('webhook').map((span) => [
      typeOf(span.attributes['docfetch.event_uuid']),
      parentOf(span)?.name,
    ]);
    expect(causes.sort()).toEqual([
      ['connection.status_changed', 'PUT /v1/connections/:uuid/disable'],
      ['connection.status_changed', 'PUT /v1/connections/:uuid/step2'],
      ['document.available', 'POST /v1/events/:event_uuid/resend'],
      ['document.available', 'fetch'],
      ['fetch.finished', 'fetch'],
    ]);
    const again = named('webhook').find((span) => parentOf(span)?.name === 'POST /v1/events/:event_uuid/resend')!;
    expect(again.links).toEqual([fetch!.spanId]);
    const headers = receiver.requests.map(({ headers: given }) => given['traceparent']);
    expect(headers.sort()).toEqual(
      named('webhook')
        .map((span) => `00-${span.traceId}-${span.spanId}-01`)
        .sort(),
    );
    expect(fetch!.attributes['docfetch.connection_uuid']).toBe(connection);
  });

  it('has the redelivery of one document; that of many is linked to it', async () => {
    const { client, transactions } = await createDocuments(engine, receiver.url(), 2);
    await waitForAllDelivered(engine, client);
    const [one] = transactions;
    await client.request('post', `/v1/transactions/${one!.uuid}/redeliver`).expect(202);
    await eventually(async () => receiver.requests.length === 3, 'the document is delivered again');
    await waitForAllDelivered(engine, client);
    await client.request('post', '/v1/transactions/redeliver').send({ status: 'DELIVERED' }).expect(202);
    await eventually(async () => receiver.requests.length === 5, 'both documents are delivered again');
    await waitForAllDelivered(engine, client);
    await engine.stop();

    const placeOf = (span: CollectedSpan) => [
      parentOf(span)?.name,
      span.links.map((id) => collector.spans.find(({ spanId }) => spanId === id)?.name),
    ];
    expect(named('push').map(placeOf)).toEqual([
      ['document', []],
      ['document', []],
      ['POST /v1/transactions/:transaction_uuid/redeliver', ['document']],
      ['document', ['POST /v1/transactions/redeliver']],
      ['document', ['POST /v1/transactions/redeliver']],
    ]);
  });

  it('has the notifications of documents that are redelivered', async () => {
    const { client, webhook } = await createWebhookClient(engine, receiver, { events: ['document.available'] });
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await waitForDeliveries(engine, webhook, 1);
    const { uuid } = (await engine.transactions(connection))[0]!;
    await client.request('post', `/v1/transactions/${uuid}/redeliver`).expect(202);
    await waitForDeliveries(engine, webhook, 2);
    await client.request('post', '/v1/transactions/redeliver').send({ status: 'AVAILABLE' }).expect(202);
    await waitForDeliveries(engine, webhook, 3);
    await engine.stop();

    const [document] = named('document');
    const [first, single, bulk] = named('webhook');
    const [request] = named('POST /v1/transactions/redeliver');
    expect([parentOf(first!)?.name, first!.links]).toEqual(['fetch', []]);
    expect(parentOf(single!)?.name).toBe('POST /v1/transactions/:transaction_uuid/redeliver');
    expect(single!.links).toEqual([document!.spanId]);
    expect([parentOf(bulk!), bulk!.links]).toEqual([document, [request!.spanId]]);
  });
});
