import { inbox as de } from '../../../ui/src/messages/inbox/de';
import { inbox as en } from '../../../ui/src/messages/inbox/en';
import { passwords as passwordsDe } from '../../../ui/src/messages/passwords/de';
import { passwords as passwordsEn } from '../../../ui/src/messages/passwords/en';
import { INBOX_DOMAIN, INBOX_SETTINGS, send, smtpPort } from '../../e2e/inbox/inbox-setup';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const TEXTS = { en, de };
const PASSWORDS = { en: passwordsEn, de: passwordsDe };

const ui = useUi(() => Promise.resolve({ settings: INBOX_SETTINGS }));
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const clipboard = ({ page }: Visit) => page.evaluate(() => navigator.clipboard.readText());

describe.each(LANGUAGES)('a source with an address of its own (%s)', (lang) => {
  const texts = TEXTS[lang];
  const section = ({ page }: Visit) => page.getByRole('region', { name: texts.title });
  const shownAddress = async (visit: Visit) => (await section(visit).locator('code').textContent())!;

  it('is connected without a login; its address can be copied, at the end of the setup and later', async () => {
    const visit = await ui.visit(lang, { width: 320 });
    const { page, messages, heading, checkView } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: messages.overview.add }).click();
    await page.getByRole('searchbox').fill(lang === 'de' ? 'Weiterleitung' : 'forward');
    await page.getByRole('button', { name: /^E-?mail.(address|Adresse)/i }).click();
    await page.locator('[data-field="allowed_senders"] input').waitFor();
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    expect(await page.getByText(messages.connect.trust).count()).toBe(0);
    await checkView('inbox-form');
    await page.locator('[data-field="allowed_senders"] input').fill('supplier.example');
    await press(visit, messages.connect.setUp);

    await heading(texts.done);
    const address = await shownAddress(visit);
    expect(address).toMatch(new RegExp(`^[a-z-]+-[a-z0-9]{12}@${INBOX_DOMAIN.replaceAll('.', '\\.')}$`));
    await press(visit, texts.copy);
    await section(visit).getByText(texts.copied).waitFor();
    expect(await clipboard(visit)).toBe(address);
    await checkView('inbox-done');

    const answer = await send(smtpPort(ui.app), { to: address, raw: invoiceMail('Strom.pdf').build() });
    expect(answer.code).toBe(250);
    await page.getByRole('link', { name: messages.done.overview }).click();
    await page.getByRole('link', { name: new RegExp(lang === 'de' ? 'E-Mail-Adresse' : 'E-mail address') }).click();
    await page.getByText('Strom.pdf').waitFor();
    expect(await shownAddress(visit)).toBe(address);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press(visit, texts.copy);
    await section(visit).getByText(texts.copied).waitFor();
    expect(await clipboard(visit)).toBe(address);
    // Without the fetch after the setup, which found nothing.
    await page.locator('.events > li').last().waitFor();
    expect(await page.locator('.events > li').count()).toBe(2);
    await checkView('inbox-connection');
  });

  it('can be changed, without a word about a login', async () => {
    const identity = await ui.client.createIdentity();
    const body = { integration_id: 'mail_inbox', name: 'Belege', identity_uuid: identity, fields: {} };
    const { body: created } = await ui.client.request('post', '/v1/connections').send(body).expect(201);
    const { uuid } = (created as { data: { uuid: string } }).data;
    const visit = await ui.visit(lang, { identity, width: 320 });
    const { page, messages, heading, checkView } = visit;
    await page.getByRole('link', { name: /Belege/ }).click();
    const address = await shownAddress(visit);
    // E-mails are fetched as they arrive.
    expect(await page.getByRole('button', { name: messages.connection.fetchNow }).count()).toBe(0);
    await page.getByRole('link', { name: messages.connection.editAuthorize, exact: true }).click();
    await heading(messages.edit.titleAuthorize('Belege'));
    expect(await page.getByText(messages.connect.trust).count()).toBe(0);
    expect(await page.locator('[data-field="sender_filter"]').count()).toBe(0);
    await checkView('inbox-edit');
    await page.locator('[data-field="allowed_senders"] input').fill('shop.example');
    const passwords = page.locator('[data-field="document_passwords"]');
    await press(visit, messages.fields.advanced);
    await passwords.locator('input[type="password"]').fill('geheim');
    await press(visit, PASSWORDS[lang].add);
    await page.waitForFunction(() => document.activeElement?.matches('[data-field] .field:nth-of-type(2) input'));
    await page.keyboard.type('anders');
    await checkView('inbox-passwords');
    const names = await passwords
      .locator('button[aria-pressed]')
      .evaluateAll((buttons) => buttons.map((each) => each.ariaLabel));
    expect(new Set(names).size).toBe(2);
    await press(visit, messages.edit.save);
    await heading('Belege');
    const secrets = async () => {
      const { body: shown } = await ui.client.request('get', `/v1/connections/${uuid}/information`).expect(200);
      return JSON.stringify(shown).match(/document_passwords/g)?.length ?? 0;
    };
    expect(await secrets()).toBe(1);
    expect(await shownAddress(visit)).toBe(address);
    const refused = await send(smtpPort(ui.app), { to: address, raw: invoiceMail('a.pdf').build() });
    expect(refused.code).toBe(550);
    const { body: read } = await ui.client.request('get', `/v1/connections/${uuid}`).expect(200);
    expect(read).toMatchObject({ data: { fields: { allowed_senders: 'shop.example' } } });

    await page.getByRole('link', { name: messages.connection.editAuthorize, exact: true }).click();
    await press(visit, messages.fields.advanced);
    await passwords.getByText(PASSWORDS[lang].remove).click();
    expect(await passwords.locator('input[type="password"]').count()).toBe(0);
    await press(visit, messages.edit.save);
    await heading('Belege');
    expect(await secrets()).toBe(0);
  });

  it('says when the browser does not let the address be copied', async () => {
    const identity = await ui.client.createIdentity();
    const body = { integration_id: 'mail_inbox', name: 'Belege', identity_uuid: identity, fields: {} };
    await ui.client.request('post', '/v1/connections').send(body).expect(201);
    const visit = await ui.visit(lang, {
      identity,
      width: 320,
      // As in a frame of a page that does not pass on the permission.
      beforeOpen: (page) => page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard')),
    });
    await visit.page.getByRole('link', { name: /Belege/ }).click();
    await press(visit, texts.copy);
    await section(visit).locator('.field-error', { hasText: texts.notCopied }).waitFor();
    await visit.checkView('inbox-not-copied');
  });
});
