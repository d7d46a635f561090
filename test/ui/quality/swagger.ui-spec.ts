import type { Browser, Page } from 'playwright-core';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { freePort } from '../../harness/free-port';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { openBrowser } from '../harness/browser';
import { checkPage, takeScreenshot } from '../harness/check-page';

/**
 * Violations in markup of Swagger UI that no setting and no plugin can change: the level of one heading, and selects named by
 * their table row.
 */
const KNOWN_VIOLATIONS = [
  /: heading-order: [^|]*: (\.models > )?h4 /,
  /: select-name: [^|]*\.parameters-col_description > select /,
];
const withoutKnownViolations = (violations: readonly string[]) =>
  violations.filter((fault) => !KNOWN_VIOLATIONS.some((known) => known.test(fault)));

/** Has the function of Swagger UI, or of our plugin, that resolves the references in a part of the document. */
interface WithResolver {
  readonly fn: { resolveSubtree(document: unknown, path: readonly string[]): Promise<{ readonly spec: unknown }> };
}
interface SwaggerWindow {
  readonly ui: WithResolver & { readonly specSelectors: { specJson(): { toJS(): unknown } } };
  readonly SwaggerUIBundle: { readonly plugins: { SwaggerClient(system: object): WithResolver } };
}

describe('The Swagger page at /docs', () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const port = await freePort();
    app = await startApp({ role: 'all', settings: { port, publicUrl: `http://127.0.0.1:${port}` } });
    client = await createTestClient(app);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${app.url}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
  });
  afterEach(() => page.close());

  async function authorize(): Promise<void> {
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().click();
    const dialog = page.locator('.auth-container', { hasText: 'X-API-KEY' });
    await dialog.locator('input').fill(client.apiKey);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
  }

  /** Opens an operation, executes it with its default values, and returns the status of the response. */
  async function execute(operationId: string): Promise<number> {
    const operation = page.locator(`[id$="-${operationId}"].opblock`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table .response-col_status').nth(1);
    await status.waitFor();
    return Number.parseInt((await status.textContent()) ?? '', 10);
  }

  it('shows our name, icon and links', async () => {
    expect(await page.title()).toBe('Docfetch API');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/);
    const header = page.locator('.docfetch-header');
    expect(await header.getByRole('link').allTextContents()).toEqual(['Docfetch', 'Guides', 'Errors', 'openapi.json']);
  });

  it('executes without scripts or styles that its policy forbids', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.reload();
    await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('resolves the references of an operation, a model and the ways to authorize as Swagger UI does with the whole document', async () => {
    const paths = [
      ['paths', '/v1/connections', 'post'],
      ['paths', '/v1/transactions', 'get'],
      ['components', 'schemas', 'Connection'],
      ['components', 'securitySchemes'],
    ];
    const [ours, expected] = await page.evaluate(async (paths) => {
      const { ui, SwaggerUIBundle } = window as unknown as SwaggerWindow;
      const document = ui.specSelectors.specJson().toJS();
      const ofSwaggerUi = SwaggerUIBundle.plugins.SwaggerClient({ configs: {}, getConfigs: () => ({}) });
      const resolvedBy = ({ fn }: WithResolver) =>
        Promise.all(paths.map(async (path) => (await fn.resolveSubtree(document, path)).spec));
      return [await resolvedBy(ui), await resolvedBy(ofSwaggerUi)];
    }, paths);
    expect(expected).not.toContain(null);
    expect(ours).toEqual(expected);
  });

  it('leads to documents with no input except the API key', async () => {
    await authorize();
    expect(await execute('listIdentities')).toBe(200);
    expect(await execute('createIdentity')).toBe(201);
    expect(await execute('createConnection')).toBe(201);
    expect(await execute('getConnection')).toBe(200);
    expect(await execute('createToken')).toBe(201);
    expect(await execute('getStep2')).toBe(200);
    expect(await execute('loadMoreOptions')).toBe(200);
    expect(await execute('saveStep2')).toBe(204);
    expect(await execute('fetchNow')).toBe(202);
    expect(await execute('getFetch')).toBe(200);
    expect(await execute('listTransactions')).toBe(200);
    await takeScreenshot(page, 'swagger.executed', false);
  }, 600_000);

  it('shows at closed operations too that the reader has authorized', async () => {
    const lock = page.locator('[id$="-createIdentity"].opblock .authorization__btn');
    expect(await lock.getAttribute('aria-label')).toBe('authorization button unlocked');
    await authorize();
    expect(await lock.getAttribute('aria-label')).toBe('authorization button locked');
  });

  it('offers the language as a choice that begins with English, and leaves optional parameters empty', async () => {
    await authorize();
    const operation = page.locator('[id$="-createIdentity"].opblock');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    expect(await operation.locator('tr[data-param-name=Lang] select').inputValue()).toBe('en');
    expect(await operation.locator('tr[data-param-name=Idempotency-Key] input').inputValue()).toBe('');
  });

  it('shows how an operation is called in four languages', async () => {
    await page.locator('[id$="-createIdentity"].opblock .opblock-summary-control').click();
    const samples = page.locator('[id$="-createIdentity"].opblock .docfetch-sample');
    expect(await samples.locator('summary').allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'PHP']);
    await samples.nth(1).locator('summary').click();
    await samples.nth(1).getByText("from '@docfetch/sdk'").waitFor();
    await takeScreenshot(page, 'swagger.samples', false);
  });

  it('is accessible when opened, in both color schemes', async () => {
    expect(withoutKnownViolations(await checkPage(page, 'swagger'))).toEqual([]);
  });

  it('is accessible with an operation opened', async () => {
    await page.locator('[id$="-createIdentity"].opblock .opblock-summary-control').click();
    await page.locator('[id$="-createIdentity"].opblock .docfetch-sample').first().waitFor();
    expect(withoutKnownViolations(await checkPage(page, 'swagger.opened'))).toEqual([]);
  });
});
