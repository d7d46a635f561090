import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Page } from 'playwright-core';
import type { DnsRecords } from '../../../src/platform/network/addresses/dns-records';
import { mailbox as de } from '../../../ui/src/messages/mailbox/de';
import { mailbox as en } from '../../../ui/src/messages/mailbox/en';
import { FakeImapServer } from '../../fakes/imap/fake-imap-server';
import { invoiceMail } from '../../interop/imap/invoice-mails';
import { LANGUAGES, useUi, type Visit, type VisitOptions } from '../harness/ui-context';

const TEXTS = { en, de };
const USER = { user: 'anna@own.example', password: 'right' };
const OWN_SERVER = 'imap.own.example';
const FOREIGN_SERVER = 'mail.hosting.example';
/** Domains by the host that receives their mail, or that service records name. */
const MX: Readonly<Record<string, string>> = {
  'workspace.example': 'aspmx.l.google.com',
  'office.example': 'office-example.mail.protection.outlook.com',
};
const SERVERS: Readonly<Record<string, string>> = { 'own.example': OWN_SERVER, 'brand.example': FOREIGN_SERVER };

let server: FakeImapServer;
const trusted = getCACertificates('default');
const dns = {
  mailExchanges: async (domain: string) => [MX[domain]].filter((host) => host !== undefined),
  services: async (name: string) => {
    const host = name.startsWith('_imaps.') ? SERVERS[name.replace('_imaps._tcp.', '')] : undefined;
    return host === undefined ? [] : [{ host, port: server.port }];
  },
} as DnsRecords;
const lookup = async (host: string) => {
  if (host === OWN_SERVER || host === FOREIGN_SERVER) return [{ address: '127.0.0.1', family: 4 }];
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
};

const ui = useUi(async () => {
  const certificate = { hosts: [OWN_SERVER, FOREIGN_SERVER] };
  server = await FakeImapServer.start({
    ...{ users: [USER], folders: ['Rechnungen', 'Rechnungen/2026'], tls: 'implicit', certificate },
  });
  setDefaultCACertificates([...trusted, server.ca!]);
  server.append('INBOX', invoiceMail('Eingang.pdf').build());
  server.append('Rechnungen/2026', invoiceMail('Strom.pdf').build());
  const outlook = { client: { id: 'client', secret: 'secret' } };
  return { dns, network: { allow: ['127.0.0.0/8'], lookup }, settings: { providers: { outlook } } };
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await server?.stop();
});

const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const shownFields = ({ page }: Visit) =>
  page.locator('[data-field]').evaluateAll((all) => all.map((it) => it.getAttribute('data-field')));
const imapTile = (page: Page) => page.getByRole('button', { name: /^E-?mail \(IMAP\)/i });

describe.each(LANGUAGES)('connecting a mailbox by its address (%s)', (lang) => {
  const texts = TEXTS[lang];

  /** Opens the first step from the list of sources. */
  async function atAddress(options: VisitOptions = {}): Promise<Visit> {
    const visit = await ui.visit(lang, options);
    await visit.page.getByRole('link', { name: visit.messages.overview.add }).click();
    await imapTile(visit.page).click();
    await visit.heading(texts.title);
    return visit;
  }

  async function enter(visit: Visit, address: string): Promise<void> {
    await field(visit, 'email').fill(address);
    await field(visit, 'email').press('Enter');
  }

  it('asks for nothing but the address first, and explains one that is wrong', async () => {
    const visit = await atAddress({ width: 320 });
    const { page, messages, checkView } = visit;
    expect(await shownFields(visit)).toEqual(['email']);
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    await checkView('mailbox-address');
    await enter(visit, 'anna');
    await page.getByText(messages.fields.errors.INVALID_EMAIL).waitFor();
    // Only the service knows that this is wrong.
    await enter(visit, 'anna@firma..example');
    await page.locator('[data-field="email"] .field-error').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.waitForFunction(() => document.activeElement?.closest('[data-field="email"]'));
    await checkView('mailbox-address-wrong');
  });

  it('leads to the form of a known provider, with its steps to an app password, and back', async () => {
    const visit = await atAddress({ width: 320 });
    const { page, messages, heading, checkView } = visit;
    await enter(visit, 'anna@icloud.com');
    await heading(messages.connect.title('iCloud Mail'));
    await page.getByText(texts.provider('anna@icloud.com', 'iCloud Mail')).waitFor();
    expect(await shownFields(visit)).toEqual(['user', 'password', ':name']);
    expect(await field(visit, 'user').inputValue()).toBe('anna@icloud.com');
    expect(await field(visit, ':name').inputValue()).toBe('anna@icloud.com');
    const steps = page.getByRole('region', { name: texts.steps.title });
    expect(await steps.getByRole('listitem').count()).toBe(3);
    const link = steps.getByRole('link', { name: texts.steps.open('iCloud Mail') });
    expect(await link.getAttribute('href')).toBe('https://support.apple.com/102654');
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    expect(await page.locator('form').getByRole('link').count()).toBe(0);
    await checkView('mailbox-app-password');

    await page.goBack();
    await heading(texts.title);
    expect(await field(visit, 'email').inputValue()).toBe('anna@icloud.com');
    await enter(visit, 'anna@gmx.de');
    await heading(messages.connect.title('GMX'));
    expect(await field(visit, 'user').inputValue()).toBe('anna@gmx.de');
  });

  it('recognizes Google and Microsoft by the servers of a domain', async () => {
    const visit = await atAddress();
    const { page, messages, heading, checkView } = visit;
    await enter(visit, 'anna@office.example');
    await page.getByText(messages.connect.trustAuthorize).waitFor();
    const authorize = page.getByRole('button', { name: /Outlook/ });
    await authorize.waitFor();
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    expect(await field(visit, ':name').inputValue()).toBe('anna@office.example');
    await checkView('mailbox-oauth');
    await page.goBack();
    await heading(texts.title);
    // Without an OAuth client for Google.
    await enter(visit, 'anna@workspace.example');
    await page.getByRole('region', { name: texts.steps.title }).waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('anna@workspace.example');
  });

  it('connects a mailbox on the server of its own domain with the password alone, by keyboard, with all folders', async () => {
    const visit = await atAddress();
    const { page, messages, heading, checkView } = visit;
    await page.keyboard.press('Tab');
    await page.keyboard.type(USER.user);
    await page.keyboard.press('Enter');
    await heading(messages.connect.title(await nameOfImap(visit)));
    await page.getByText(texts.server(USER.user, OWN_SERVER)).waitFor();
    expect(await shownFields(visit)).toEqual(['user', 'password', ':name']);
    await checkView('mailbox-server-found');
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => (document.activeElement as HTMLInputElement).type === 'password')) break;
    }
    await page.keyboard.type(USER.password);
    await page.keyboard.press('Enter');
    await heading(messages.content.title);
    await page.getByRole('treegrid').waitFor();
    await checkView('mailbox-folders');
    await page.locator('[data-field="folder_scope"] select').selectOption('all');
    await page.getByRole('treegrid').waitFor({ state: 'detached' });
    expect(await shownFields(visit)).not.toContain('include_subfolders');
    await press(visit, messages.content.submit);
    await page.getByText(messages.done.finished(2)).waitFor();
  });

  it('shows a server of another company before a password can be typed', async () => {
    const visit = await atAddress({ width: 320 });
    const { page, messages, heading, checkView } = visit;
    await enter(visit, 'anna@brand.example');
    await heading(texts.confirm.title);
    await page.getByText(FOREIGN_SERVER, { exact: true }).waitFor();
    await page.getByText(texts.confirm.text('brand.example')).waitFor();
    expect(await page.locator('input').count()).toBe(0);
    await checkView('mailbox-confirm');
    await press(visit, texts.confirm.accept);
    await page.getByText(texts.server('anna@brand.example', FOREIGN_SERVER)).waitFor();
    expect(await shownFields(visit)).toEqual(['user', 'password', ':name']);

    await page.goBack();
    await heading(texts.title);
    await field(visit, 'email').press('Enter');
    await heading(texts.confirm.title);
    await press(visit, texts.confirm.refuse);
    await heading(messages.connect.title(await nameOfImap(visit)));
    expect(await field(visit, 'host').inputValue()).toBe('');
    expect(await field(visit, 'user').inputValue()).toBe('anna@brand.example');
  });

  it('leads to the whole form when nothing is found, or on request', async () => {
    const visit = await atAddress();
    const { page, heading, checkView } = visit;
    await enter(visit, 'anna@nowhere.example');
    await page.getByText(texts.noServer('anna@nowhere.example')).waitFor();
    expect(await shownFields(visit)).toEqual(['host', 'security', 'user', 'password', ':name']);
    expect(await field(visit, 'user').inputValue()).toBe('anna@nowhere.example');
    await checkView('mailbox-not-found');
    await page.goBack();
    await heading(texts.title);
    await press(visit, texts.manually);
    await page.getByText(texts.byHand).waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('');
  });

  it('asks for the address first when the token is for this integration, and stays with it', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'imap' }, width: 320 });
    const { page, messages, heading, checkView } = visit;
    await heading(texts.title);
    expect(await page.getByRole('link', { name: messages.back }).count()).toBe(0);
    await checkView('mailbox-preselected');
    await enter(visit, 'anna@gmx.de');
    await heading(messages.connect.title(await nameOfImap(visit)));
    await page.getByText(texts.server('anna@gmx.de', 'imap.gmx.net')).waitFor();
    expect(await shownFields(visit)).toEqual(['user', 'password', ':name']);
    await page.getByRole('link', { name: messages.back }).click();
    await enter(visit, 'anna@hotmail.com');
    await page.getByText(texts.notAllowed).waitFor();
    expect(await page.getByRole('button', { name: texts.manually }).count()).toBe(0);
    await checkView('mailbox-not-allowed');
    // An address of another view leads back.
    await page.goto(page.url().replace(/#.*/, '#/connect/gmx'));
    await heading(texts.title);
  });

  it('looks up an address that is typed into the search of the list', async () => {
    const visit = await ui.visit(lang, { width: 320 });
    const { page, messages, heading, checkView } = visit;
    await page.getByRole('link', { name: messages.overview.add }).click();
    await page.getByRole('searchbox').fill(' anna@gmx.de ');
    const tile = page.getByRole('button', { name: messages.choose.mailbox('anna@gmx.de') });
    await tile.waitFor();
    expect(await page.getByText(messages.choose.nothing(' anna@gmx.de ')).count()).toBe(0);
    await checkView('choose-address');
    await tile.press('Enter');
    await heading(messages.connect.title('GMX'));
    expect(await field(visit, 'user').inputValue()).toBe('anna@gmx.de');
    expect(page.url()).not.toContain('anna');
  });

  it('keeps the address when the service cannot be reached, and tries again', async () => {
    const visit = await atAddress();
    const { page, messages, heading, checkView } = visit;
    await page.route('**/v1/mail-accounts/discover', (route) => route.abort());
    await enter(visit, 'anna@gmx.de');
    await page.getByRole('alert').getByText(messages.problem.network).waitFor();
    await checkView('mailbox-offline');
    await page.unroute('**/v1/mail-accounts/discover');
    await press(visit, texts.submit);
    await heading(messages.connect.title('GMX'));
  });
});

/** The name of the integration of other mailboxes, as the list has it. */
async function nameOfImap({ lang }: Visit): Promise<string> {
  const { body } = await ui.client.request('get', '/v1/integrations/imap').set('Lang', lang).expect(200);
  return (body as { data: { name: string } }).data.name;
}
