import { FakeS3Server } from '../../../fakes/s3/fake-s3-server';
import { FakeStripe } from '../../../fakes/stripe/fake-stripe';
import { type CollectedSpan, OtlpCollector } from '../../../fakes/otlp-collector';
import { createTestClient } from '../../../harness/app/test-client';
import { connect, TestEngine } from '../../../harness/engine/test-engine';

describe('Traces of requests to providers', () => {
  let [collector, engine]: [OtlpCollector?, TestEngine?] = [];
  afterEach(() => collector!.stop());

  const start = async (settings: object = {}) => {
    collector = await OtlpCollector.start();
    engine = await TestEngine.start({ settings: { otlpEndpoint: collector.url, ...settings } });
    return createTestClient(engine.app);
  };
  const below = (parent: CollectedSpan) =>
    collector!.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  const named = (name: string) => collector!.spans.filter((span) => span.name === name);

  it('are a part of the listing and of the document, with a signature that S3 accepts', async () => {
    const server = await FakeS3Server.start();
    server.pageSize = 1;
    for (const name of ['Lohn Müller.pdf', 'Rechnung.pdf']) server.put(name, `%PDF-1.7 ${name}`);
    const client = await start();
    const uuid = await connect(client, 's3', server.fields);
    const [fetch] = await engine!.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', new: 2 });
    await engine!.stop();
    const { keys, port } = server;
    await server.stop();

    const [list] = named('list');
    expect(
      below(named('fetch')[0]!)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['document', 'document', 'list']);
    expect(list!.attributes).toMatchObject({ 'docfetch.documents': 2 });
    expect(below(list!).length).toBeGreaterThanOrEqual(2); // one for each page
    const requests = [list!, ...named('document')].flatMap(below);
    for (const { name, kind, attributes } of requests) {
      expect([name, kind]).toEqual(['GET', 3]);
      expect(attributes).toEqual({
        'http.request.method': 'GET',
        'server.address': 'localhost',
        'http.response.status_code': 200,
      });
    }
    // Each request of the fetch and of the credential check has been accepted with the traceparent of its span.
    const sent = server.requests.map(({ headers }) => headers['traceparent']);
    const spans = named('GET').map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
    expect([...sent].sort()).toEqual(spans.sort());
    const text = JSON.stringify(collector!.spans);
    for (const secret of ['Rechnung', 'Lohn', keys.accessKey, keys.secretKey, `:${port}`]) {
      expect(text).not.toContain(secret);
    }
  });

  it('belong to the API’s request while a user waits, and show what has failed', async () => {
    const stripe = await FakeStripe.start();
    const shop = stripe.account();
    shop.invoice(1_767_225_600);
    const client = await start({ providers: { stripe: { apiBaseUrl: stripe.url } } });
    const uuid = await connect(client, 'stripe', { api_key: shop.key() });
    await engine!.waitForFetches(uuid, 1);
    const fields = { api_key: 'rk_live_000000000000' };
    const connection = { integration_id: 'stripe', name: 'Shop', identity_uuid: await client.createIdentity(), fields };
    await client.request('post', '/v1/connections').send(connection).expect(422);
    await engine!.stop();
    await stripe.stop();

    const checks = named('POST /v1/connections')
      .flatMap(below)
      .filter(({ name }) => name === 'GET');
    const results = checks.map(({ status, attributes }) => [status, attributes['error.type']]);
    expect(results).toContainEqual([0, undefined]);
    expect(results.at(-1)).toEqual([2, '401']);
    expect(JSON.stringify(collector!.spans)).not.toContain('rk_');
  });
});
