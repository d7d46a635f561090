import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { LANGUAGES, useUi, type Visit, MESSAGES } from '../harness/ui-context';

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

describe.each(LANGUAGES)('error messages (%s)', (lang) => {
  it('keeps the input when the network is lost', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, messages, checkView } = visit;
    await field(visit, 'user').fill('typed');
    await field(visit, 'password').fill('secret');
    await page.context().setOffline(true);
    await page.getByText(messages.problem.offline).first().waitFor();
    await press(visit, messages.connect.submit);
    await page.getByRole('alert').getByText(messages.problem.retryOnline).waitFor();
    await page.getByRole('alert').getByText(messages.problem.inputKept).waitFor();
    await checkView('offline');
    expect(await field(visit, 'user').inputValue()).toBe('typed');
    await page.context().setOffline(false);
    await press(visit, messages.connect.submit);
    await visit.heading(messages.content.title);
  });

  it('announces the end of the session in time and returns to the client afterwards', async () => {
    const visit = await ui.visit(lang, { secondsLeft: 25 });
    const { page, messages, checkView, heading } = visit;
    await page.getByText(messages.expiry.soon(1)).waitFor();
    await checkView('expires-soon');
    await heading(messages.expiry.title);
    await checkView('expired');
    await page.getByRole('link', { name: messages.leave.to('Muster Buchhaltung') }).click();
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('result'), searchParams.has('sig')]).toEqual(['cancelled', true]);
  });

  it('leads back to the client without a session, with an invalid token, and with a code that has been used', async () => {
    const { page, messages, checkView, heading } = await ui.visit(lang);
    await heading(messages.overview.emptyTitle);
    const back = page.getByRole('link', { name: messages.leave.plain });
    await page.context().clearCookies();
    await page.reload();
    await heading(messages.expiry.noSessionTitle);
    await back.waitFor();
    await checkView('no-session');
    await page.goto(`${ui.app.settings.publicUrl}/ui?resume=${'u'.repeat(43)}`);
    await heading(messages.expiry.noSessionTitle);
    await back.waitFor();
    await page.goto(`${ui.app.settings.publicUrl}/ui?token=nonsense`);
    await heading(messages.expiry.invalidTitle);
    await checkView('invalid-link');
    await back.click();
    await page.waitForURL(ui.clientSite.returnUrl);
  });

  it('says what to do without a session in a tab that has never had one, or whose storage is blocked', async () => {
    const visit = await ui.visit(lang, {
      beforeOpen: (it) =>
        it.addInitScript(() =>
          Object.defineProperty(window, 'sessionStorage', {
            get: () => {
              throw new DOMException('blocked', 'SecurityError');
            },
          }),
        ),
    });
    const { page, messages, heading } = visit;
    await heading(messages.overview.emptyTitle);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: MESSAGES.en.expiry.noSessionTitle }).waitFor();
    expect(await page.getByRole('link').count()).toBe(0);
  });

  it('shows a server error with its request ID, and retries', async () => {
    const identity = await ui.client.createIdentity();
    const { page, messages, checkView, heading } = await ui.visit(lang, { identity });
    await heading(messages.overview.emptyTitle);
    await page.route('**/v1/integrations*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({
          type: 'x',
          title: 'x',
          status: 500,
          code: 'INTERNAL_ERROR',
          detail: 'Detail.',
          request_id: 'req_4TqRZkq9mC0y',
        }),
      }),
    );
    // Each language has its own cache.
    await page.getByRole('button', { name: messages.languageSwitch }).click();
    await page.getByText('req_4TqRZkq9mC0y').waitFor();
    // Nothing was searched.
    expect(await page.locator('.nothing, .cards').count()).toBe(0);
    await checkView('server-error');
    await page.unroute('**/v1/integrations*');
    await page.getByRole('alert').getByRole('button').last().click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('keeps the input when the language is switched, even if that fails', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, messages } = visit;
    const other = MESSAGES[lang === 'de' ? 'en' : 'de'];
    await field(visit, 'user').fill('typed');
    await press(visit, messages.languageSwitch);
    await page.getByLabel(other === MESSAGES.de ? 'Benutzername' : 'User name').waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('typed');
    await page.route('**/v1/integrations/*', (route) => route.abort());
    await press(visit, other.languageSwitch);
    await page.getByRole('button', { name: messages.connect.submit, exact: true }).waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('typed');
  });

  it('reports to the client when the user leaves after a failure, but not after a success', async () => {
    const returned = async ({ page, messages }: Visit) => {
      await page.getByRole('button', { name: messages.leave.to('Muster Buchhaltung') }).click();
      await page.waitForURL((url) => url.origin === ui.clientSite.origin);
      return verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() });
    };
    const rejected = async () => {
      const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
      await field(visit, 'user').fill('demo');
      await field(visit, 'password').fill('wrong');
      await press(visit, visit.messages.connect.submit);
      await visit.page.locator('[data-field="password"] .field-error').waitFor();
      return visit;
    };
    expect(await returned(await rejected())).toMatchObject({ result: 'error', action: 'none' });
    const corrected = await rejected();
    await field(corrected, 'password').fill('right');
    await press(corrected, corrected.messages.connect.submit);
    await corrected.heading(corrected.messages.content.title);
    expect(await returned(corrected)).toMatchObject({ result: 'cancelled', action: 'created', status: 'PENDING' });

    const unavailable = await ui.visit(lang, { token: { integration_id: 'google_drive' } });
    await unavailable.page.getByRole('alert').getByText(unavailable.messages.choose.unavailableText).waitFor();
    expect(await returned(unavailable)).toMatchObject({ result: 'error', action: 'none' });
  });

  it('shows that a source no longer exists', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity);
    const { page, messages, checkView, heading } = await ui.visit(lang, { identity });
    await heading(messages.overview.title);
    await ui.client.request('delete', `/v1/connections/${uuid}`).expect(204);
    await page.getByRole('link', { name: messages.overview.manage('Portal') }).click();
    await heading(messages.problem.notFoundTitle);
    await checkView('gone');
  });
});
