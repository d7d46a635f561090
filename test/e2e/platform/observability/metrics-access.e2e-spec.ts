import request from 'supertest';
import { MetricsServer } from '../../../../src/platform/observability/metrics-server';
import { parseMetrics } from '../../../harness/app/metrics-text';
import { METRICS_TOKEN as TOKEN, scrape } from '../../../harness/app/scrape-metrics';
import { startApp, type TestApp } from '../../../harness/app/start-app';
import { requestWithoutCredentials } from '../../../harness/app/test-client';
import { expectError } from '../../../harness/http/expect-error';

describe('GET /metrics: access (decisions 5)', () => {
  const apps: TestApp[] = [];
  const start = async (settings: object, role: 'api' | 'worker' = 'api') => {
    const app = await startApp({ settings, role });
    apps.push(app);
    return app;
  };
  afterAll(async () => {
    for (const app of apps) await app.stop();
  });
  const portOf = (app: TestApp) => `http://127.0.0.1:${app.app.get(MetricsServer, { strict: false }).port}`;

  it('does not exist unless enabled', async () => {
    const app = await start({});
    expectError(await requestWithoutCredentials(app, 'get', '/metrics'), 404, 'ROUTE_NOT_FOUND');
    expectError(
      await requestWithoutCredentials(app, 'get', '/metrics').set('Lang', 'de'),
      404,
      'ROUTE_NOT_FOUND',
      {},
      'de',
    );
    expectError(
      await requestWithoutCredentials(app, 'get', '/metrics').set('Authorization', 'Bearer '),
      404,
      'ROUTE_NOT_FOUND',
    );
    expect(app.app.get(MetricsServer, { strict: false }).port).toBeNull();
  });

  it('requires its token on the port of the API', async () => {
    const app = await start({ metricsToken: TOKEN });
    const read = (authorization?: string) => {
      const get = requestWithoutCredentials(app, 'get', '/metrics');
      return authorization === undefined ? get : get.set('Authorization', authorization);
    };
    for (const authorization of [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN]) {
      const answer = await read(authorization);
      expectError(answer, 401, 'MISSING_CREDENTIALS', { headers: 'Authorization' });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expectError(await read('x').set('Lang', 'de'), 401, 'MISSING_CREDENTIALS', { headers: 'Authorization' }, 'de');
    const { headers } = await read(`Bearer ${TOKEN}`).expect(200);
    expect(headers).not.toHaveProperty('www-authenticate');
    expect((await scrape(app.url)).size).toBeGreaterThan(20);
  });

  it('is served only on its separate port, if configured', async () => {
    const app = await start({ metricsPort: 0 });
    expectError(await requestWithoutCredentials(app, 'get', '/metrics'), 404, 'ROUTE_NOT_FOUND');
    const { text } = await request(portOf(app)).get('/metrics').expect(200);
    expect(parseMetrics(text).size).toBeGreaterThan(20);
    await request(portOf(app)).get('/metrics?x=1').expect(200);
    await request(portOf(app)).get('/health/live').expect(404);
    await request(portOf(app)).get('/v1/connections').expect(404);
    await request(portOf(app)).post('/metrics').expect(405);
  });

  it('requires a configured token on its separate port too', async () => {
    const app = await start({ metricsPort: 0, metricsToken: TOKEN });
    const { headers } = await request(portOf(app)).get('/metrics').expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    await scrape(portOf(app));
    expectError(
      await requestWithoutCredentials(app, 'get', '/metrics').set('Authorization', `Bearer ${TOKEN}`),
      404,
      'ROUTE_NOT_FOUND',
    );
  });

  it('is served by workers as well', async () => {
    const app = await start({ metricsToken: TOKEN }, 'worker');
    const families = await scrape(app.url);
    expect(families.get('docfetch_build_info')!.samples[0]).toMatchObject({ value: 1, labels: { role: 'worker' } });
    await requestWithoutCredentials(app, 'get', '/metrics').expect(401);
  });

  it('is not in the OpenAPI document', async () => {
    const app = await start({ metricsToken: TOKEN });
    const { body } = await requestWithoutCredentials(app, 'get', '/openapi.json').expect(200);
    expect(Object.keys((body as { paths: object }).paths)).not.toContain('/metrics');
  });
});
