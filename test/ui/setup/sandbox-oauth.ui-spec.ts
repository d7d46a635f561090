import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { statusSql } from '../../../src/identities/connection-status';
import { eventually } from '../../harness/eventually';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const NAMES = { en: 'Sandbox portal (OAuth)', de: 'Sandbox-Portal (OAuth)' };
const TITLES = { en: 'Sandbox: allow access?', de: 'Sandbox: Zugriff erlauben?' };
const BUTTONS = { en: { allow: 'Allow', deny: 'Deny' }, de: { allow: 'Erlauben', deny: 'Ablehnen' } };
const ACCOUNTS = { en: 'Account', de: 'Konto' };
const SHARED = { en: 'Shared folders', de: 'Geteilte Ordner' };
const OFFICE = { en: 'Office & accounting', de: 'Büro & Buchhaltung' };

const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const connectionOf = async (identity: string) =>
  (
    await ui.query<{ uuid: string; status: string }>(
      `select uuid, ${statusSql('c')} as status from connection c where identity_uuid = $1`,
      [identity],
    )
  )[0]!;

describe.each(LANGUAGES)('the sandbox with OAuth in the hosted UI (%s)', (lang) => {
  const name = NAMES[lang];

  /** Opens the consent page, which has the language of the UI, not of the browser. */
  async function atConsent(): Promise<Visit & { identity: string }> {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity, token: { integration_id: 'sandbox_oauth' } });
    await visit.heading(visit.messages.connect.title(name));
    await press(visit, visit.messages.connect.authorize(name));
    await visit.heading(TITLES[lang]);
    expect(await visit.page.evaluate(() => document.documentElement.lang)).toBe(lang);
    return { ...visit, identity };
  }

  it('is granted on the consent page, and continues with the second step and the first fetch', async () => {
    const { identity, ...visit } = await atConsent();
    const { page, messages } = visit;
    await visit.checkView('sandbox-consent');
    await page.getByLabel(ACCOUNTS[lang], { exact: true }).fill('anna@sandbox.example');
    await press(visit, BUTTONS[lang].allow);
    await visit.heading(messages.content.title);
    await press(visit, messages.content.submit);
    await visit.heading(messages.done.title);
    await page.getByText(messages.done.finished(3)).waitFor();
    await press(visit, messages.leave.finishTo('Muster Buchhaltung'));
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
    const now = ui.app.clock.now();
    expect(verifyReturnUrl(page.url(), ui.client.signingSecret, { now })).toMatchObject({
      result: 'success',
      integration_id: 'sandbox_oauth',
      connection_uuid: (await connectionOf(identity)).uuid,
      status: 'ACTIVE',
    });
  });

  it('changes nothing when denied, and can be tried again', async () => {
    const { identity, ...visit } = await atConsent();
    await press(visit, BUTTONS[lang].deny);
    await visit.page.getByText(visit.messages.authorization.outcome.AUTHORIZATION_DENIED).waitFor();
    expect((await connectionOf(identity)).status).toBe('PENDING');
    await press(visit, visit.messages.connect.authorize(name));
    await visit.heading(TITLES[lang]);
    await press(visit, BUTTONS[lang].allow);
    await visit.heading(visit.messages.content.title);
  });

  it('shows that required permissions were not granted', async () => {
    const visit = await atConsent();
    await visit.page.getByRole('checkbox').uncheck();
    await press(visit, BUTTONS[lang].allow);
    await visit.page.getByText(visit.messages.authorization.outcome.SCOPE_MISSING).waitFor();
  });

  it('requests further consent when a shared folder is selected', async () => {
    const { identity, ...visit } = await atConsent();
    const { page, messages } = visit;
    await press(visit, BUTTONS[lang].allow);
    await visit.heading(messages.content.title);
    const row = (label: string) => page.getByRole('treegrid').getByRole('row', { name: label });
    await row(SHARED[lang]).locator('.tree-chevron').click();
    await row(OFFICE[lang]).locator('.check').click();
    await press(visit, messages.content.submit);
    await visit.heading(TITLES[lang]);
    expect(await page.getByRole('checkbox').count()).toBe(2);
    await press(visit, BUTTONS[lang].allow);
    await eventually(async () => (await connectionOf(identity)).status === 'ACTIVE', 'the connection is active');
  });
});
