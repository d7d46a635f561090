import type { Page } from 'playwright-core';
import { openBrowser } from '../harness/browser';
import { changeHeaders, connectSandbox, finish, outcome, popupOf, useConnectPage } from '../harness/connect-page';
import { MESSAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const connectPage = useConnectPage(ui);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect your documents' });
const press = (page: Page, name: string) => dialogOf(page).getByRole('button', { name }).click();

/** Records the events of the drop-in in the page. */
const recordEvents = (page: Page) =>
  page.addInitScript(() => {
    const events: unknown[] = [];
    Object.assign(window, { events });
    addEventListener('docfetch-event', (event) => events.push((event as CustomEvent).detail));
  });
const eventsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { events: { type: string; code?: string }[] }).events);

describe('a browser that blocks popups', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser({ blocksPopups: true });
  });
  afterAll(() => browser?.close());

  /** A page that opens the drop-in without a click, which the browser does not allow. */
  const open = async () => {
    const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 820, height: 900 } });
    await recordEvents(page);
    await page.addInitScript(() =>
      addEventListener('load', () => document.querySelector<HTMLElement & { open(): void }>('[mode=popup]')?.open()),
    );
    await page.goto(`${connectPage.origin}/`);
    await dialogOf(page).getByText('Your browser has blocked the window.').waitFor();
    return { page, messages: MESSAGES.en } as Visit;
  };

  it('shows a button that opens the popup', async () => {
    const visit = await open();
    const { page } = visit;
    expect(await eventsOf(page)).toContainEqual({ type: 'error', code: 'POPUP_BLOCKED' });
    const popup = await popupOf(page, () => press(page, 'Open the window'));
    await connectSandbox(popup, visit);
    await finish(popup, visit);
    await outcome(page, 'Verified: created sandbox');
    await page.close();
  });

  it('can continue in the same window', async () => {
    const visit = await open();
    const { page } = visit;
    await press(page, 'Continue in this window');
    await page.waitForURL((url) => url.pathname === '/ui');
    await connectSandbox(page, visit);
    await finish(page, visit);
    await page.waitForURL((url) => url.origin === connectPage.origin);
    await outcome(page, 'Verified: created sandbox');
    await page.close();
  });
});

describe('a page that is separated from its popups (Cross-Origin-Opener-Policy)', () => {
  it('receives the result when the popup returns', async () => {
    const visit = await connectPage.visit({
      beforeOpen: async (opened) => {
        await recordEvents(opened);
        await changeHeaders(opened, connectPage.origin, (headers) => ({
          ...headers,
          'cross-origin-opener-policy': 'same-origin',
        }));
      },
    });
    const { page } = visit;
    const popup = await popupOf(page, () => button(page, 'Connect in a window').click());
    await dialogOf(page).getByText('If the window is gone, you can open it again.').waitFor();
    expect(await eventsOf(page)).toContainEqual({ type: 'error', code: 'POPUP_LOST' });
    await connectSandbox(popup, visit);
    await finish(popup, visit);
    await outcome(page, 'Verified: created sandbox');
    await dialogOf(page).waitFor({ state: 'detached' });
  });
});

describe('a hosted UI that cannot be loaded', () => {
  it('is replaced by a message when the environment does not allow the frame', async () => {
    await ui.query("update environment set embedding_origins = '[]' where uuid = $1", [ui.client.environmentUuid]);
    const visit = await connectPage.visit({
      expectedConsoleErrors: /frame-ancestors|X-Frame-Options/,
      beforeOpen: async (page) => {
        await recordEvents(page);
        await page.clock.install();
      },
    });
    const { page } = visit;
    const refused = page.waitForEvent('framenavigated', (frame) => frame !== page.mainFrame());
    await button(page, 'Connect in a dialog').click();
    await refused;
    await page.clock.fastForward(16_000);
    await dialogOf(page).getByText('This could not be loaded here. You can continue in this window instead.').waitFor();
    expect(await eventsOf(page)).toContainEqual({ type: 'error', code: 'NOT_LOADED' });
    await visit.checkView('connect-not-loaded');
    await press(page, 'Continue in this window');
    await page.waitForURL((url) => url.pathname === '/ui');
    await connectPage.allow({});
  });

  it.each(['Connect in a dialog', 'Connect in a window'])(
    'is replaced by a message without a token: %s',
    async (name) => {
      const { page } = await connectPage.visit({
        beforeOpen: async (opened) => {
          await recordEvents(opened);
          await opened.route('**/token', (route) => route.fulfill({ status: 500 }));
          // The page is notified; the harness would take it for a fault of the script.
          await opened.addInitScript(() => addEventListener('error', (event) => event.preventDefault()));
          await opened.addInitScript(() => (window.reportError = () => undefined));
        },
      });
      await button(page, name).click();
      await dialogOf(page).getByText('This could not be loaded. Please try again later.').waitFor();
      expect(await eventsOf(page)).toContainEqual({ type: 'error', code: 'TOKEN_UNAVAILABLE' });
      await press(page, 'Close');
      await outcome(page, 'Ended: error');
    },
  );
});
