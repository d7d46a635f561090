import { OtlpCollector } from '../../../fakes/otlp-collector';
import { answer, Receiver } from '../../../fakes/receiver';
import { startApp } from '../../../harness/app/start-app';
import { connectSandbox, TestEngine } from '../../../harness/engine/test-engine';
import { eventually } from '../../../harness/eventually';
import { createPushClient, waitForAllDelivered } from '../../provisioning/push/push-setup';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe('Traces', () => {
  it('connect a request with its fetch, the document and its pushes, in two instances', async () => {
    const [collector, receiver] = await Promise.all([OtlpCollector.start(), Receiver.start()]);
    const settings = { otlpEndpoint: collector.url, otlpHeaders: { authorization: 'Bearer collector-key' } };
    const api = await TestEngine.start({ role: 'api', settings });
    const { databaseUrl, clock } = api.app;
    const worker = await startApp({ role: 'worker', databaseUrl, clock, settings });
    try {
      const client = await createPushClient(api, receiver.url());
      const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 1 });
      await api.waitForFetches(connection, 1);
      await waitForAllDelivered(api, client);
      receiver.next(answer(503));
      const { body } = await client
        .request('post', `/v1/connections/${connection}/fetch-now`)
        .set('traceparent', `00-${TRACE}-${CALLER}-01`)
        .expect(202);
      await api.waitForFetches(connection, 2);
      const { uuid: transaction, filename } = (await api.transactions(connection)).at(-1)!;
      await api.waitForTransaction(transaction, 'the first attempt has failed', ({ attempts }) => attempts === 1);
      clock.advance(60);
      await waitForAllDelivered(api, client);
      await Promise.all([worker.stop(), api.stop()]); // both export what they hold

      const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
      const named = (name: string) => spans.filter((span) => span.name === name);
      const names = ['POST /v1/connections/:uuid/fetch-now', 'fetch', 'list', 'document'];
      const [request, fetch, list, document] = names.map((name) => named(name)[0]!);
      expect(spans).toHaveLength(6);
      expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2, resource: { 'docfetch.role': 'api' } });
      const { uuid: fetchUuid } = body as { uuid: string };
      expect(request!.attributes).toMatchObject({
        'docfetch.fetch_uuid': fetchUuid,
        'docfetch.connection_uuid': connection,
        'docfetch.environment_uuid': client.environmentUuid,
        'http.response.status_code': 202,
      });
      expect(fetch).toMatchObject({ parentSpanId: request!.spanId, kind: 5, resource: { 'docfetch.role': 'worker' } });
      expect(fetch!.attributes).toMatchObject({ 'docfetch.fetch_uuid': fetchUuid, 'docfetch.status': 'SUCCEEDED' });
      expect(list).toMatchObject({ parentSpanId: fetch!.spanId, attributes: { 'docfetch.documents': 1 } });
      expect(document).toMatchObject({ parentSpanId: fetch!.spanId, resource: { 'service.name': 'docfetch' } });
      const pushes = named('push');
      expect(pushes.map(({ parentSpanId }) => parentSpanId)).toEqual([document!.spanId, document!.spanId]);
      expect(pushes.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
        [2, 'UNEXPECTED_STATUS'],
        [0, undefined],
      ]);
      const received = receiver.requests.filter(({ headers }) => headers['idempotency-key'] === transaction);
      expect(received.map(({ headers }) => headers['traceparent'])).toEqual(
        pushes.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
      );

      expect(new Set(collector.authorizations)).toEqual(new Set(['Bearer collector-key']));
      const text = JSON.stringify(collector.spans);
      for (const secret of [filename, receiver.url(), 'portal-', '127.0.0.1']) expect(text).not.toContain(secret);
    } finally {
      await Promise.all([collector.stop(), receiver.stop()]);
    }
  });

  it('neither fail nor delay work while the collector is away', async () => {
    const receiver = await Receiver.start();
    const engine = await TestEngine.start({ settings: { otlpEndpoint: 'http://127.0.0.1:9' } });
    const client = await createPushClient(engine, receiver.url());
    const connection = await connectSandbox(client, { documents: 1, new_per_fetch: 0 });
    await engine.waitForFetches(connection, 1);
    await waitForAllDelivered(engine, client);
    await eventually(async () => receiver.requests[0]?.headers['traceparent'], 'the push has a place in a trace');
    const began = performance.now();
    await engine.stop();
    expect(performance.now() - began).toBeLessThan(10_000);
    await receiver.stop();
  });
});
