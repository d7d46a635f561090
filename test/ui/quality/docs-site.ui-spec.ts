import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { freePort } from '../../harness/free-port';
import { startApp, type TestApp } from '../../harness/app/start-app';
import { openBrowser } from '../harness/browser';
import { checkPage } from '../harness/check-page';

const ROOT = join(__dirname, '../../..');

describe('The documentation site at /guides', () => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    execFileSync(process.execPath, ['tools/build/main.mjs', 'docs'], { cwd: ROOT });
    const port = await freePort();
    app = await startApp({ settings: { port, publicUrl: `http://127.0.0.1:${port}` } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== app.url && protocol !== 'data:') complaints.push(`a request to ${request.url()}`);
    });
  });
  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const open = (path: string) => page.goto(`${app.url}/guides/${path}`, { waitUntil: 'networkidle' });
  const activeCode = () => page.locator('.vp-code-group .blocks > .active');

  it('finds an operation of the API and opens it, with the keyboard alone', async () => {
    await open('');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('fetch-now');
    const results = page.getByRole('listbox').getByRole('option');
    await results.first().waitFor();
    expect((await results.allTextContents()).join()).toContain('Fetches');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/[a-z-/]+/);
    await page.locator('main', { hasText: 'fetch-now' }).waitFor();
  });

  it('shows code in the language that the reader has chosen, on all pages and after a reload', async () => {
    await open('quick-start');
    const group = page.locator('.vp-code-group').filter({ hasText: 'curl' }).first();
    const tabs = group.locator('label');
    expect(await tabs.allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'PHP']);
    await tabs.nth(2).click();
    expect(await activeCode().filter({ hasText: 'import requests' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Connect a user' }).first().click();
    await page.waitForURL(/connect-a-user$/);
    await activeCode().filter({ hasText: 'import requests' }).waitFor();
    await page.reload();
    await activeCode().filter({ hasText: 'import requests' }).waitFor();
    // The arrow keys choose another one.
    await page.locator('.vp-code-group input:checked').first().focus();
    await page.keyboard.press('ArrowRight');
    await activeCode().filter({ hasText: 'function call(' }).waitFor();
  });

  it('shows tables as wide as the text, with each code of an error on a line of its own', async () => {
    for (const path of ['settings', 'api/fetches']) {
      await open(path);
      const tables = page.locator('.vp-doc table');
      expect(await tables.count()).toBeGreaterThan(5);
      const cutOff = await tables.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      expect([path, cutOff]).toEqual([path, 0]);
    }
    const forbidden = page.getByRole('row').filter({ hasText: 'ForbiddenError' }).first();
    expect((await forbidden.innerText()).split('\n').filter((line) => /^[A-Z_]+: /.test(line)).length).toBeGreaterThan(
      3,
    );
  });

  it('can be dark', async () => {
    await open('quick-start');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('switch').first().click();
    expect(await background()).not.toBe(light);
    await page.reload();
    expect(await background()).not.toBe(light);
  });

  it('answers an unknown address with a page that leads back', async () => {
    const answer = await page.goto(`${app.url}/guides/nowhere`, { waitUntil: 'networkidle' });
    expect(answer?.status()).toBe(404);
    expect(complaints.splice(0).every((text) => text.includes('404'))).toBe(true);
    await page.getByRole('link', { name: 'To the overview' }).click();
    await page.waitForURL(`${app.url}/guides/`);
  });

  it('leads to the interactive reference and back', async () => {
    await open('');
    await page.getByRole('link', { name: 'Try the API' }).first().click();
    await page.waitForURL(`${app.url}/docs`);
    await page.locator('.docfetch-header').getByRole('link', { name: 'Guides' }).click();
    await page.waitForURL(`${app.url}/guides/`);
  });

  describe.each([
    ['wide', 1280],
    ['narrow', 320],
  ])('on a %s screen', (name, width) => {
    it.each(['', 'quick-start', 'receive-documents', 'api/fetches', 'errors', 'settings', 'changelog'])(
      'is accessible and fits: /guides/%s',
      async (path) => {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        expect(await checkPage(page, `docs-site.${name}.${path.replace('/', '-') || 'index'}`)).toEqual([]);
      },
    );
  });
});
