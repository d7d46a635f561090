import type { Frame, Page } from 'playwright-core';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { pdfInvoice } from '../../builders/invoice-documents';
import { HostPage } from '../harness/host-page';
import { Google } from '../harness/google-provider';
import { SANDBOX_TILE, useUi } from '../harness/ui-context';

const google = new Google();
const ui = useUi(google.surroundings);
let allowed: HostPage;
let otherClient: HostPage;

beforeAll(async () => {
  [allowed, otherClient] = [await HostPage.start(), await HostPage.start()];
  await ui.app.app
    .get(UpdateEnvironment, { strict: false })
    .update('test', ui.client.environmentUuid, { embeddingOrigins: [allowed.origin] });
  google.drive.drive('anna@example.com').put('Rechnung 1.pdf', await pdfInvoice());
});
afterAll(() => Promise.all([allowed?.stop(), otherClient?.stop(), google.stop()]));

/** The attributes that `docs/hosted-ui.md` requires. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
/** Enough where no provider is to be visited: without escaping, its page would be refused by the browser. */
const WITHOUT_ESCAPE = 'allow-scripts allow-forms allow-same-origin allow-popups';

/** The frame within the page, once something has come into it. */
async function frameOf(page: Page): Promise<Frame> {
  const element = await page.locator('iframe').elementHandle();
  return (await element.contentFrame())!;
}

describe('a page that shows the hosted UI in a frame', () => {
  it.each([undefined, SANDBOX, WITHOUT_ESCAPE])(
    'can do so when its environment allows it, to the end (sandbox: %s)',
    async (sandbox) => {
      const { page, messages } = await ui.visit('de', { around: (address) => allowed.around(address, sandbox) });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { level: 1, name: messages.overview.emptyTitle }).waitFor();
      await frame.getByRole('link', { name: messages.overview.add }).click();
      await frame.getByRole('button', { name: SANDBOX_TILE }).click();
      await frame.locator('[data-field="user"] input').fill('demo');
      await frame.locator('[data-field="password"] input').fill('secret');
      await frame.getByRole('button', { name: messages.connect.submit, exact: true }).click();
      await frame.getByRole('button', { name: messages.content.submit }).click();
      await frame.getByText(messages.done.finished(3)).waitFor();
      // The way back leads the frame, not the page around it, to the client's address.
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

  it('is refused when it is not among those that are allowed', async () => {
    const refused: string[] = [];
    const { page } = await ui.visit('de', {
      around: (address) => otherClient.around(address),
      expecting: /frame-ancestors/,
      heard: (message) => refused.push(message),
    });
    await page.getByRole('heading', { name: 'Outer page' }).waitFor();
    const frame = await frameOf(page);
    expect(frame.url()).toBe('chrome-error://chromewebdata/');
    expect(refused.join()).toContain(allowed.origin);
  });

  it('is refused without a token', async () => {
    const { page } = await ui.visit('de', {
      around: (address) => allowed.around(address.split('?')[0]!),
      expecting: /frame-ancestors|X-Frame-Options/,
    });
    await page.getByRole('heading', { name: 'Outer page' }).waitFor();
    expect((await frameOf(page)).url()).toBe('chrome-error://chromewebdata/');
  });

  it.each([undefined, SANDBOX])(
    'leads to a provider in a window of its own, and goes on by itself (sandbox: %s)',
    async (sandbox) => {
      const { page, messages, look } = await ui.visit('de', {
        around: (address) => allowed.around(address, sandbox),
        token: { integration_id: 'google_drive' },
      });
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: messages.connect.authorize('Google Drive') }).click();
      await frame.getByRole('heading', { level: 1, name: messages.connect.popupTitle('Google Drive') }).waitFor();
      await look('embedded-authorize', undefined, await frameOf(page));
      const open = frame.getByRole('link', { name: messages.connect.popupOpen('Google Drive') });
      const [provider] = await Promise.all([page.context().waitForEvent('page'), open.click()]);
      // Its cookie is not to be had in a frame of another site: the user confirms.
      await provider.getByRole('button', { name: 'Continue' }).click();
      await provider.getByRole('button', { name: 'Agree' }).click();
      await provider.getByRole('heading', { level: 1 }).waitFor();
      // The other window has nothing but a word on how it ended: no session that could go on twice.
      expect(new URL(provider.url()).pathname).toBe('/ui');
      await provider.getByText('The account is connected').waitFor();
      expect(await provider.evaluate(() => window.opener)).toBeNull();

      await frame.getByRole('heading', { level: 1, name: messages.content.title }).waitFor();
      await frame.getByRole('button', { name: messages.content.submit }).click();
      await frame.getByText(messages.done.finished(1)).waitFor();
    },
  );
});
