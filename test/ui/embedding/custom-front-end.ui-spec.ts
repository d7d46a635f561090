import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { openBrowser } from '../harness/browser';
import { useUi } from '../harness/ui-context';

const ui = useUi();
let server: Server;
let origin: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Page;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Own front end</title>');
  }).listen(0, 'localhost');
  await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(origin);
});
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

const allowOrigins = (...browserOrigins: string[]) =>
  ui.app.app.get(UpdateEnvironment, { strict: false }).update('test', ui.client.environmentUuid, { browserOrigins });

interface FetchResult {
  readonly status: number;
  readonly requestId: string | null;
  readonly body: Record<string, unknown>;
}

/** The result of `fetch` in the page; null when the browser blocks the response. */
const fetchInPage = (method: string, headers: Record<string, string>): Promise<FetchResult | null> =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init);
        const body = (await response.json()) as Record<string, unknown>;
        return { status: response.status, requestId: response.headers.get('X-Request-Id'), body };
      } catch {
        return null;
      }
    },
    [`${ui.app.url}/v1/connections`, { method, headers }] as const,
  );

describe('a page of the client’s own front end', () => {
  it('lists connections with a UI token if its environment allows the origin, and receives errors', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity);
    const token = await ui.client.createToken(identity, { return_url: ui.clientSite.returnUrl });

    expect(await fetchInPage('GET', { 'X-TOKEN': token })).toBeNull();
    await allowOrigins(origin);
    const answer = await fetchInPage('GET', { 'X-TOKEN': token, Lang: 'de' });
    expect(answer).toMatchObject({ status: 200, body: { data: [{ uuid }] } });
    expect(answer!.requestId).toMatch(/^req_/);
    expect(await fetchInPage('GET', { 'X-TOKEN': 'wrong' })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_TOKEN' },
    });
    expect(await fetchInPage('PATCH', { 'X-TOKEN': token })).toMatchObject({ status: 405 });
    expect(await fetchInPage('GET', { 'X-API-KEY': ui.client.apiKey })).toBeNull();
  });
});
