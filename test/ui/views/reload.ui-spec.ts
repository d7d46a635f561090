import { UpdateEnvironment } from '../../../src/identities/environments/update-environment';
import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { eventually } from '../../harness/eventually';
import { LANGUAGES, MESSAGES, SANDBOX_TILE, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const stored = ({ page }: Visit) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('docfetch-tab') ?? 'null') as Record<string, unknown> | null);

/** The session that the page gets when it is reloaded; read on its way, because browsers keep no body that a script reads in parts. */
async function reloadedSession({ page }: Visit): Promise<{ expires_at: string }> {
  const address = '**/v1/ui/session';
  let session: { expires_at: string } | undefined;
  await page.route(address, async (route) => {
    const answer = await route.fetch();
    session = ((await answer.json()) as { data: { expires_at: string } }).data;
    await route.fulfill({ response: answer });
  });
  await Promise.all([page.waitForResponse(address), page.reload()]);
  await page.unroute(address);
  return session!;
}

async function openForm(visit: Visit): Promise<void> {
  await visit.page.getByRole('link', { name: visit.messages.overview.add }).click();
  await visit.heading(visit.messages.choose.title);
  await visit.page.getByRole('button', { name: SANDBOX_TILE }).click();
  await field(visit, 'password').waitFor();
}

/** A session that a reload cannot restore: it is over, and the page leads back to the client. */
async function expectEnd(visit: Visit, title: string): Promise<void> {
  await visit.page.reload();
  await visit.heading(title);
  expect(await stored(visit)).toEqual({ return_url: ui.clientSite.returnUrl, lang: visit.lang });
  await visit.page.getByRole('link', { name: visit.messages.leave.plain }).click();
  await visit.page.waitForURL(ui.clientSite.returnUrl);
}

describe.each(LANGUAGES)('a reload (%s)', (lang) => {
  it('keeps the session, the step, the language, the input without secrets, and the result', async () => {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity });
    const { page } = visit;
    await openForm(visit);
    await field(visit, 'user').fill('typed');
    await field(visit, 'password').fill('my-password');
    await field(visit, 'documents').fill('7');
    await press(visit, visit.messages.languageSwitch);
    const messages = MESSAGES[lang === 'de' ? 'en' : 'de'];
    await page.getByRole('button', { name: messages.connect.submit, exact: true }).waitFor();
    const { expires_at: expiry } = await reloadedSession(visit);
    await page.getByRole('button', { name: messages.connect.submit, exact: true }).waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('typed');
    await eventually(async () => (await field(visit, 'documents').inputValue()) === '7', 'the number is back');
    expect(await field(visit, 'password').inputValue()).toBe('');
    expect(JSON.stringify(await stored(visit))).not.toMatch(/my-password|"eyJ/);
    expect(page.url()).not.toMatch(/token|eyJ/);
    await visit.checkView('reload-form');

    await field(visit, 'password').fill('my-password');
    await press(visit, messages.connect.submit);
    await heading(visit, messages.content.title);
    const row = (name: string) => page.getByRole('row', { name, exact: true });
    const [shared, purchasing] =
      messages === MESSAGES.de ? ['Geteilte Ordner', 'Einkauf'] : ['Shared folders', 'Purchasing'];
    await row(shared).getByRole('button').click();
    await row(purchasing).locator('.check').click();
    const tag = page.locator('.tag', { hasText: purchasing });
    await tag.waitFor();
    expect((await stored(visit))!.input).toMatchObject({
      values: { folders: expect.arrayContaining(['shared/einkauf']) },
    });
    expect((await reloadedSession(visit)).expires_at).toBe(expiry);
    await tag.waitFor();
    await visit.checkView('reload-selection');
    await press(visit, messages.content.submit);
    await heading(visit, messages.done.title);
    await page.getByText(messages.done.finished(7)).waitFor();
    await page.reload();
    await page.getByText(messages.done.finished(7)).waitFor();
    await press(visit, messages.leave.finishTo('Muster Buchhaltung'));
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
    const returned = verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() });
    expect(returned).toMatchObject({ result: 'success', action: 'created', state: 'order-17' });
    await page.goBack();
    await heading(visit, messages.expiry.noSessionTitle);
  });

  it('does not bring back the input of a form that was left', async () => {
    const visit = await ui.visit(lang);
    await openForm(visit);
    await field(visit, 'user').fill('typed');
    await eventually(async () => (await stored(visit))!.input != null, 'the input is kept');
    await visit.page.goBack();
    await visit.heading(visit.messages.choose.title);
    expect((await stored(visit))!.input).toBeNull();
    await visit.page.reload();
    await visit.page.getByRole('button', { name: SANDBOX_TILE }).click();
    await field(visit, 'user').waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('');
  });

  it('keeps a session that may only connect one integration, without wider rights', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    await field(visit, 'user').fill('typed');
    await visit.page.reload();
    await field(visit, 'password').waitFor();
    expect(await field(visit, 'user').inputValue()).toBe('typed');
    await visit.page.goto(`${ui.app.settings.publicUrl}/ui#/connect/imap`);
    await visit.page.reload();
    await visit.heading(visit.messages.connect.title(lang === 'de' ? 'Sandbox-Portal' : 'Sandbox portal'));
  });

  it('shows the logo of the client again', async () => {
    const update = ui.app.app.get(UpdateEnvironment, { strict: false });
    const logo = 'https://cdn.example.com/logo.svg';
    await update.update('test', ui.client.environmentUuid, { theme: { logo_url: logo } });
    try {
      const shape =
        '<svg xmlns="http://www.w3.org/2000/svg" width="220" height="48"><rect width="220" height="48"/></svg>';
      const visit = await ui.visit(lang, { images: { [logo]: shape } });
      await visit.heading(visit.messages.overview.emptyTitle);
      for (let reload = 0; reload < 2; reload++) {
        await visit.page.reload();
        await visit.heading(visit.messages.overview.emptyTitle);
        const drawn = () =>
          visit.page.locator('.brand-logo').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0);
        await eventually(drawn, 'the logo is there');
      }
    } finally {
      await update.update('test', ui.client.environmentUuid, { theme: { logo_url: '' } });
    }
  });

  it('gives another tab no session', async () => {
    const visit = await ui.visit(lang);
    await visit.heading(visit.messages.overview.emptyTitle);
    const other = await visit.page.context().newPage();
    await other.goto(`${ui.app.settings.publicUrl}/ui`);
    await other.getByRole('heading', { level: 1, name: MESSAGES.en.expiry.noSessionTitle }).waitFor();
    expect(await other.getByRole('link').count()).toBe(0);
    await visit.page.reload();
    await visit.heading(visit.messages.overview.emptyTitle);
  });

  it('leads back to the client when the cookie is gone, or the sessions of the user have been ended', async () => {
    const without = await ui.visit(lang);
    await without.heading(without.messages.overview.emptyTitle);
    await without.page.context().clearCookies();
    await expectEnd(without, without.messages.expiry.noSessionTitle);

    const identity = await ui.client.createIdentity();
    const ended = await ui.visit(lang, { identity });
    await ended.heading(ended.messages.overview.emptyTitle);
    await ui.client.request('delete', `/v1/identities/${identity}/sessions`).expect(204);
    await expectEnd(ended, ended.messages.expiry.noSessionTitle);
  });

  it('leads back to the client when the session has expired', async () => {
    const visit = await ui.visit(lang);
    await visit.heading(visit.messages.overview.emptyTitle);
    ui.app.clock.advance(1_801);
    try {
      await expectEnd(visit, visit.messages.expiry.title);
    } finally {
      ui.app.clock.advance(-1_801);
    }
  });

  it('ends with the next link, even an invalid one', async () => {
    const visit = await ui.visit(lang);
    await visit.heading(visit.messages.overview.emptyTitle);
    await visit.page.goto(`${ui.app.settings.publicUrl}/ui?token=nonsense`);
    await visit.heading(visit.messages.expiry.invalidTitle);
    await expectEnd(visit, visit.messages.expiry.noSessionTitle);
  });

  it.each(['**/v1/ui/session/restore', '**/assets/restore-session-*.js'])(
    'offers to try again, or to go back, when %s cannot be reached',
    async (address) => {
      const visit = await ui.visit(lang);
      const { page, messages } = visit;
      await openForm(visit);
      await field(visit, 'user').fill('typed');
      await page.route(address, (route) => route.abort());
      await page.reload();
      await visit.heading(messages.problem.networkTitle);
      await page.getByRole('link', { name: messages.leave.plain }).waitFor();
      await visit.checkView('reload-offline');
      await page.unroute(address);
      await page.getByRole('alert').getByRole('button').last().click();
      await field(visit, 'password').waitFor();
      expect(await field(visit, 'user').inputValue()).toBe('typed');
    },
  );
});
