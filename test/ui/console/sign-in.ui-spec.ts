import { createTestClient } from '../../harness/app/test-client';
import { consoleLink, openConsole } from '../harness/console-visit';
import { LANGUAGES, useUi } from '../harness/ui-context';
import { de } from '../../../console/src/messages/de';
import { en } from '../../../console/src/messages/en';

const ui = useUi();

describe.each(LANGUAGES)('signing in to the console (%s)', (lang) => {
  it('works with a link, which leaves the address at once and can be used once', async () => {
    const { page, texts } = await openConsole(ui, lang);
    expect(new URL(page.url()).hash).not.toContain('link');
    await page.getByText(texts.role.DEVELOPER, { exact: true }).waitFor();
    await page.getByText('Acme · Test').waitFor();
    await page.reload();
    await page.getByText('Acme · Test').waitFor();
    await page.getByRole('button', { name: texts.signOut }).click();
    await page.getByText(texts.signIn.signedOut).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: texts.signIn.title }).waitFor();
  });

  it('works with an API key, and says what is wrong with another one', async () => {
    const { page, checkView } = await ui.openPage(lang, `${ui.app.settings.publicUrl}/console/`, {
      beforeOpen: (it) => it.addInitScript((chosen) => localStorage.setItem('docfetch.console.language', chosen), lang),
    });
    const { signIn } = lang === 'de' ? de : en;
    await page.getByRole('heading', { level: 1, name: signIn.title }).waitFor();
    await checkView('console-sign-in');
    const submit = page.getByRole('button', { name: signIn.submit });
    await submit.click();
    await page.getByText(signIn.missing).waitFor();
    await page.getByLabel(signIn.apiKey).fill('df_test_wrong');
    await submit.click();
    await page.getByRole('alert').waitFor();
    await checkView('console-sign-in-failed');
    await page.getByLabel(signIn.apiKey).fill(ui.client.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('Acme · Test').waitFor();
    expect(await page.evaluate(() => [document.cookie, JSON.stringify(sessionStorage)])).toEqual(['', '{}']);
  });

  it('says that a link is not valid any more', async () => {
    const url = await consoleLink(ui);
    await ui.query('update console_link set used_at = now()');
    const { page, checkView } = await ui.openPage(lang, url, {
      beforeOpen: (it) => it.addInitScript((chosen) => localStorage.setItem('docfetch.console.language', chosen), lang),
    });
    const { signIn } = lang === 'de' ? de : en;
    await page.getByRole('heading', { level: 1, name: signIn.linkInvalid }).waitFor();
    expect(page.url()).not.toContain('link');
    await checkView('console-link-invalid');
  });
});

describe('the session of the console', () => {
  it('may end while a view is open: nothing that was entered is lost', async () => {
    const { page, texts, go, refresh, checkView, heading } = await openConsole(ui, 'en');
    await go('connections');
    await heading('Connections');
    await page.getByRole('searchbox').fill('muster');
    await ui.query('update console_session set revoked_at = now()');
    await refresh();
    const dialog = page.getByRole('alertdialog', { name: texts.over.title });
    await dialog.waitFor();
    await checkView('console-session-over');
    await dialog.getByRole('button', { name: texts.over.resume }).click();
    await dialog.getByText(texts.over.stillOver).waitFor();
    await dialog.getByLabel(texts.signIn.apiKey).fill(ui.client.apiKey);
    await dialog.getByRole('button', { name: texts.signIn.submit }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('muster');
    await page.getByText(texts.list.nothing).waitFor();
  });

  it('can be left when it has expired', async () => {
    const { page, texts, go, refresh } = await openConsole(ui, 'en');
    await go('connections');
    await ui.query(`update console_session set expires_at = now() - interval '1 minute'`);
    await refresh();
    const dialog = page.getByRole('alertdialog', { name: texts.over.title });
    await dialog.getByRole('button', { name: texts.signOut }).click();
    await page.getByText(texts.signIn.signedOut).waitFor();
    const other = await openConsole(ui, 'en');
    await other.page.getByRole('heading', { level: 2 }).first().waitFor();
    await other.go('nowhere'); // nothing is loaded there
    await ui.query(`update console_session set expires_at = now() - interval '1 minute'`);
    await other.page.getByRole('button', { name: texts.signOut }).click();
    await other.page.getByText(texts.signIn.signedOut).waitFor();
  });

  it('gives way to that of a link which is opened in the same tab', async () => {
    const other = await createTestClient(ui.app, { environment: { clientName: 'Beta', name: 'Link' } });
    const { page, texts } = await openConsole(ui, 'en');
    const url = await consoleLink(ui, { environmentUuid: other.environmentUuid });
    await page.goto(url);
    await page.locator('.top').getByText('Beta · Link').waitFor();
    expect(page.url()).not.toContain('link=');
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: texts.signIn.linkInvalid }).waitFor();
    await page.getByRole('button', { name: texts.signIn.resume }).click();
    await page.locator('.top').getByText('Beta · Link').waitFor();
  });

  it('shows the environment of the address to the support team, and to nobody else', async () => {
    const other = await createTestClient(ui.app, { environment: { clientName: 'Umbrella', name: 'Stage' } });
    const support = await openConsole(ui, 'en', { role: 'SUPPORT' });
    await support.page.getByText('Acme · Test').waitFor();
    expect(support.page.url()).toContain(ui.client.environmentUuid);
    await support.go('connections');
    await support.page.getByRole('button', { name: support.texts.environment.change }).click();
    const dialog = support.page.getByRole('dialog', { name: support.texts.environment.title });
    await dialog.getByText(support.texts.environment.current).waitFor();
    await dialog.getByRole('searchbox').fill('umbrella');
    await dialog.getByText('Acme').waitFor({ state: 'detached' });
    await support.checkView('console-environments');
    await dialog.getByRole('link', { name: /Umbrella/ }).click();
    await support.page.locator('.top').getByText('Umbrella · Stage').waitFor();
    expect(support.page.url()).toContain(`#/${other.environmentUuid}/connections`);
    const developer = await openConsole(ui, 'en');
    await developer.go(`${other.environmentUuid}/connections`);
    await developer.page.getByRole('alert').waitFor();
    expect(await developer.page.content()).not.toMatch(/Umbrella|Stage/);
  });

  it('can be used with the keyboard at 320 pixels', async () => {
    const { page, texts, checkView, heading } = await openConsole(ui, 'de', { width: 320 });
    await checkView('console-home');
    const menu = page.getByRole('button', { name: texts.menu });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: texts.navigation }).waitFor();
    await checkView('console-menu');
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (let n = 0; n < 5 && (await focused()) !== 'Transaktionen'; n++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading('Transaktionen');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('says which addresses do not exist', async () => {
    const { go, texts, heading, checkView } = await openConsole(ui, 'de');
    await go('nowhere/at/all');
    await heading(texts.notFound.title);
    await checkView('console-not-found');
  });
});
