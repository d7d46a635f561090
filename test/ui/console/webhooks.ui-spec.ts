import { de } from '../../../console/src/views/webhooks/messages/de';
import { en } from '../../../console/src/views/webhooks/messages/en';
import { de as sessionsDe } from '../../../console/src/views/sessions/messages/de';
import { en as sessionsEn } from '../../../console/src/views/sessions/messages/en';
import { openConsole } from '../harness/console-visit';
import { LANGUAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const TEXTS = { de, en };
const SESSIONS = { de: sessionsDe, en: sessionsEn };

describe.each(LANGUAGES)('webhooks in the console (%s)', (lang) => {
  const texts = TEXTS[lang];

  it('are added, tested, changed and deleted; the secret is shown once', async () => {
    await ui.query('delete from webhook');
    const {
      page,
      go,
      heading,
      checkView,
      texts: shared,
    } = await openConsole(ui, lang, {
      width: lang === 'de' ? 320 : 1280,
      role: lang === 'de' ? 'SUPPORT' : 'DEVELOPER',
    });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await go('webhooks');
    await page.getByText(texts.empty).waitFor();
    await checkView('console-webhooks-empty');

    await button(texts.create).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(texts.url).fill('ftp://example.com');
    await form.getByRole('button', { name: texts.create }).click();
    const url = form.getByLabel(texts.url);
    await form.locator('.field-error').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
    expect(await url.evaluate((element) => element === document.activeElement)).toBe(true);
    await checkView('console-webhook-form');

    await url.fill(ui.clientSite.origin + '/hook');
    await form.getByRole('checkbox', { name: 'delivery.failed' }).check();
    await form.getByRole('button', { name: texts.create }).click();
    const secret = page.getByRole('alertdialog', { name: texts.secretTitle });
    const shown = await secret.locator('code').innerText();
    expect(shown).toMatch(/^whsec_/);
    await secret.getByText(shared.secret.once).waitFor();
    await checkView('console-webhook-secret');
    await secret.getByRole('button', { name: shared.secret.stored }).click();

    await heading(`${ui.clientSite.origin}/hook`);
    expect(await page.content()).not.toContain(shown);
    await page.getByText(texts.deliveriesEmpty).waitFor();
    await button(texts.test).click();
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).waitFor();
    await checkView('console-webhook');

    await button(texts.change).click();
    await page.getByRole('dialog').getByLabel(texts.enabled).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: texts.save }).click();
    await page.locator('.view-title').getByText(texts.disabledReasons.BY_CLIENT, { exact: true }).waitFor();

    await button(texts.remove).click();
    const question = page.getByRole('alertdialog', { name: texts.removeTitle });
    await question.getByRole('button', { name: texts.remove }).click();
    await page.getByText(texts.removed).waitFor();
    await page.getByText(texts.empty).waitFor();
  });

  it('lists sessions, of which another one can be ended', async () => {
    await ui.query('update console_session set revoked_at = now()');
    const other = await openConsole(ui, lang, { role: 'DEVELOPER' });
    const { page, go, checkView } = await openConsole(ui, lang, {
      width: lang === 'de' ? 1280 : 320,
      role: lang === 'de' ? 'SUPPORT' : 'DEVELOPER',
    });
    const sessions = SESSIONS[lang];
    await go('sessions');
    await page.getByText(sessions.current, { exact: true }).waitFor();
    await checkView('console-sessions');
    await page.getByRole('button', { name: sessions.end }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: sessions.end }).click();
    await page.getByText(sessions.ended).waitFor();
    await page.getByRole('button', { name: sessions.end }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row').filter({ hasText: sessions.current }).count()).toBe(1);
    // The button that had the focus is gone: it stays in the list.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('list-place');
    await other.go('webhooks');
    await other.page.getByRole('alertdialog', { name: other.texts.over.title }).waitFor();
  });
});
