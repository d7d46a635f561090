import { de as environmentDe } from '../../../console/src/views/environment/messages/de';
import { en as environmentEn } from '../../../console/src/views/environment/messages/en';
import { de as environmentsDe } from '../../../console/src/views/environments/messages/de';
import { en as environmentsEn } from '../../../console/src/views/environments/messages/en';
import { de as serviceDe } from '../../../console/src/views/service/messages/de';
import { en as serviceEn } from '../../../console/src/views/service/messages/en';
import { de as themeDe } from '../../../console/src/views/theme/messages/de';
import { en as themeEn } from '../../../console/src/views/theme/messages/en';
import { en as integrationsEn } from '../../../console/src/views/integrations/messages/en';
import { openConsole } from '../harness/console-visit';
import { LANGUAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const TEXTS = {
  en: { environment: environmentEn, environments: environmentsEn, service: serviceEn, theme: themeEn },
  de: { environment: environmentDe, environments: environmentsDe, service: serviceDe, theme: themeDe },
};
const VIEWS = ['settings', 'theme', 'environments', 'integrations', 'service'];

describe.each(LANGUAGES)('the views of the support team (%s)', (lang) => {
  const { environment, environments, service, theme } = TEXTS[lang];
  const width = lang === 'de' ? 320 : 1280;

  it('create an environment, whose secrets are shown once, and change it', async () => {
    const { page, go, checkView, texts: shared } = await openConsole(ui, lang, { role: 'SUPPORT', width });
    await go('environments');
    await page.getByRole('button', { name: environments.create }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: environments.create }).click();
    await form.locator('.field-error').first().waitFor();
    expect(await form.locator('.field-error').count()).toBe(2);
    await checkView('console-environment-form');
    await form.getByLabel(environments.clientName).fill('Umbrella');
    await form.getByLabel(environments.name, { exact: true }).fill(`Stage ${lang}`);
    await form.getByLabel(environments.kind).selectOption('TEST');
    await form.getByLabel(environments.returnOrigins).fill('https://app.example.com');
    await form.getByRole('button', { name: environments.create }).click();
    const secrets = page.getByRole('alertdialog', { name: environments.secretsTitle });
    await secrets.locator('code').nth(1).waitFor();
    const shown = await secrets.locator('code').allInnerTexts();
    expect(shown).toEqual([expect.stringMatching(/^df_test_/), expect.stringMatching(/^whsec_/)]);
    await checkView('console-environment-secrets');
    await secrets.getByRole('button', { name: shared.secret.stored }).click();

    // The delivery of the new environment is open.
    await page.getByLabel(environment.strategy).selectOption('PUSH');
    await page.getByLabel(environment.auth).selectOption('BEARER');
    const save = page.getByRole('button', { name: environment.save, exact: true });
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: environment.confirm });
    await save.click();
    await confirm.click();
    await page.locator('.field-error').first().waitFor();
    await checkView('console-provisioning-form');
    const auth = page.getByLabel(environment.auth, { exact: true });
    await page.getByLabel(environment.url).fill(`${ui.clientSite.origin}/documents`);
    await page.getByLabel(environment.secret).fill('s3cret-that-is-not-sent');
    await auth.selectOption('NONE');
    await save.click();
    await confirm.click();
    await page.getByText(environment.saved).waitFor();
    const stored = 'select client_auth, client_auth_secret from environment where name = $1';
    expect(await ui.query(stored, [`Stage ${lang}`])).toEqual([{ client_auth: 'NONE', client_auth_secret: null }]);
    await auth.selectOption('BEARER');
    await page.getByText(environment.secretHelp).waitFor();
    expect(await page.getByLabel(environment.secret).inputValue()).toBe('');
    await page.getByLabel(environment.secret).fill('s3cret-of-the-client');
    await save.click();
    await confirm.click();
    await page.getByText(environment.secretKept).waitFor();
    expect(await page.content()).not.toMatch(/s3cret-|df_test_|whsec_/);

    await page.getByRole('link', { name: environment.tabs.general }).click();
    const interval = page.getByLabel(environment.interval);
    await interval.fill('1');
    await save.click();
    await page.locator('.field-error').waitFor();
    expect(await interval.evaluate((element) => element === document.activeElement)).toBe(true);
    await interval.fill('60');
    await page.getByLabel(environment.holdDuplicates).check();
    await save.click();
    await page.getByText(environment.saved).waitFor();
    await checkView('console-settings');
    const changed = await ui.query<{ fetch_interval_minutes: number; hold_duplicates: boolean }>(
      'select fetch_interval_minutes, hold_duplicates from environment where name = $1',
      [`Stage ${lang}`],
    );
    expect(changed).toEqual([{ fetch_interval_minutes: 60, hold_duplicates: true }]);

    await page.getByRole('link', { name: environment.tabs.signing }).click();
    await page.getByText(environment.noTransition).waitFor();
    await page.getByRole('button', { name: environment.rotate }).click();
    await checkView('console-signing-secret');
    await page.getByRole('dialog').getByRole('button', { name: environment.rotate }).click();
    const rotated = page.getByRole('alertdialog', { name: environment.newSecret });
    expect(await rotated.locator('code').innerText()).toMatch(/^whsec_/);
    await rotated.getByRole('button', { name: shared.secret.stored }).click();
    await page.getByRole('paragraph').filter({ hasText: environment.until }).locator('time').waitFor();
    expect(await page.getByText(environment.noTransition).count()).toBe(0);
  });

  it('preview a theme before it is saved, and show integrations and the service', async () => {
    const { page, go, checkView } = await openConsole(ui, lang, { role: 'SUPPORT', width });
    await go('theme');
    await page.frameLocator('iframe').first().getByRole('heading', { level: 1 }).waitFor();
    await page.getByLabel(theme.color, { exact: false }).first().fill('#0055aa');
    const name = page.getByLabel(theme.name, { exact: false });
    await name.fill('Neuer Name');
    for (const frame of [0, 1]) {
      await page.frameLocator('iframe').nth(frame).getByRole('heading', { level: 1 }).waitFor();
      await page.frameLocator('iframe').nth(frame).getByText('Neuer Name').first().waitFor();
    }
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    const [row] = await ui.query<{ theme: { name: string } }>('select theme from environment where uuid = $1', [
      ui.client.environmentUuid,
    ]);
    expect(row!.theme.name).toBe('Muster Buchhaltung');
    await checkView('console-theme');

    await go('integrations');
    await page.getByRole('row').filter({ hasText: 'imap' }).first().waitFor();
    await checkView('console-integrations');
    await go('service');
    await page.getByRole('heading', { name: service.queues }).waitFor();
    await page.getByRole('row').filter({ hasText: service.roles.ALL }).getByText(service.running).waitFor();
    await checkView('console-service');
    await go('environments?q=Acme');
    await page.getByRole('row').filter({ hasText: 'Acme' }).waitFor();
    await checkView('console-environments');
  });
});

describe('the integrations', () => {
  it('are shown while very many connections are counted, and their numbers as soon as they are known', async () => {
    const { page, go } = await openConsole(ui, 'en', { role: 'SUPPORT' });
    const status = /\/v1\/console\/integrations/;
    await page.route(status, async (route) => {
      const response = await route.fetch();
      const { data, meta } = (await response.json()) as { data: object[]; meta: object };
      await route.fulfill({ response, json: { data: data.map((one) => ({ ...one, connections: undefined })), meta } });
    });
    await go('integrations');
    await page.getByText(integrationsEn.counting).waitFor();
    const numbers = page.locator('tbody td[data-label="Connections"]');
    expect(new Set(await numbers.allInnerTexts())).toEqual(new Set(['']));
    await page.unroute(status);
    await page.getByText(integrationsEn.counting).waitFor({ state: 'detached' });
    expect(new Set(await numbers.allInnerTexts())).toEqual(new Set(['0']));
  });
});

describe('a developer', () => {
  it('sees none of these views', async () => {
    const { page, go, heading, texts } = await openConsole(ui, 'en');
    for (const view of VIEWS) {
      await go(view);
      await heading(texts.notFound.supportOnly);
      expect(await page.getByRole('navigation').locator(`a[href$="/${view}"]`).count()).toBe(0);
    }
  });
});
