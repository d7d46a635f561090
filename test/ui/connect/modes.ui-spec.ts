import type { Page } from 'playwright-core';
import { POPUP } from '../harness/popup-texts';
import { pdfInvoice } from '../../builders/invoice-documents';
import { connectSandbox, finish, outcome, popupOf, useConnectPage } from '../harness/connect-page';
import { GoogleProvider } from '../harness/google-provider';
import { useUi } from '../harness/ui-context';

const google = new GoogleProvider();
const ui = useUi(google.start);
const connectPage = useConnectPage(ui);

beforeAll(async () => {
  google.drive.drive('anna@example.com').put('Rechnung 1.pdf', await pdfInvoice());
});
afterAll(() => google.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect your documents' });
const frameOf = (page: Page) => page.frameLocator('iframe');
/** The identities in the results that the example has verified. */
const verified = () => connectPage.example.jsonOutput as { identity_uuid: string; action: string; result: string }[];
/** The label of the button with the focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe('the drop-in in a frame', () => {
  const open = async (options: Parameters<typeof connectPage.visit>[0] = {}) => {
    const visit = await connectPage.visit(options);
    await button(visit.page, 'Connect in a dialog').click();
    await frameOf(visit.page).getByRole('heading', { level: 1 }).waitFor();
    return { ...visit, frame: frameOf(visit.page) };
  };

  it('passes a result that the backend verifies, and leaves the page as it was', async () => {
    const visit = await open();
    const { page, frame } = visit;
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('hidden');
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.tagName === 'IFRAME');
    // Programs that record the elements of a page do not get the token.
    expect(await page.evaluate(() => document.querySelector('body > div')!.shadowRoot!.innerHTML)).not.toMatch(
      /eyJ|token/,
    );
    await connectSandbox(frame, visit);
    await finish(frame, visit);
    await outcome(page, 'Verified: created sandbox');
    expect(verified().at(-1)).toMatchObject({ result: 'success', action: 'created' });
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('');
    expect(await focused(page)).toBe('Connect in a dialog');
    expect(page.url()).toBe(`${connectPage.origin}/`);
  });

  it('has the height of its content, up to that of the window', async () => {
    const { page, frame, messages } = await open();
    const heights = async () => {
      const element = page.locator('iframe');
      const [box, content] = [await element.boundingBox(), await frame.locator('#root').boundingBox()];
      const scrolls = await frame.locator('html').evaluate((html) => html.scrollHeight > html.clientHeight);
      return { frame: box!.height, content: content!.height, scrolls };
    };
    await page.waitForFunction(() => {
      const shown = document.querySelector('body > div')?.shadowRoot?.querySelector('iframe');
      return shown && shown.getBoundingClientRect().height > 200;
    });
    const short = await heights();
    expect(short.scrolls).toBe(false);
    expect(Math.abs(short.frame - short.content)).toBeLessThanOrEqual(1);
    await frame.getByRole('link', { name: messages.overview.add }).click();
    await frame.getByRole('heading', { level: 1, name: messages.choose.title }).waitFor();
    await page.waitForFunction((before) => {
      const shown = document.querySelector('body > div')?.shadowRoot?.querySelector('iframe');
      return shown && shown.getBoundingClientRect().height > before;
    }, short.frame);
    const tall = await heights();
    expect(tall.frame).toBeLessThanOrEqual(900);
    expect(tall.scrolls).toBe(tall.content > tall.frame + 1);
  });

  it('is accessible, also on a narrow screen', async () => {
    for (const width of [820, 360]) {
      const visit = await open({ width });
      await visit.checkView(`connect-dialog-${width}`);
    }
  });

  it('closes with Escape, which first closes what is open inside', async () => {
    const { page, frame, messages } = await open();
    const [identity] = await ui.query<{ uuid: string }>('select uuid from identity where client_identifier = $1', [
      'customer-4711',
    ]);
    await ui.connection(identity!.uuid, {}, 'Old portal');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await button(page, 'Connect in a dialog').click();
    await frame.getByRole('link', { name: messages.overview.manage('Old portal') }).click();
    await frame.getByRole('button', { name: messages.connection.remove }).click();
    await frame.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await frame.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await dialogOf(page).count()).toBe(1);
    await page.keyboard.press('Escape');
    await outcome(page, 'Ended: cancelled');
    await dialogOf(page).waitFor({ state: 'detached' });

    await button(page, 'Connect in a dialog').click();
    await frame.getByRole('heading', { level: 1 }).waitFor();
    // The focus is on the page's own button now.
    await dialogOf(page).getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Connect in a dialog');
  });

  it('reports what was done also when the user only closes it', async () => {
    const visit = await open();
    await connectSandbox(visit.frame, visit);
    await dialogOf(visit.page).getByRole('button', { name: 'Close' }).click();
    await outcome(visit.page, 'Verified: created sandbox');
  });

  it('authorizes at a provider without third-party cookies', async () => {
    const visit = await open();
    const { page, frame, messages } = visit;
    await frame.getByRole('link', { name: messages.overview.add }).first().click();
    await frame.getByRole('button', { name: /^Google Drive/ }).click();
    await frame.getByRole('button', { name: messages.connect.authorize('Google Drive') }).click();
    const link = frame.getByRole('link', { name: POPUP[visit.lang].open('Google Drive') });
    const [popup] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await popup.getByRole('button', { name: 'Agree' }).click();
    await frame.getByRole('button', { name: messages.content.submit }).click();
    await frame.getByText(messages.done.finished(1)).waitFor();
    await finish(frame, visit);
    await outcome(page, 'Verified: created google_drive');
  });
});

describe('the drop-in in a popup', () => {
  const open = async () => {
    const visit = await connectPage.visit();
    const popup = await popupOf(visit.page, () => button(visit.page, 'Connect in a window').click());
    await popup.getByRole('heading', { level: 1 }).waitFor();
    return { ...visit, popup };
  };

  it('passes a result that the backend verifies, and closes the popup', async () => {
    const visit = await open();
    const { page, popup } = visit;
    await dialogOf(page).getByText('Continue in the window that has opened.').waitFor();
    expect(new URL(popup.url()).search).toBe('');
    const closed = popup.waitForEvent('close');
    await connectSandbox(popup, visit);
    await finish(popup, visit);
    await closed;
    await outcome(page, 'Verified: created sandbox');
    expect(await focused(page)).toBe('Connect in a window');
  });

  it('notices that the user closes the popup', async () => {
    const { page, popup } = await open();
    await popup.close();
    await outcome(page, 'Ended: cancelled');
    await dialogOf(page).waitFor({ state: 'detached' });
  });

  it('closes the popup with the dialog', async () => {
    const { page, popup } = await open();
    const closed = popup.waitForEvent('close');
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await closed;
    await outcome(page, 'Ended: cancelled');
  });

  it('has an accessible dialog', async () => {
    const visit = await open();
    await visit.checkView('connect-popup-dialog');
  });

  it('authorizes at a provider in a second window, so that the provider cannot separate the popup from the page', async () => {
    const visit = await open();
    const { page, popup, messages } = visit;
    await popup.getByRole('link', { name: messages.overview.add }).first().click();
    await popup.getByRole('button', { name: /^Google Drive/ }).click();
    await popup.getByRole('button', { name: messages.connect.authorize('Google Drive') }).click();
    const link = popup.getByRole('link', { name: POPUP[visit.lang].open('Google Drive') });
    const provider = await popupOf(popup, () => link.click());
    await provider.getByRole('button', { name: 'Agree' }).click();
    await popup.getByRole('button', { name: messages.content.submit }).click();
    await popup.getByText(messages.done.finished(1)).waitFor();
    await finish(popup, visit);
    await outcome(page, 'Verified: created google_drive');
  });
});

describe('the drop-in in the same window', () => {
  it('returns to the page, which removes the result from its address', async () => {
    const visit = await connectPage.visit();
    const { page } = visit;
    await button(page, 'Connect on a page of its own').click();
    await page.waitForURL((url) => url.pathname === '/ui');
    await connectSandbox(page, visit);
    await finish(page, visit);
    await outcome(page, 'Verified: created sandbox');
    expect(page.url()).toBe(`${connectPage.origin}/`);
  });
});
