import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { request } from 'undici';
import { OtlpCollector } from '../../../test/fakes/otlp-collector';
import { closeGuardedNetworks, guarded, serve } from '../../../test/harness/guarded-networks';
import { rejectionOf } from '../../../test/harness/rejection-of';
import { PRODUCTION } from '../../../test/harness/settings-of-production';
import { Settings } from '../config/settings';
import { currentTraceparent } from '../request/work-scope';
import { Tracing } from '../tracing/tracing';
import { RateLimitedNetwork } from './rate-limited-network';
import { TracedNetwork } from './traced-network';

closeGuardedNetworks();

describe('TracedNetwork', () => {
  let collector: OtlpCollector;
  let tracing: Tracing;
  let network: TracedNetwork;
  let seen: (string | undefined)[];

  const start = async (more: Readonly<Record<string, string>> = {}) => {
    collector = await OtlpCollector.start();
    const env = { ...PRODUCTION, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more };
    tracing = await Tracing.open(Settings.fromEnvironment(env));
    network = new TracedNetwork(guarded(), tracing);
    seen = [];
    return serve(
      createServer(({ headers, url }, response) => {
        seen.push(headers['traceparent'] as string | undefined);
        response.statusCode = Number(url!.slice(1, 4));
        response.write('part');
        if (url!.includes('cut')) setTimeout(() => response.destroy(), 20);
        else response.end();
      }),
    );
  };
  const exported = async () => {
    await tracing.onApplicationShutdown();
    return collector.spans;
  };
  afterEach(() => collector.stop());

  it('makes each request a span below the current one, whose traceparent the server receives', async () => {
    const { port } = await start();
    const { dispatcher } = network;
    const above = await tracing.run(
      'fetch',
      () => ({ kind: 'CONSUMER', parent: null }),
      async () => {
        const { body } = await request(`http://localhost:${port}/200/Müller?key=secret`, {
          dispatcher,
          method: 'POST',
        });
        await body.dump();
        return currentTraceparent()!.split('-');
      },
    );
    const span = (await exported()).find(({ name }) => name === 'POST');
    expect(span).toMatchObject({ name: 'POST', kind: 3, traceId: above[1], parentSpanId: above[2], status: 0 });
    expect(span!.attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': 'localhost',
      'http.response.status_code': 200,
    });
    expect(seen).toEqual([`00-${span!.traceId}-${span!.spanId}-01`]);
  });

  it('makes each connection of another protocol a span until it is open', async () => {
    const { port } = await start();
    const socket = await network.connect('localhost', port);
    socket.destroy();
    await rejectionOf(network.connect('10.0.0.1', 22));
    expect((await exported()).map(({ name, kind, attributes }) => [name, kind, attributes])).toEqual([
      ['connect', 3, { 'server.address': 'localhost', 'server.port': port }],
      ['connect', 3, { 'server.address': '10.0.0.1', 'server.port': 22, 'error.type': expect.any(String) as unknown }],
    ]);
  });

  it('opens the socket that a connector creates, through all networks of a session', async () => {
    const { port } = await start();
    const limited = new RateLimitedNetwork(network, () => Promise.resolve());
    const own = new Socket();
    expect(await limited.connect('localhost', port, undefined, () => own)).toBe(own);
    own.destroy();
    await exported();
  });

  it('fails the span with the status, or with the code of the error', async () => {
    const { port } = await start();
    const { dispatcher } = network;
    const send = async (url: string) => (await request(url, { dispatcher })).body.text();
    await send(`http://localhost:${port}/404`);
    await rejectionOf(send(`http://localhost:${port}/200/cut`));
    await rejectionOf(send('http://localhost:9/'));
    await rejectionOf(send('http://10.0.0.1/'));
    const ended = (await exported()).map(({ status, attributes }) => [
      status,
      attributes['http.response.status_code'],
      attributes['error.type'],
    ]);
    expect(ended).toEqual([
      [2, 404, '404'],
      [2, 200, 'UND_ERR_SOCKET'],
      [2, undefined, 'ECONNREFUSED'],
      [2, undefined, 'AddressNotAllowed'],
    ]);
  });

  it.each([
    ['a record', { 'x-own': 'a' }],
    ['a list', ['x-own', 'a']],
    ['pairs', new Map([['x-own', 'a']])],
    ['nothing', undefined],
  ])('adds the traceparent to headers that are %s', async (_, headers) => {
    await start();
    const received: (string | string[] | undefined)[][] = [];
    const { port } = await serve(
      createServer(({ headers: given }, response) => {
        received.push([given['x-own'], given['traceparent']]);
        response.end();
      }),
    );
    const { body } = await request(`http://localhost:${port}/`, { dispatcher: network.dispatcher, headers });
    await body.dump();
    expect(received).toEqual([[headers && 'a', expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)]]);
    await exported();
  });

  it('says to the server that a trace is not recorded, and exports nothing of it', async () => {
    const { port } = await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    const { body } = await request(`http://localhost:${port}/200`, { dispatcher: network.dispatcher });
    await body.dump();
    expect(seen).toEqual([expect.stringMatching(/-00$/)]);
    expect(await exported()).toEqual([]);
  });
});
