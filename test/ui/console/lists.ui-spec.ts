import type { Page } from 'playwright-core';
import { type ConsoleVisit, openConsole } from '../harness/console-visit';
import { addConnections } from '../harness/console/add-rows';
import { MESSAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const MANY = 100_000;
const PAGE = 50;

let original: string;

const rows = (page: Page) => page.locator('.list tbody tr');
const names = (page: Page) => page.locator('.list tbody th .link').allTextContents();
const ofList = /\/v1\/console\/connections\?/;

/** Opens the list, with its first rows. */
async function openList(visit: ConsoleVisit): Promise<void> {
  await visit.go('connections');
  await visit.page.locator('.list tbody tr').first().waitFor();
}

beforeAll(async () => {
  original = await ui.connection(await ui.client.createIdentity('kunde-1'));
  await addConnections(ui, original, 'Lieferant', MANY);
  await ui.query('analyze');
});

describe('a list with 100,000 rows', () => {
  it('is loaded page by page, and is as it was left after going back', async () => {
    const visit = await openConsole(ui, 'en');
    const { page, texts, heading } = visit;
    await openList(visit);
    expect(await rows(page).count()).toBe(PAGE);
    await page.getByRole('button', { name: texts.list.more }).click();
    await rows(page).nth(PAGE).waitFor();
    const link = rows(page).nth(80).getByRole('link').first();
    const name = await link.textContent();
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(500);
    await link.click();
    await heading(name!);
    expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'H1']);
    await page.goBack();
    await rows(page).nth(80).waitFor();
    expect(await rows(page).count()).toBe(2 * PAGE);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  });

  it('keeps its filters in the address', async () => {
    const visit = await openConsole(ui, 'de');
    const { page, texts, checkView } = visit;
    await openList(visit);
    await page.getByRole('searchbox').fill('Lieferant 77777');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await names(page)).toEqual(['Lieferant 77777']);
    expect(page.url()).toMatch(/\?q=Lieferant\+77777$/);
    await page.reload();
    await rows(page).first().waitFor();
    expect(await names(page)).toEqual(['Lieferant 77777']);
    await page.getByLabel('Status').selectOption('DISABLED');
    await page.getByText(texts.list.nothing).waitFor();
    await checkView('console-list-nothing');
    await page.getByRole('button', { name: texts.list.clear, exact: true }).last().click();
    await rows(page)
      .nth(PAGE - 1)
      .waitFor();
    expect(page.url()).toMatch(/connections$/);
  });

  it('updates by itself: rows change in place, and new ones are only announced', async () => {
    const visit = await openConsole(ui, 'en');
    const { page, texts, refresh, checkView } = visit;
    await openList(visit);
    const third = rows(page).nth(2);
    await third.getByRole('link').first().focus();
    const placed = () => third.evaluate((row) => [row.getBoundingClientRect().top, row.textContent?.slice(0, 20)]);
    const before = await placed();
    await addConnections(ui, original, 'New supplier', 3);
    const key = await third.getAttribute('data-key');
    await ui.query('update connection set disabled_at = now() where uuid = $1', [key]);
    await refresh();
    await page.getByRole('button', { name: texts.list.fresh('3') }).waitFor();
    await third.getByText('Disabled').waitFor();
    expect(await placed()).toEqual(before);
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.dataset.key)).toBe(key);
    await checkView('console-connections');
    await page.getByRole('button', { name: texts.list.fresh('3') }).click();
    await page.getByRole('link', { name: 'New supplier 3' }).waitFor();
    expect((await names(page)).slice(0, 3)).toEqual(['New supplier 3', 'New supplier 2', 'New supplier 1']);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('list-place');
  });

  it('does not load anything while it is paused or the tab is hidden', async () => {
    const visit = await openConsole(ui, 'en');
    const { page, texts, refresh } = visit;
    await openList(visit);
    let requests = 0;
    page.on('request', (request) => (requests += ofList.test(request.url()) ? 1 : 0));
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    );
    await refresh();
    expect(requests).toBe(0);
    await page.getByRole('button', { name: texts.list.liveHelp }).click();
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'visible' }));
    await refresh();
    expect(requests).toBe(0);
    await page.getByRole('button', { name: texts.list.liveHelp }).click();
    await refresh();
    expect(requests).toBe(1);
  });

  it('says that it is out of date while the service cannot be reached, and keeps its rows', async () => {
    const visit = await openConsole(ui, 'de');
    const { page, refresh, checkView } = visit;
    await openList(visit);
    await page.route(ofList, (route) => route.abort());
    await refresh();
    await page.locator('.list-news .notice').waitFor();
    expect(await rows(page).count()).toBe(PAGE);
    await checkView('console-list-stale');
    await page.unroute(ofList);
    await refresh();
    await page.locator('.list-news .notice').waitFor({ state: 'detached' });
  });

  it('shows no rows of other filters when a filter fails, and says why', async () => {
    const visit = await openConsole(ui, 'en');
    const { page, texts, refresh } = visit;
    await openList(visit);
    const problem = { status: 422, code: 'VALIDATION_FAILED', detail: 'The filter is wrong.', errors: [] };
    const reject = () =>
      page.route(ofList, (route) =>
        route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      );
    await reject();
    await refresh();
    await page.locator('.list-news').getByText(problem.detail).waitFor();
    expect(await page.getByText(/No connection to the service/).count()).toBe(0);
    expect(await rows(page).count()).toBe(PAGE);
    await page.getByLabel('Status').selectOption('ACTIVE');
    await page.getByRole('alert').getByText(problem.detail).waitFor();
    expect(await rows(page).count()).toBe(0);
    await page.unroute(ofList);
    await page.getByRole('button', { name: MESSAGES.en.retry }).click();
    await rows(page).first().waitFor();
    expect(page.url()).toMatch(/status=ACTIVE$/);
    expect(await page.getByRole('button', { name: texts.list.clear, exact: true }).count()).toBe(1);
  });

  it('keeps a filter that is chosen while another one is being typed', async () => {
    const visit = await openConsole(ui, 'en');
    const { page, texts } = visit;
    await openList(visit);
    await page.getByRole('searchbox').fill('Lieferant 77777');
    await page.getByLabel('Status').selectOption('ACTIVE');
    await page.waitForURL(/q=Lieferant\+77777/);
    expect(page.url()).toMatch(/status=ACTIVE/);
    await page.getByRole('button', { name: texts.list.clear, exact: true }).first().click();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  });

  it('can be searched further when its first pages have no match', async () => {
    const visit = await openConsole(ui, 'de');
    const { page, texts, go } = visit;
    await openList(visit);
    let isFound = false;
    await page.route(ofList, async (route) => {
      if (isFound) return route.continue({ url: route.request().url().replace('cursor=later', '') });
      await route.fulfill({ json: { data: [], meta: { next_cursor: 'later' } } });
    });
    await go('connections?q=Lieferant+77777&status=LOST');
    await page.getByText(texts.list.nothingSoFar).waitFor();
    isFound = true;
    await page.getByRole('button', { name: texts.list.searchOn }).click();
    await page.getByRole('link', { name: 'Lieferant 77777' }).waitFor();
  });
});
