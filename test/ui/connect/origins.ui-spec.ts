import type { Page } from 'playwright-core';
import { changeHeaders, outcome, popupOf, useConnectPage } from '../harness/connect-page';
import { HostPage } from '../harness/host-page';
import { useUi } from '../harness/ui-context';

const ui = useUi();
const connectPage = useConnectPage(ui);
/** A page of another origin than the return URL, which the environment also allows to embed the hosted UI. */
let other: HostPage;

beforeAll(async () => {
  other = await HostPage.start();
  await connectPage.allow({ embedding: [other.origin] });
});
afterAll(() => other?.stop());

const openDropIn = async (beforeOpen?: (page: Page) => Promise<unknown>) => {
  const visit = await connectPage.visit({ beforeOpen });
  await visit.page.getByRole('button', { name: 'Connect in a dialog' }).click();
  const frame = visit.page.frameLocator('iframe').first();
  await frame.getByRole('heading', { level: 1, name: visit.messages.overview.emptyTitle }).waitFor();
  return { ...visit, frame };
};
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Connect your documents' });
const FORGED = (origin: string) =>
  `${origin}/?result=success&action=created&identity_uuid=forged&integration_id=forged&ts=1&nonce=n&sig=s`;

/** Records the messages that reach a page. */
const recordMessages = (page: Page) =>
  page.addInitScript(() => {
    const seen: unknown[] = [];
    Object.assign(window, { seen });
    addEventListener('message', ({ data }) => seen.push(data));
  });
const messagesOf = (page: Page) => page.evaluate(() => (window as unknown as { seen: unknown[] }).seen);
/** Resolves when this number of messages with a forged result have reached the page. */
const forgedMessages = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) =>
      (window as unknown as { seen: { docfetchConnect?: string }[] }).seen.filter(
        ({ docfetchConnect }) => docfetchConnect === 'done',
      ).length === wanted,
    count,
  );

describe('the page', () => {
  it('accepts nothing from another window, not even of the service', async () => {
    const { page, frame, messages } = await openDropIn(recordMessages);
    const message = { docfetchConnect: 'done', url: FORGED(connectPage.origin) };
    // From itself, as from any other script of its origin.
    await page.evaluate((data) => postMessage(data, '*'), message);
    // From another window of the service's own origin, and of a foreign origin.
    await page.context().route('**/sender', (route) => route.fulfill({ contentType: 'text/html', body: 'Sender' }));
    for (const origin of [ui.app.settings.publicUrl, other.origin]) {
      const sender = await popupOf(page, () => page.evaluate((url) => void window.open(url), `${origin}/sender`));
      await sender.getByText('Sender').waitFor();
      await sender.evaluate((data) => (window.opener as Window).postMessage(data, '*'), message);
      await sender.close();
    }
    await forgedMessages(page, 3);
    // The hosted UI still answers: nothing has closed it.
    await frame.getByRole('link', { name: messages.overview.add }).click();
    await frame.getByRole('heading', { level: 1, name: messages.choose.title }).waitFor();
    expect(await page.locator('#outcome').textContent()).toBe('');
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await outcome(page, 'Ended: cancelled');
  });

  it('accepts nothing from its frame when that shows a page of another origin', async () => {
    // Its own policy would not show another page in the frame.
    const withoutPolicy = async (opened: Page) => {
      await recordMessages(opened);
      await changeHeaders(opened, connectPage.origin, ({ 'content-security-policy': _, ...headers }) => headers);
    };
    const { page } = await openDropIn(withoutPolicy);
    const message = JSON.stringify({ docfetchConnect: 'done', url: FORGED(connectPage.origin) });
    const body = `<script>parent.postMessage(${message}, '*')</script>`;
    await page.context().route('**/sender', (route) => route.fulfill({ contentType: 'text/html', body }));
    const inner = page.frames().find((each) => each !== page.mainFrame())!;
    await inner.evaluate((url) => void setTimeout(() => location.assign(url)), `${other.origin}/sender`);
    await forgedMessages(page, 1);
    expect(await dialogOf(page).count()).toBe(1);
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await outcome(page, 'Ended: cancelled');
  });

  it('does not open a token for another page', async () => {
    const { page } = await connectPage.visit({
      beforeOpen: (opened) => opened.addInitScript(() => (window.reportError = () => undefined)),
    });
    const token = await ui.client.createToken(await ui.client.createIdentity(), {
      return_url: ui.clientSite.returnUrl,
    });
    const codes = await page.evaluate(async (given) => {
      const seen: string[] = [];
      const { openDocfetch } = (window as unknown as { Docfetch: { openDocfetch(options: object): { close(): void } } })
        .Docfetch;
      const onEvent = (event: { code?: string }) => event.code && seen.push(event.code);
      openDocfetch({ token: given, mode: 'iframe', onEvent }).close();
      return seen;
    }, token);
    expect(codes).toEqual(['ORIGIN_MISMATCH']);
  });
});

describe('the hosted UI', () => {
  it('reports nothing to a page of another origin in whose frame it is, and returns as without a drop-in', async () => {
    const visit = await ui.visit('en', {
      hostUrl: (url) => other.urlFor(`${url}&connect=iframe`),
      beforeOpen: recordMessages,
      expectedConsoleErrors: /postMessage/,
    });
    const { page } = visit;
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { level: 1, name: visit.messages.overview.emptyTitle }).waitFor();
    await frame.getByRole('button', { name: visit.messages.leave.to('Muster Buchhaltung') }).click();
    await frame.getByRole('heading', { name: 'Muster' }).waitFor();
    expect(await messagesOf(page)).toEqual([]);
  });

  it('reports nothing to a page of another origin that has opened it', async () => {
    const { page, messages } = await ui.visit('en', {
      hostUrl: () => `${other.origin}/`,
      beforeOpen: recordMessages,
    });
    const token = await ui.client.createToken(await ui.client.createIdentity(), {
      return_url: ui.clientSite.returnUrl,
      lang: 'en',
    });
    const url = `${ui.app.settings.publicUrl}/ui?token=${token}&connect=popup`;
    const popup = await popupOf(page, () => page.evaluate((address) => void window.open(address), url));
    await popup.getByRole('heading', { level: 1, name: messages.overview.emptyTitle }).waitFor();
    await popup.getByRole('button', { name: messages.leave.to('Muster Buchhaltung') }).click();
    await popup.waitForURL((address) => address.origin === ui.clientSite.origin);
    expect(await messagesOf(page)).toEqual([]);
  });

  it('does not wait for a page of another origin that claims to be connected', async () => {
    const { page, messages } = await ui.visit('en', {
      hostUrl: (url) => other.urlFor(`${url}&connect=iframe`),
      beforeOpen: (opened) => opened.clock.install(),
      expectedConsoleErrors: /postMessage/,
    });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { level: 1, name: messages.overview.emptyTitle }).waitFor();
    await page.evaluate(() => frames[0]!.postMessage({ docfetchConnect: 'connected' }, '*'));
    await page.clock.pauseAt(Date.now() + 60_000);
    const left = page.waitForEvent('framenavigated', (each) => each.url().startsWith(ui.clientSite.origin));
    const signed = page.waitForResponse('**/v1/ui/return');
    await frame.getByRole('button', { name: messages.leave.to('Muster Buchhaltung') }).click();
    await (await signed).finished();
    // If it believed the page, it would give it one and a half seconds to close the frame.
    await page.clock.runFor(500);
    await left;
  });

  it('returns by itself when the page that has opened it is gone', async () => {
    const visit = await connectPage.visit();
    const popup = await popupOf(visit.page, () =>
      visit.page.getByRole('button', { name: 'Connect in a window' }).click(),
    );
    await popup.getByRole('heading', { level: 1, name: visit.messages.overview.emptyTitle }).waitFor();
    await visit.page.reload();
    await popup.getByRole('button', { name: visit.messages.leave.to('Muster Buchhaltung') }).click();
    await popup.waitForURL((url) => url.origin === connectPage.origin);
    await outcome(popup, 'Ended: cancelled');
  });
});
