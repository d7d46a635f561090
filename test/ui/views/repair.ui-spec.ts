import { Dovecot, DOVECOT_USER } from '../../interop/imap/dovecot';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { FakeImapServer } from '../../fakes/imap/fake-imap-server';
import { FakeSftpServer } from '../../fakes/sftp/fake-sftp-server';
import { TlsProxy } from '../../fakes/tls-proxy';
import { CertificateAuthority } from '../../harness/certificates';
import { eventually } from '../../harness/eventually';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import exactDe from '../../../i18n/de/exact-reasons.json';
import de from '../../../i18n/de/reasons.json';
import exactEn from '../../../i18n/en/exact-reasons.json';
import en from '../../../i18n/en/reasons.json';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const REASONS = { en, de };
const EXACT_REASONS = { en: exactEn, de: exactDe };

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Ids of the fields that are shown without opening anything. */
const askedFields = ({ page }: Visit) =>
  page.locator('[data-field]:visible').evaluateAll((all) => all.map((each) => each.getAttribute('data-field')));

const stateOf = async (uuid: string) => {
  const { body } = await ui.client.request('get', `/v1/connections/${uuid}`).expect(200);
  const { status, health, reason } = (body as { data: { status: string; health: string; reason: { code: string } } })
    .data;
  return { status, health, code: reason?.code };
};

describe.each(LANGUAGES)('repairing a source (%s)', (lang) => {
  it('asks for the refused password only, and calls nothing repaired before a fetch has caught up', async () => {
    const login = { user: 'anna', password: 'alt' };
    const mailbox = await FakeImapServer.start({ users: [login] });
    try {
      const identity = await ui.client.createIdentity();
      const uuid = await ui.fetchedConnection(identity, {
        ...{ integration: 'imap', name: 'Postfach' },
        fields: { host: mailbox.host, port: mailbox.port, security: 'NONE', ...login },
      });
      mailbox.changePassword('neu');
      mailbox.append('INBOX', invoiceMail('Rechnung 1.pdf', 'Rechnung 2.pdf').build());
      mailbox.append('INBOX', invoiceMail('Rechnung 3.pdf').build());
      await ui.fetchNow(uuid);
      // Active, because the provider has refused only once, and broken nevertheless.
      expect(await stateOf(uuid)).toEqual({ status: 'ACTIVE', health: 'ACTION_REQUIRED', code: 'LOGIN_REJECTED' });

      const visit = await ui.visit(lang, { identity });
      const { page, messages, checkView, heading } = visit;
      await page.getByRole('link', { name: messages.action.UPDATE_CREDENTIALS }).click();
      await heading(messages.repair.title('Postfach'));
      expect(await askedFields(visit)).toEqual(['password']);
      await press(visit, messages.edit.submit);
      await page.getByText(messages.fields.errors.REQUIRED).waitFor();
      await checkView('repair-password');
      await field(visit, 'password').fill('falsch');
      await press(visit, messages.edit.submit);
      await page.locator('[data-field="password"] .field-error').waitFor();
      expect(await page.getByText(REASONS[lang].LOGIN_REJECTED).count()).toBe(0);
      await checkView('repair-password-refused');
      await press(visit, messages.repair.others);
      expect(await field(visit, 'host').inputValue()).toBe(mailbox.host);

      await page.route('**/fetches*', (route) => route.fulfill({ json: { data: [], meta: { has_more: false } } }));
      await field(visit, 'password').fill('neu');
      await press(visit, messages.edit.submit);
      await heading('Postfach');
      await page.getByRole('status').getByText(messages.recovery.waiting).waitFor();
      expect(await page.getByText(messages.recovery.works(3)).count()).toBe(0);
      await checkView('recovery-waiting');
      await page.unroute('**/fetches*');
      await page.getByRole('status').getByText(messages.recovery.works(3)).waitFor();
      await checkView('recovery-works');
      expect(await stateOf(uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
      await press(visit, messages.leave.finishTo('Muster Buchhaltung'));
      await page.waitForURL((url) => url.origin === ui.clientSite.origin);
      expect(verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() })).toMatchObject({
        result: 'success',
        action: 'updated',
        connection_uuid: uuid,
        status: 'ACTIVE',
      });
    } finally {
      await mailbox.stop();
    }
  });

  it('names the folder that is gone in step 2, where a token for the source leads, and follows the fetch', async () => {
    const dovecot = await Dovecot.start();
    try {
      await dovecot.deliver('Eingang', invoiceMail('Rechnung 1.pdf').build());
      await dovecot.deliver('Neu', invoiceMail('Rechnung 2.pdf').build());
      const identity = await ui.client.createIdentity();
      const server = { host: 'localhost', port: dovecot.port, security: 'NONE' };
      const uuid = await ui.fetchedConnection(identity, {
        ...{ integration: 'imap', name: 'Postfach' },
        fields: { ...server, ...DOVECOT_USER },
        step2: { folders: ['Eingang'] },
      });
      dovecot.remove('Eingang');
      await ui.fetchNow(uuid);
      expect(await stateOf(uuid)).toEqual({ status: 'ACTIVE', health: 'ACTION_REQUIRED', code: 'FOLDER_NOT_FOUND' });

      const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
      const { page, messages, checkView, heading } = visit;
      await heading(messages.content.titleEdit);
      await page.getByText(REASONS[lang].FOLDER_NOT_FOUND).waitFor();
      await page.getByRole('treegrid').waitFor();
      await page.getByRole('row', { name: `Eingang (${messages.tree.gone})` }).waitFor();
      await press(visit, messages.content.submitEdit);
      await page.locator('[data-field="folders"] .field-error').getByText('Eingang').waitFor();
      await checkView('repair-folder');
      await page.getByRole('button', { name: `${messages.tree.remove}: Eingang` }).click();
      await page.getByRole('row', { name: 'Neu', exact: true }).locator('.check').click();
      await press(visit, messages.content.submitEdit);
      await page.getByRole('status').getByText(messages.recovery.works(1)).waitFor();
      expect(await stateOf(uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK' });
    } finally {
      await dovecot.stop();
    }
  });

  it('shows the new key of a server without a request, and asks for nothing else', async () => {
    let server = await FakeSftpServer.start();
    try {
      const identity = await ui.client.createIdentity();
      const fields = { host: 'localhost', port: server.port, user: 'anna', password: 'right' };
      const uuid = await ui.fetchedConnection(identity, {
        ...{ integration: 'sftp', name: 'Files' },
        fields: { ...fields, trusted_fingerprint: server.fingerprint },
        step2: { folders: ['.'] },
      });
      await server.stop();
      server = await FakeSftpServer.start({ port: fields.port });
      for (const name of ['a.pdf', 'b.pdf']) server.put(name, `%PDF-1.4 ${name}`);
      await ui.fetchNow(uuid);
      expect(await stateOf(uuid)).toMatchObject({ status: 'ACTIVE', code: 'HOST_KEY_CHANGED' });

      const visit = await ui.visit(lang, { identity });
      const { page, messages, checkView, heading } = visit;
      await page.getByRole('link', { name: messages.action.UPDATE_CREDENTIALS }).click();
      await heading(messages.repair.title('Files'));
      await page.getByRole('alert').getByText(server.fingerprint).waitFor();
      expect(await askedFields(visit)).toEqual([]);
      expect(server.logins).toEqual([]);
      expect(await page.getByText(REASONS[lang].HOST_KEY_CHANGED).count()).toBe(0);
      await checkView('repair-host-key');
      await press(visit, messages.serverTrust.accept);
      await page.getByRole('status').getByText(messages.recovery.works(2)).waitFor();
    } finally {
      await server.stop();
    }
  });

  it('shows the certificate that a mail server presents instead of the accepted one', async () => {
    const mailbox = await FakeImapServer.start({ users: [{ user: 'anna', password: 'right' }] });
    let front = await TlsProxy.start(await CertificateAuthority.selfSigned('localhost'), mailbox.port);
    try {
      const identity = await ui.client.createIdentity();
      const fields = { host: 'localhost', port: front.port, security: 'TLS', user: 'anna', password: 'right' };
      const uuid = await ui.fetchedConnection(identity, {
        ...{ integration: 'imap', name: 'Postfach' },
        fields: { ...fields, trusted_fingerprint: front.fingerprint },
      });
      await front.stop();
      front = await TlsProxy.start(await CertificateAuthority.selfSigned('localhost'), mailbox.port, fields.port);
      await ui.fetchNow(uuid);
      expect(await stateOf(uuid)).toMatchObject({ status: 'ACTIVE', code: 'CERTIFICATE_INVALID' });

      const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
      const { page, messages, checkView, heading } = visit;
      await heading(messages.repair.title('Postfach'));
      await page.getByRole('alert').getByText(front.fingerprint).waitFor();
      await checkView('repair-certificate');
      await press(visit, messages.serverTrust.accept);
      await page.getByRole('status').getByText(messages.recovery.works(0)).waitFor();
    } finally {
      await front.stop();
      await mailbox.stop();
    }
  });

  it('shows what is still wrong when the fetch after the repair fails too', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.fetchedConnection(identity, { fields: { scenario: 'missing_permission' }, name: 'Strom' });
    expect(await stateOf(uuid)).toMatchObject({ health: 'ACTION_REQUIRED', code: 'SCOPE_MISSING' });
    const visit = await ui.visit(lang, { identity, width: 320 });
    const { page, messages, checkView, heading } = visit;
    await page.getByRole('link', { name: messages.action.UPDATE_CREDENTIALS }).click();
    await heading(messages.repair.title('Strom'));
    // The permission may have been granted at the provider: the stored password can stay.
    expect(await askedFields(visit)).toEqual(['password']);
    await checkView('repair-permission');
    await press(visit, messages.edit.submit);
    const alert = page.getByRole('alert').filter({ hasText: messages.recovery.stillBroken });
    await alert.getByText(EXACT_REASONS[lang].PERMISSION_MISSING).waitFor();
    await checkView('recovery-failed');
    await alert.getByRole('link', { name: messages.action.UPDATE_CREDENTIALS }).click();
    await heading(messages.repair.title('Strom'));
  });

  it('is followed after a revoked consent was given again', async () => {
    const consent = lang === 'de' ? 'Sandbox: Zugriff erlauben?' : 'Sandbox: allow access?';
    const allow = lang === 'de' ? 'Erlauben' : 'Allow';
    const name = lang === 'de' ? 'Sandbox-Portal (OAuth)' : 'Sandbox portal (OAuth)';
    const identity = await ui.client.createIdentity();
    const first = await ui.visit(lang, { identity, token: { integration_id: 'sandbox_oauth' } });
    await press(first, first.messages.connect.authorize(name));
    await first.heading(consent);
    await press(first, allow);
    await first.heading(first.messages.content.title);
    await press(first, first.messages.content.submit);
    await first.page.getByText(first.messages.done.finished(3)).waitFor();
    const [row] = await ui.query<{ uuid: string }>('select uuid from connection where identity_uuid = $1', [identity]);
    const { uuid } = row!;
    await ui.client
      .request('post', `/v1/sandbox/connections/${uuid}/scenario`)
      .send({ scenario: 'revoked_grant' })
      .expect(204);
    await ui.fetchNow(uuid);
    expect(await stateOf(uuid)).toEqual({ status: 'ACTIVE', health: 'ACTION_REQUIRED', code: 'CONSENT_REVOKED' });
    await ui.query(`update connection set settings = settings || '{"new_per_fetch": 0}' where uuid = $1`, [uuid]);
    await ui.client
      .request('post', `/v1/sandbox/connections/${uuid}/documents`)
      .send({ count: 2, format: 'PDF', external_id: true })
      .expect(202);

    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.repair.title(name));
    expect(await askedFields(visit)).toEqual([]);
    await checkView('repair-consent');
    await press(visit, messages.connect.authorize(name));
    await heading(consent);
    await press(visit, allow);
    await page.getByRole('status').getByText(messages.recovery.works(2)).waitFor();
    await eventually(async () => (await stateOf(uuid)).health === 'OK', 'the connection is healthy');
  });
});
