import { INTEGRATIONS } from '../../../src/integrations/integration-registry';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const HELP = { en: 'https://help.sandbox.test/en', de: 'https://help.sandbox.test/de' };
const STEPS = [
  { en: 'Open the settings.', de: 'Öffnen Sie die Einstellungen.' },
  { en: 'Create a password.', de: 'Erstellen Sie ein Passwort.' },
];
/** The sandbox with a page that explains its credentials, and with steps to them. */
const integrations = INTEGRATIONS.map((each) =>
  each.id === 'sandbox' ? { ...each, helpUrl: HELP, helpSteps: STEPS } : each,
);

const ui = useUi(() => Promise.resolve({ integrations }));
const PAGE = '<!doctype html><title>Help</title><script>document.title = String(window.opener)</script>';

describe.each(LANGUAGES)('help for credentials (%s)', (lang) => {
  const nameOf = ({ messages }: Visit, label: string) => `${messages.fields.find} ${label} (${messages.fields.newTab})`;
  const link = (visit: Visit, label: string) =>
    visit.page.getByRole('link', { name: nameOf(visit, label), exact: true });

  it('is below the password, in the language of the page, and opens beside the form', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'nextcloud' } });
    const { page, messages, heading, checkView } = visit;
    await heading(messages.connect.title('Nextcloud'));
    const address = `https://docs.nextcloud.com/server/latest/user_manual/${lang}/files/access_webdav.html`;
    await page.context().route(address, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await page.locator('[data-field="user"] input').fill('anna');
    const label = lang === 'de' ? 'App-Passwort' : 'App password';
    await checkView('connect-help');
    await page.locator('[data-field="password"] input').focus();
    // Past the button that shows the password.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await link(visit, label).evaluate((element) => element === document.activeElement)).toBe(true);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await opened.waitForLoadState();
    expect([opened.url(), await opened.title()]).toEqual([address, 'null']);
    expect(await opened.evaluate(() => document.referrer)).toBe('');
    expect(await page.locator('[data-field="user"] input').inputValue()).toBe('anna');
    expect(await link(visit, label).count()).toBe(1);
  });

  it('is also there when credentials are changed', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity);
    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    await visit.heading(visit.messages.edit.title('Portal'));
    const password = lang === 'de' ? 'Passwort' : 'Password';
    expect(await link(visit, password).getAttribute('href')).toBe(HELP[lang]);
    await visit.checkView('edit-help');
  });

  it('is a list of steps above a password that was refused', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.fetchedConnection(identity, { fields: { scenario: 'password_changed' } });
    const visit = await ui.visit(lang, { identity, width: 320, token: { connection_uuid: uuid } });
    const { page, messages, heading, checkView } = visit;
    await heading(messages.repair.title('Portal'));
    const steps = page.locator('.credential-steps');
    expect(await steps.getByRole('listitem').allTextContents()).toEqual(STEPS.map((step) => step[lang]));
    expect(await steps.getByRole('link').getAttribute('href')).toBe(HELP[lang]);
    expect(await page.locator('.help-link').count()).toBe(0);
    await checkView('repair-steps');
  });

  it('is missing where the provider has no such page', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'strato' } });
    await visit.heading(visit.messages.connect.title('STRATO'));
    await visit.page.locator('[data-field="password"] input').waitFor();
    expect(await visit.page.locator('form').getByRole('link').count()).toBe(0);
  });
});
