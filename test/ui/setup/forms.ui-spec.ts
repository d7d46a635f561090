import { Dovecot, DOVECOT_USER } from '../../interop/imap/dovecot';
import { visitServerForm } from '../harness/server-form';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const focusedField = ({ page }: Visit) =>
  page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'));

describe.each(LANGUAGES)('a form (%s)', (lang) => {
  let dovecot: Dovecot;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
  });
  afterAll(() => dovecot.stop());

  it('offers STARTTLS at the encryption when the server answers without TLS, and submits the same input with it', async () => {
    const visit = await visitServerForm(ui, lang, { width: 320 });
    const { page, messages, checkView, heading } = visit;
    await field(visit, 'host').fill('localhost');
    await field(visit, 'user').fill(DOVECOT_USER.user);
    await field(visit, 'password').fill(DOVECOT_USER.password);
    await press(visit, messages.fields.advanced);
    await field(visit, 'port').fill(String(dovecot.port));
    await press(visit, messages.connect.submit);
    const security = page.locator('[data-field="security"]');
    await security.getByText(messages.fields.notEncrypted).waitFor();
    expect(await page.getByText(messages.fields.notEncrypted).count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await checkView('offer-starttls');
    await security.getByRole('button', { name: messages.fields.useStartTls }).press('Enter');
    await page.getByRole('alert').filter({ hasText: messages.serverTrust.title }).waitFor();
    expect(await security.locator('select').inputValue()).toBe('STARTTLS');
    expect(await security.getByRole('button').count()).toBe(0);
    await press(visit, messages.serverTrust.accept);
    await heading(messages.content.title);
  });

  it('folds what few users need, and opens it for an error or another value than the default', async () => {
    const visit = await visitServerForm(ui, lang);
    const { page, messages, checkView } = visit;
    const port = page.locator('[data-field="port"]');
    const fold = page.getByRole('button', { name: messages.fields.advanced });
    await field(visit, 'host').fill('localhost');
    expect([await port.count(), await fold.getAttribute('aria-expanded')]).toEqual([0, 'false']);
    await fold.press('Enter');
    await port.locator('input').fill('70000');
    await fold.press('Enter');
    await field(visit, 'user').fill('anna');
    await field(visit, 'password').fill('right');
    await press(visit, messages.connect.submit);
    await port.locator('.field-error').waitFor();
    expect(await fold.getAttribute('aria-expanded')).toBe('true');
    await page.waitForFunction(() => document.activeElement?.closest('[data-field="port"]'));
    expect(await focusedField(visit)).toBe('port');
    await checkView('advanced-error');

    const identity = await ui.client.createIdentity();
    const server = { host: 'localhost', port: dovecot.port, security: 'NONE' };
    const uuid = await ui.fetchedConnection(identity, {
      ...{ integration: 'imap', name: 'Postfach' },
      fields: { ...server, ...DOVECOT_USER },
    });
    const edit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    await edit.page.locator('[data-field="port"] input').waitFor();
    expect(await edit.page.getByRole('button', { name: messages.fields.advanced }).getAttribute('aria-expanded')).toBe(
      'true',
    );
    await edit.checkView('advanced-open');
  });

  it('suggests the address of the account as the name, until the user types another one', async () => {
    const visit = await visitServerForm(ui, lang);
    const name = field(visit, ':name');
    const initial = await name.inputValue();
    await field(visit, 'user').fill('anna');
    expect(await name.inputValue()).toBe(initial);
    await field(visit, 'user').fill('anna@example.com');
    expect(await name.inputValue()).toBe('anna@example.com');
    await name.fill('Rechnungen');
    await field(visit, 'user').fill('bert@example.com');
    expect(await name.inputValue()).toBe('Rechnungen');
  });
});
