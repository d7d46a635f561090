import { de as eventsDe } from '../../../console/src/views/events/messages/de';
import { en as eventsEn } from '../../../console/src/views/events/messages/en';
import { de as keysDe } from '../../../console/src/views/keys/messages/de';
import { en as keysEn } from '../../../console/src/views/keys/messages/en';
import { de as sourcesDe } from '../../../console/src/views/sources/messages/de';
import { en as sourcesEn } from '../../../console/src/views/sources/messages/en';
import { de as usageDe } from '../../../console/src/views/usage/messages/de';
import { en as usageEn } from '../../../console/src/views/usage/messages/en';
import { openConsole } from '../harness/console-visit';
import { LANGUAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const TEXTS = {
  en: { events: eventsEn, keys: keysEn, sources: sourcesEn, usage: usageEn },
  de: { events: eventsDe, keys: keysDe, sources: sourcesDe, usage: usageDe },
};

/** Events that a client or a user has caused. */
async function recordEvents(): Promise<void> {
  const identity = await ui.client.createIdentity();
  const record = (type: string, subject: string, data: object) =>
    ui.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
       values (uuidv7(), $1, 'STANDARD', $2, $3, $4, now(), now())`,
      [ui.client.environmentUuid, subject, type, data],
    );
  await record('source.requested', identity, { identity_uuid: identity, text: 'Stadtwerke Musterstadt' });
}

describe.each(LANGUAGES)('what an environment has (%s)', (lang) => {
  const texts = TEXTS[lang];
  const role = lang === 'de' ? 'SUPPORT' : 'DEVELOPER';
  const width = lang === 'de' ? 320 : 1280;

  it('its events, usage, wishes and audit log can be read, empty and filled', async () => {
    await ui.query('delete from outbox');
    const { page, go, checkView } = await openConsole(ui, lang, { role, width });
    await go('events');
    await page.getByText(texts.events.empty).waitFor();
    await go('sources');
    await page.getByText(texts.sources.requestedEmpty).waitFor();
    await checkView('console-sources-empty');
    await go('sources?tab=expected');
    await page.getByText(texts.sources.expectedOff).waitFor();
    await page.getByText(texts.sources.expectedEmpty).waitFor();
    await recordEvents();
    await go('sources');
    await page.getByText('Stadtwerke Musterstadt').waitFor();
    await checkView('console-sources');

    await go('events');
    await page.getByText('source.requested', { exact: true }).last().waitFor();
    await checkView('console-events');
    await page.getByRole('row').getByRole('button', { name: texts.events.resend }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: texts.events.resend }).click();
    await page.getByText(texts.events.resentToNone).waitFor();

    await go('usage');
    await page.getByRole('table').waitFor();
    await page.getByRole('heading', { name: texts.usage.limits }).waitFor();
    await checkView('console-usage');
    const download = page.waitForEvent('download');
    const exportUsage = page.getByRole('button', { name: texts.usage.export, exact: true });
    await exportUsage.click();
    expect((await download).suggestedFilename()).toBe('usage.csv');

    // An export that takes long says so, and can be left.
    const csv = /\/v1\/console\/usage\.csv/;
    const answered = Promise.withResolvers<void>();
    await page.route(csv, async (route) => {
      await answered.promise;
      await route.continue();
    });
    await exportUsage.click();
    await page.getByText(texts.usage.exporting).waitFor();
    await go('audit');
    const later = page.waitForEvent('download');
    answered.resolve();
    expect((await later).suggestedFilename()).toBe('usage.csv');
    await page.unroute(csv);

    await go('audit?action=event.resend');
    await page.getByText('event.resend').first().waitFor();
    await checkView('console-audit');
  });

  it('a key can be revoked, and only the support team issues one, which is shown once', async () => {
    const { page, go, checkView, texts: shared } = await openConsole(ui, lang, { role, width });
    await go('keys');
    await page.getByRole('button', { name: texts.keys.revoke }).first().waitFor();
    await checkView('console-keys');
    const issue = page.getByRole('button', { name: texts.keys.issue });
    expect(await issue.count()).toBe(role === 'SUPPORT' ? 1 : 0);
    if (role !== 'SUPPORT') return;
    await issue.click();
    await page.getByLabel(texts.keys.expiresAt).fill('2020-01-01');
    await page.getByRole('dialog').getByRole('button', { name: texts.keys.issue }).click();
    await page.locator('.field-error').waitFor();
    await checkView('console-key-form');
    await page.getByLabel(texts.keys.expiresAt).fill('');
    await page.getByLabel(texts.keys.scopeNames.admin, { exact: true }).uncheck();
    await page.getByLabel(texts.keys.allowedIps).fill('127.0.0.0/8\n203.0.113.0/24');
    await page.getByRole('dialog').getByRole('button', { name: texts.keys.issue }).click();
    const secret = page.getByRole('alertdialog', { name: texts.keys.issued });
    const key = await secret.locator('code').innerText();
    expect(key).toMatch(/^df_test_/);
    await checkView('console-key-issued');
    await secret.getByRole('button', { name: shared.secret.stored }).click();
    const row = page.getByRole('row').filter({ hasText: key.slice(-4) });
    await row.getByText('127.0.0.0/8, 203.0.113.0/24').waitFor();
    await row.getByRole('button', { name: texts.keys.revoke }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(texts.keys.revokeText[0]!).waitFor();
    await checkView('console-key-revoke');
    await question.getByRole('button', { name: texts.keys.revoke }).click();
    await row.getByText(texts.keys.states.REVOKED, { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
  });
});
