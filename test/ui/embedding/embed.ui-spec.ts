import type { Frame, Page } from 'playwright-core';
import { POPUP } from '../harness/popup-texts';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { pdfInvoice } from '../../builders/invoice-documents';
import { HostPage } from '../harness/host-page';
import { GoogleProvider } from '../harness/google-provider';
import { checkPage } from '../harness/check-page';
import { type Lang, LANGUAGES, SANDBOX_TILE, useUi, type VisitOptions } from '../harness/ui-context';

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

/** The attributes that `docs/integrate/hosted-ui.md` requires. */
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

  describe('authorizes at a provider', () => {
    /** Starts the authorization in the frame, up to the view with the link that opens the provider. */
    const start = async (lang: Lang, sandbox?: string, beforeOpen?: VisitOptions['beforeOpen']) => {
      const visit = await ui.visit(lang, {
        hostUrl: (address) => allowed.urlFor(address, sandbox),
        token: { integration_id: 'google_drive' },
        beforeOpen,
      });
      const { page, messages } = visit;
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: messages.connect.authorize('Google Drive') }).click();
      await frame.getByRole('heading', { level: 1, name: POPUP[lang].title('Google Drive') }).waitFor();
      const link = frame.getByRole('link', { name: POPUP[lang].open('Google Drive') });
      const open = async () => (await Promise.all([page.context().waitForEvent('page'), link.click()]))[0];
      return { ...visit, frame, open };
    };
    const finish = async ({ frame, messages }: Awaited<ReturnType<typeof start>>) => {
      await frame.getByRole('heading', { level: 1, name: messages.content.title }).waitFor();
      await frame.getByRole('button', { name: messages.content.submit }).click();
      await frame.getByText(messages.done.finished(1)).waitFor();
    };
    /** Does not wait for what the click leads to: the page in the frame may close the popup before that has loaded. */
    const decide = (popup: Page, decision: 'Agree' | 'Refuse') =>
      popup.getByRole('button', { name: decision }).click({ noWaitAfter: true });
    /** Names of the service's cookies; the browser also sends it those of the provider, which has the same host. */
    const cookiesIn = async (page: Page) =>
      (await page.context().cookies(ui.app.settings.publicUrl))
        .map(({ name }) => name)
        .filter((name) => name.startsWith('docfetch'));

    it.each([
      ['en', undefined],
      ['de', SANDBOX],
    ] as const)('in a popup, without a confirmation page, and closes it (%s, sandbox: %s)', async (lang, sandbox) => {
      const started = await start(lang, sandbox);
      await started.checkView('embedded-authorize', undefined, await frameOf(started.page));
      expect(await cookiesIn(started.page)).toEqual([]); // blocked in the frame
      const popup = await started.open();
      const closed = popup.waitForEvent('close');
      await decide(popup, 'Agree');
      await closed;
      expect(await cookiesIn(started.page)).toEqual([expect.stringMatching(/^docfetch-oauth-/)]);
      await finish(started);
    });

    it('closes the popup when the page in the frame learns of the consent first', async () => {
      const started = await start('en', undefined, (page) =>
        // The popup never gets to its report.
        page.context().route(/\/ui\?.*result=/, () => undefined),
      );
      const popup = await started.open();
      const closed = popup.waitForEvent('close');
      await decide(popup, 'Agree');
      await closed;
      await finish(started);
    });

    it('in a second popup after the first one was closed', async () => {
      const started = await start('en');
      const first = await started.open();
      await first.getByRole('button', { name: 'Agree' }).waitFor();
      await first.close();
      await decide(await started.open(), 'Agree');
      await finish(started);
    });

    it('and shows a denial in the frame', async () => {
      const { open, frame, messages } = await start('de');
      const popup = await open();
      await decide(popup, 'Refuse');
      await frame.getByText(messages.authorization.outcome.AUTHORIZATION_DENIED).waitFor();
    });

    it.each(LANGUAGES)('with an accessible page while the popup waits (%s)', async (lang) => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const started = await start(lang, undefined, (page) =>
        page.context().route('**/v1/ui/popup-secrets', async (route) => {
          await released;
          await route.continue();
        }),
      );
      const popup = await started.open();
      await popup.getByRole('heading', { level: 1, name: POPUP[lang].leaving }).waitFor();
      expect(new URL(popup.url()).search).toBe('');
      expect(await checkPage(popup, `popup.${lang}`)).toEqual([]);
      release();
      await popup.getByRole('button', { name: 'Agree' }).waitFor();
      expect(popup.url()).not.toContain(ui.app.settings.publicUrl);
    });

    const BLOCKED = (page: Page) => page.addInitScript(() => (window.open = () => null));
    const NO_SECRET = (page: Page) => page.context().route('**/v1/ui/popup-secrets', (route) => route.abort());

    it.each([
      ['no popup, only the link', BLOCKED],
      ['a popup without a secret', NO_SECRET],
    ])('after the confirmation page, if the browser opens %s', async (_, beforeOpen) => {
      const started = await start('de', SANDBOX, beforeOpen);
      const provider = await started.open();
      await provider.getByRole('button', { name: 'Continue' }).click();
      await decide(provider, 'Agree');
      if (beforeOpen === BLOCKED) {
        // The separate window shows only the result, so that the session is not continued twice.
        await provider.getByText('The account is connected').waitFor();
        expect(new URL(provider.url()).pathname).toBe('/ui');
        expect(await provider.evaluate(() => window.opener)).toBeNull();
      }
      await finish(started);
    });
  });
});
