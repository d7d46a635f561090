import type { Frame, Page } from 'playwright-core';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { pdfInvoice } from '../../builders/invoice-documents';
import { HostPage } from '../harness/host-page';
import { GoogleProvider } from '../harness/google-provider';
import { SANDBOX_TILE, useUi } from '../harness/ui-context';

const google = new GoogleProvider();
const ui = useUi(google.start);
let allowed: HostPage;
let forbidden: HostPage;

beforeAll(async () => {
  [allowed, forbidden] = [await HostPage.start(), await HostPage.start()];
  await ui.app.app
    .get(UpdateEnvironment, { strict: false })
    .update('test', ui.client.environmentUuid, { embeddingOrigins: [allowed.origin] });
  google.drive.drive('anna@example.com').put('Rechnung 1.pdf', await pdfInvoice());
});
afterAll(() => Promise.all([allowed?.stop(), forbidden?.stop(), google.stop()]));

/** The attributes that `docs/hosted-ui.md` requires. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
/** Sufficient without a provider: the browser refuses to show the page of a provider in a sandboxed window. */
const WITHOUT_ESCAPE = 'allow-scripts allow-forms allow-same-origin allow-popups';

/** The frame in the page. */
async function frameOf(page: Page): Promise<Frame> {
  const element = await page.locator('iframe').elementHandle();
  return (await element.contentFrame())!;
}

describe('a page that shows the hosted UI in a frame', () => {
  it.each([undefined, SANDBOX, WITHOUT_ESCAPE])(
    'is shown up to the return if the environment allows its origin (sandbox: %s)',
    async (sandbox) => {
      const { page, messages } = await ui.visit('de', { hostUrl: (address) => allowed.urlFor(address, sandbox) });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { level: 1, name: messages.overview.emptyTitle }).waitFor();
      await frame.getByRole('link', { name: messages.overview.add }).click();
      await frame.getByRole('button', { name: SANDBOX_TILE }).click();
      await frame.locator('[data-field="user"] input').fill('demo');
      await frame.locator('[data-field="password"] input').fill('secret');
      await frame.getByRole('button', { name: messages.connect.submit, exact: true }).click();
      await frame.getByRole('button', { name: messages.content.submit }).click();
      await frame.getByText(messages.done.finished(3)).waitFor();
      // Returning navigates the frame, not the embedding page.
      await frame.getByRole('button', { name: messages.leave.finishTo('Muster Buchhaltung') }).click();
      await frame.getByRole('heading', { name: 'Muster' }).waitFor();
      expect(new URL(page.url()).origin).toBe(allowed.origin);
      const url = (await frameOf(page)).url();
      expect(verifyReturnUrl(url, ui.client.signingSecret, { now: ui.app.clock.now() })).toMatchObject({
        result: 'success',
        action: 'created',
      });
    },
  );

  it('is refused if its origin is not allowed', async () => {
    const refused: string[] = [];
    const { page } = await ui.visit('de', {
      hostUrl: (address) => forbidden.urlFor(address),
      expectedConsoleErrors: /frame-ancestors/,
      onConsoleError: (message) => refused.push(message),
    });
    await page.getByRole('heading', { name: 'Outer page' }).waitFor();
    const frame = await frameOf(page);
    expect(frame.url()).toBe('chrome-error://chromewebdata/');
    expect(refused.join()).toContain(allowed.origin);
  });

  it('is refused without a token', async () => {
    const { page } = await ui.visit('de', {
      hostUrl: (address) => allowed.urlFor(address.split('?')[0]!),
      expectedConsoleErrors: /frame-ancestors|X-Frame-Options/,
    });
    await page.getByRole('heading', { name: 'Outer page' }).waitFor();
    expect((await frameOf(page)).url()).toBe('chrome-error://chromewebdata/');
  });

  it.each([undefined, SANDBOX])(
    'opens the provider in a separate window, and continues automatically (sandbox: %s)',
    async (sandbox) => {
      const { page, messages, checkView } = await ui.visit('de', {
        hostUrl: (address) => allowed.urlFor(address, sandbox),
        token: { integration_id: 'google_drive' },
      });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: messages.connect.authorize('Google Drive') }).click();
      await frame.getByRole('heading', { level: 1, name: messages.connect.popupTitle('Google Drive') }).waitFor();
      await checkView('embedded-authorize', undefined, await frameOf(page));
      const open = frame.getByRole('link', { name: messages.connect.popupOpen('Google Drive') });
      const [provider] = await Promise.all([page.context().waitForEvent('page'), open.click()]);
      // Browsers do not send the cookie in a frame of another site, so the user must confirm.
      await provider.getByRole('button', { name: 'Continue' }).click();
      await provider.getByRole('button', { name: 'Agree' }).click();
      await provider.getByRole('heading', { level: 1 }).waitFor();
      // The separate window shows only the result, so that the session is not continued twice.
      expect(new URL(provider.url()).pathname).toBe('/ui');
      await provider.getByText('The account is connected').waitFor();
      expect(await provider.evaluate(() => window.opener)).toBeNull();

      await frame.getByRole('heading', { level: 1, name: messages.content.title }).waitFor();
      await frame.getByRole('button', { name: messages.content.submit }).click();
      await frame.getByText(messages.done.finished(1)).waitFor();
    },
  );
});
