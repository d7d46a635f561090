import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { Dovecot, DOVECOT_USER } from '../../interop/imap/dovecot';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { visitServerForm } from '../harness/server-form';
import { LANGUAGES, SANDBOX_TILE, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
async function chooseLast({ page }: Visit, id: string): Promise<void> {
  const select = page.locator(`[data-field="${id}"] select`);
  await select.selectOption({ index: (await select.locator('option').count()) - 1 });
}
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

describe.each(LANGUAGES)('connecting a source (%s)', (lang) => {
  it('leads from an empty overview to the first documents and back to the client', async () => {
    const visit = await ui.visit(lang);
    const { page, messages, checkView, heading } = visit;
    await heading(messages.overview.emptyTitle);
    expect(page.url()).not.toContain('token');
    expect(await page.evaluate(() => [localStorage.length, Object.keys(sessionStorage), document.cookie])).toEqual([
      0,
      ['docfetch-tab'],
      '',
    ]);
    expect(await page.evaluate(() => sessionStorage.getItem('docfetch-tab'))).not.toMatch(/"eyJ/);
    await checkView('overview-empty');

    await page.getByRole('link', { name: messages.overview.add }).click();
    await heading(messages.choose.title);
    await checkView('choose');
    await page.getByRole('radio', { name: messages.choose.category.PORTAL }).click();
    await page.getByRole('button', { name: SANDBOX_TILE }).click();

    await page.getByText(messages.steps.progress(1, 2)).waitFor();
    await press(visit, messages.connect.submit);
    await page.getByText(messages.fields.summary(2)).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field'))).toBe(
      'user',
    );
    await checkView('connect-missing');
    await field(visit, 'user').fill('demo');
    await field(visit, 'password').fill('wrong');
    await press(visit, messages.connect.submit);
    // One message, at the field that was rejected.
    await page.locator('[data-field="password"] .field-error').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await checkView('connect-rejected');
    expect(await field(visit, 'user').inputValue()).toBe('demo');
    await field(visit, 'password').fill('secret');
    await field(visit, 'documents').fill('7');
    await press(visit, messages.connect.submit);

    await heading(messages.content.title);
    await page.getByRole('treegrid').waitFor();
    await checkView('content');
    await press(visit, messages.content.submit);

    await heading(messages.done.title);
    await page.getByText(messages.done.finished(7)).waitFor();
    await page.getByText(messages.done.andMore(2)).waitFor();
    await checkView('done');
    await press(visit, messages.leave.finishTo('Muster Buchhaltung'));
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);

    const returned = verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() });
    expect(returned).toMatchObject({
      result: 'success',
      action: 'created',
      integration_id: 'sandbox',
      status: 'ACTIVE',
      state: 'order-17',
    });
    expect(new URL(page.url()).searchParams.get('tab')).toBe('2');
  });

  it('connects a real mailbox', async () => {
    const dovecot = await Dovecot.start();
    try {
      await dovecot.deliver('INBOX', invoiceMail('Rechnung 1.pdf').build());
      await dovecot.deliver('Büro/Rechnungen', invoiceMail('Rechnung 2.pdf', 'Rechnung 3.pdf').build());
      const visit = await visitServerForm(ui, lang);
      const { page, messages, checkView, heading } = visit;
      await checkView('connect-imap');
      expect(await page.locator('[data-field="time_zone"]').count()).toBe(0);
      await press(visit, messages.fields.advanced);
      expect(await page.locator('[data-field="time_zone"] select').inputValue()).toBe('Europe/Berlin'); // the browser's
      await field(visit, 'host').fill('an na@');
      await field(visit, 'host').blur();
      await page.getByText(messages.fields.errors.INVALID_FORMAT).waitFor();
      await field(visit, 'host').fill('localhost');
      await field(visit, 'port').fill(String(dovecot.port));
      await chooseLast(visit, 'security');
      await field(visit, 'user').fill(DOVECOT_USER.user);
      await field(visit, 'password').fill(DOVECOT_USER.password);
      const password = page.locator('[data-field="password"]');
      await password.getByRole('button', { name: new RegExp(messages.fields.show('.+')) }).click();
      expect(await field(visit, 'password').getAttribute('type')).toBe('text');
      expect(await field(visit, ':name').inputValue()).toBe(DOVECOT_USER.user);
      await checkView('connect-imap-other');
      await press(visit, messages.connect.submit);

      await heading(messages.content.title);
      const row = (name: string) => page.getByRole('row', { name, exact: true });
      await row('Büro').getByRole('button').click();
      await row('Rechnungen').locator('.check').click();
      await page.getByText(messages.tree.selected(2)).waitFor();
      await checkView('content-imap');
      await press(visit, messages.content.submit);
      await page.getByText(messages.done.finished(3)).waitFor();
      await page.getByText('Rechnung 2.pdf').waitFor();
    } finally {
      await dovecot.stop();
    }
  });
});
