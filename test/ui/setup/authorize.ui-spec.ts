import type { Page } from 'playwright-core';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { statusSql } from '../../../src/identities/connection-status';
import { pdfInvoice } from '../../builders/invoice-documents';
import { GoogleProvider } from '../harness/google-provider';
import { LANGUAGES, useUi, type Visit, MESSAGES } from '../harness/ui-context';

const google = new GoogleProvider();
const ui = useUi(google.start);
afterAll(() => google.stop());

const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const NAME = 'Google Drive';

/** Answers on the consent page of the provider. */
async function answerConsent(page: Page, decision: 'Agree' | 'Refuse', account = 'anna@example.com'): Promise<void> {
  await page.waitForURL((url) => url.origin === google.origin);
  await page.getByLabel('Account').fill(account);
  await page.getByRole('button', { name: decision }).click();
}

const statusOf = async (uuid: string) =>
  (
    await ui.query<{ status: string }>(`select ${statusSql('c')} as status from connection c where uuid = $1`, [uuid])
  )[0]?.status;
const connectionOf = async (identity: string) =>
  (await ui.query<{ uuid: string }>('select uuid from connection where identity_uuid = $1', [identity]))[0]!.uuid;

async function returned(page: Page) {
  await page.waitForURL((url) => url.origin === ui.clientSite.origin);
  return verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() });
}

describe.each(LANGUAGES)('a source with OAuth (%s)', (lang) => {
  /** Connects the source up to the second step. */
  async function connected(): Promise<Visit & { identity: string }> {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity, token: { integration_id: 'google_drive' } });
    await visit.heading(visit.messages.connect.title(NAME));
    await press(visit, visit.messages.connect.authorize(NAME));
    await answerConsent(visit.page, 'Agree');
    await visit.heading(visit.messages.content.title);
    return { ...visit, identity };
  }

  beforeAll(async () => {
    const drive = google.drive.drive('anna@example.com');
    for (const path of ['Rechnungen/Strom/Rechnung 1.pdf', 'Rechnungen/Rechnung 2.pdf', 'Privates/Urlaub.pdf'])
      drive.put(path, await pdfInvoice({ number: path }));
  });

  it('is connected by the OAuth redirect, and continues with step 2', async () => {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView, heading } = visit;
    await page.getByRole('link', { name: messages.overview.add }).click();
    await page.getByRole('button', { name: NAME }).click();
    await heading(messages.connect.title(NAME));
    await checkView('authorize');
    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Agree');

    await heading(messages.content.title);
    expect(page.url()).not.toMatch(/resume|token|code/);
    expect(await page.evaluate(() => [localStorage.length, Object.keys(sessionStorage), document.cookie])).toEqual([
      0,
      ['docfetch-tab'],
      '',
    ]);
    expect(await page.evaluate(() => sessionStorage.getItem('docfetch-tab'))).not.toMatch(/"eyJ/);
    // The whole drive is preselected.
    const row = (name: string) => page.getByRole('treegrid').getByRole('row', { name });
    const drive = row(lang === 'de' ? 'Meine Ablage' : 'My Drive');
    if ((await drive.getAttribute('aria-expanded')) !== 'true') await drive.locator('.tree-chevron').click();
    await row('Rechnungen').locator('.check').click();
    await drive.locator('.check').click();
    await page.getByText(messages.tree.selected(1)).waitFor();
    await checkView('authorize-content');
    await press(visit, messages.content.submit);
    await heading(messages.done.title);
    await page.getByText(messages.done.finished(2)).waitFor();
    await page.getByText('Rechnung 1.pdf').waitFor();
    await press(visit, messages.leave.finishTo('Muster Buchhaltung'));
    expect(await returned(page)).toMatchObject({
      result: 'success',
      action: 'created',
      connection_uuid: await connectionOf(identity),
      integration_id: 'google_drive',
      status: 'ACTIVE',
      state: 'order-17',
    });
  });

  it('can be denied, shows a notice, and can be tried again', async () => {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity, token: { integration_id: 'google_drive' } });
    const { page, messages, checkView, heading } = visit;
    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Refuse');
    await page.getByText(messages.authorization.outcome.AUTHORIZATION_DENIED).waitFor();
    // With the button that asks again.
    expect(await page.locator('.notice').count()).toBe(1);
    await checkView('authorize-refused');
    expect(await statusOf(await connectionOf(identity))).toBe('PENDING');
    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Agree');
    await heading(messages.content.title);
    // Left before the second step: the setup is not complete.
    await press(visit, messages.leave.to('Muster Buchhaltung'));
    expect(await returned(page)).toMatchObject({ result: 'cancelled', action: 'created', status: 'PENDING' });
  });

  it('keeps the selected language during the redirect to the provider and back', async () => {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity, token: { integration_id: 'google_drive' } });
    const other = MESSAGES[lang === 'de' ? 'en' : 'de'];
    await visit.heading(visit.messages.connect.title(NAME));
    await press(visit, visit.messages.languageSwitch);
    await visit.heading(other.connect.title(NAME));
    await press(visit, other.connect.authorize(NAME));
    await answerConsent(visit.page, 'Refuse');
    await visit.page.getByText(other.authorization.outcome.AUTHORIZATION_DENIED).waitFor();
    await press(visit, other.connect.authorize(NAME));
    await answerConsent(visit.page, 'Agree');
    await visit.heading(other.content.title);
    expect(await visit.page.evaluate(() => document.documentElement.lang)).toBe(lang === 'de' ? 'en' : 'de');
  });

  it('is reconnected with its previous account only', async () => {
    const { identity, ...first } = await connected();
    await press(first, first.messages.content.submit);
    await first.heading(first.messages.done.title);
    await first.page.getByText(first.messages.done.finished(3)).waitFor();
    const uuid = await connectionOf(identity);
    google.revoke();
    await ui.query(
      `update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'CONSENT_REVOKED',
         next_fetch_at = null where uuid = $1`,
      [uuid],
    );

    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView, heading } = visit;
    await page.getByRole('link', { name: messages.action.AUTHORIZE }).click();
    await heading(NAME);
    await checkView('authorize-broken');
    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Agree', 'bert@example.com');
    await page.getByText(messages.authorization.outcome.ACCOUNT_MISMATCH).waitFor();
    await checkView('authorize-other-account');
    expect(await statusOf(uuid)).toBe('INVALID_CREDENTIALS');

    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Agree');
    await page.getByText(messages.recovery.works(0)).waitFor();
    await heading(NAME);
    expect(await statusOf(uuid)).toBe('ACTIVE');
    await checkView('authorize-fixed');
    await press(visit, messages.leave.to('Muster Buchhaltung'));
    expect(await returned(page)).toMatchObject({ result: 'success', action: 'updated', connection_uuid: uuid });
  });

  it('is fixed in its edit view when preselected', async () => {
    const { identity, ...first } = await connected();
    await press(first, first.messages.content.submit);
    await first.page.getByText(first.messages.done.finished(3)).waitFor();
    const uuid = await connectionOf(identity);
    await ui.query(
      `update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'CONSENT_EXPIRED',
         next_fetch_at = null where uuid = $1`,
      [uuid],
    );
    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.repair.title(NAME));
    await checkView('authorize-preselected');
    await press(visit, messages.connect.authorize(NAME));
    await answerConsent(page, 'Agree');
    await page.getByText(messages.recovery.works(0)).waitFor();
    expect(await statusOf(uuid)).toBe('ACTIVE');
  });
});

describe.each(LANGUAGES)('a link created by the client (%s)', (lang) => {
  const CONTINUE = { en: 'Continue', de: 'Weiter' }[lang];
  const CANCEL = { en: 'Cancel', de: 'Abbrechen' }[lang];
  const QUESTION = { en: 'Connect Google Drive?', de: 'Google Drive verbinden?' }[lang];

  async function linked() {
    const identity = await ui.client.createIdentity(`customer-${lang}-${Date.now()}`);
    const visit = await ui.visit(lang, { identity });
    await visit.page.route('**/oauth/start**', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'accept-language': lang } }),
    );
    const open = async () => {
      const { body } = await ui.client
        .request('post', '/v1/connections')
        .send({ integration_id: 'google_drive', name: 'Drive', identity_uuid: identity, fields: {} })
        .expect(201);
      await visit.page.goto((body as { data: { authorization_url: string } }).data.authorization_url);
      await visit.heading(QUESTION);
    };
    return { ...visit, open };
  }

  it('asks for confirmation, then continues with step 2 of that connection', async () => {
    const { page, checkView, open } = await linked();
    await open();
    await checkView('confirm-authorization');
    await page.getByRole('button', { name: CONTINUE }).click();
    await answerConsent(page, 'Agree');
    await page.getByText(MESSAGES.en.content.title).waitFor(); // the language of the browser
    expect(page.url()).not.toMatch(/resume|token|code/);
  });

  it('says that nothing was connected after Cancel, and after a refusal at the provider', async () => {
    const { page, heading, open, checkView } = await linked();
    await open();
    await page.getByRole('button', { name: CANCEL }).click();
    await heading(MESSAGES.en.authorization.cancelled.title);
    await open();
    await page.getByRole('button', { name: CONTINUE }).click();
    await answerConsent(page, 'Refuse');
    await heading(MESSAGES.en.authorization.cancelled.title);
    await checkView('authorize-by-the-client');
  });
});

it('an authorization link of the page works only in the browser of that page', async () => {
  const identity = await ui.client.createIdentity();
  const visit = await ui.visit('en', { identity, token: { integration_id: 'google_drive' } });
  // No content, so that the page stays; an aborted request would replace it by the browser's error page.
  await visit.page.route('**/oauth/start?*', (route) => route.fulfill({ status: 204 }), { times: 1 });
  await visit.heading(visit.messages.connect.title(NAME));
  const [request] = await Promise.all([
    visit.page.waitForRequest((each) => each.url().includes('/oauth/start')),
    press(visit, visit.messages.connect.authorize(NAME)),
  ]);
  const link = request.url();
  const otherBrowser = await ui.visit('en', { identity });
  await otherBrowser.page.goto(link);
  await otherBrowser.heading(MESSAGES.en.authorization.error.title);
  // By a click: Playwright may take the redirect to the provider for another navigation and report its own as interrupted.
  await visit.page.evaluate((href) => {
    document.body.replaceChildren(Object.assign(document.createElement('a'), { href, textContent: 'Authorize' }));
  }, link);
  await visit.page.getByRole('link', { name: 'Authorize' }).click();
  await answerConsent(visit.page, 'Agree');
  await visit.heading(visit.messages.content.title);
});
