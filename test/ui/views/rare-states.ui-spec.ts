import type { Route } from 'playwright-core';
import { eventually } from '../../harness/eventually';
import { LANGUAGES, useUi, type Visit, MESSAGES } from '../harness/ui-context';

const ui = useUi();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens a view by its fragment, as the back and forward buttons of the browser do. */
const goTo = ({ page }: Visit, hash: string) => page.evaluate((to) => void (location.hash = to), hash);

/** An error response of the service. */
const errorResponse =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'x', title: 'x', status, code, detail: 'Detail.', request_id: 'req_4TqRZkq9mC0y' }),
    });

describe.each(LANGUAGES)('rare states (%s)', (lang) => {
  it('shows that a search has no results', async () => {
    const visit = await ui.visit(lang);
    const { page, messages, checkView } = visit;
    await page.getByRole('link', { name: messages.overview.add }).click();
    await page.getByRole('searchbox').fill('zzz');
    await page.getByText(messages.choose.nothing('zzz')).waitFor();
    await checkView('choose-nothing');
  });

  it.each([
    ['gmx', 'GMX'],
    ['telekom', 'T-Online'],
    ['1&1', 'IONOS'],
  ])('finds a brand by another word for it: %s', async (word, name) => {
    const { page, messages } = await ui.visit(lang);
    await page.getByRole('link', { name: messages.overview.add }).click();
    await page.getByRole('searchbox').fill(word);
    await page.getByRole('button', { name }).first().waitFor();
    await page.getByRole('button', { name: 'Nextcloud' }).waitFor({ state: 'detached' });
  });

  it('shows sources that are incomplete, paused or delayed', async () => {
    const identity = await ui.client.createIdentity();
    const body = {
      integration_id: 'sandbox',
      name: 'Begun',
      identity_uuid: identity,
      fields: { user: 'u', password: 'p' },
    };
    const begun = await ui.client.request('post', '/v1/connections').send(body).expect(201);
    const { uuid } = (begun.body as { data: { uuid: string } }).data;
    const paused = await ui.connection(identity, {}, 'Paused');
    await ui.client.request('put', `/v1/connections/${paused}/disable`);
    await ui.connection(identity, { scenario: 'provider_down', fails_from: 'first_fetch' }, 'Delayed');
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView, heading } = visit;
    for (const state of [messages.status.PENDING, messages.status.DISABLED])
      await page.locator('.state', { hasText: state }).waitFor();
    await checkView('overview-waiting');
    await goTo(visit, `#/sources/${uuid}`);
    await heading('Begun');
    await page.getByRole('link', { name: messages.action.FINISH_SETUP }).waitFor();
    await checkView('connection-pending');
    await page.route('**/step2/*/more', (route) => route.abort());
    await page.getByRole('link', { name: messages.action.FINISH_SETUP }).click();
    await page
      .getByRole('row', { name: /Archiv/ })
      .getByRole('button')
      .click();
    await page.getByText(messages.tree.failed).waitFor();
    await checkView('tree-failed');
  });

  it('shows a first fetch that has not started, finds nothing, or fails', async () => {
    const identity = await ui.client.createIdentity();
    const [nothing, down] = [
      await ui.connection(identity, { documents: 0 }),
      await ui.connection(identity, { scenario: 'provider_down', fails_from: 'first_fetch' }),
    ];
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView } = visit;
    await page.route('**/fetches*', (route) => route.fulfill({ json: { data: [], meta: { has_more: false } } }));
    await goTo(visit, `#/sources/${nothing}/done`);
    await page.getByText(messages.done.waiting).waitFor();
    await checkView('done-waiting');
    await page.unroute('**/fetches*');
    await page.getByText(messages.done.finished(0)).waitFor();
    await checkView('done-nothing');
    await goTo(visit, `#/sources/${down}/done`);
    await page.getByRole('alert').getByText(messages.done.failed).waitFor();
    await checkView('done-failed');
  });

  it('has a searchable list for many options', async () => {
    const labels = Array.from({ length: 60 }, (_, n) => `Mandant ${String(n).padStart(2, '0')}`);
    const visit = await ui.visit(lang, {
      token: { integration_id: 'sandbox' },
      beforeOpen: (it) =>
        it.route('**/v1/integrations/sandbox', async (route) => {
          const answer = await route.fetch();
          const json = (await answer.json()) as { data: { step1_fields: { id: string; options: object }[] } };
          const field = json.data.step1_fields.find(({ id }) => id === 'scenario')!;
          field.options = labels.map((label) => ({ value: label, label, has_children: false, selectable: true }));
          await route.fulfill({ response: answer, json });
        }),
    });
    const { page, checkView, screenshot } = visit;
    const search = page.locator('[data-field="scenario"] input');
    await search.fill('5');
    await page.getByRole('option', { name: 'Mandant 15' }).waitFor();
    // The open list hides everything else from screen readers, which axe reports as a violation.
    await screenshot('many-choices-open');
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-field="scenario"] input[aria-activedescendant]').waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => (await search.inputValue()) === 'Mandant 05', 'the option is selected');
    await checkView('many-choices');
  });

  it('shows the errors of the rate limit and of a narrow token', async () => {
    const identity = await ui.client.createIdentity();
    await ui.connection(identity);
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView } = visit;
    await page.route('**/v1/connections/*', errorResponse(429, 'RATE_LIMITED', { 'retry-after': '30' }));
    await page.getByRole('link', { name: messages.overview.manage('Portal') }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('30');
    await checkView('rate-limited');
    await page.unroute('**/v1/connections/*');
    await page.route('**/v1/connections/*', errorResponse(403, 'NOT_ALLOWED_BY_TOKEN'));
    await page.getByRole('alert').getByRole('button').click();
    await page.getByText(messages.problem.forbiddenTitle).waitFor();
    expect(await page.getByRole('button', { name: messages.retry }).count()).toBe(0);
    await checkView('forbidden');
  });

  it('shows that the session could not be loaded, and retries', async () => {
    const visit = await ui.visit(lang, {
      beforeOpen: (page) => page.route('**/v1/ui/session', (route) => route.abort()),
    });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.problem.networkTitle);
    expect(await page.getByText(messages.problem.inputKept).count()).toBe(0);
    await checkView('no-session-response');
    await page.unroute('**/v1/ui/session');
    await press(visit, messages.retry);
    await heading(messages.overview.emptyTitle);
  });

  it('shows the result of an authorization that was started outside the hosted UI', async () => {
    const visit = await ui.visit(lang);
    const { page, messages, checkView, heading } = visit;
    for (const [result, query] of [
      ['success', 'result=success&code=AUTHORIZED'],
      ['cancelled', 'result=cancelled&code=AUTHORIZATION_DENIED'],
      ['error', 'result=error&code=SCOPE_MISSING'],
    ] as const) {
      await page.goto(`${ui.app.settings.publicUrl}/ui?${query}`);
      await heading(MESSAGES.en.authorization[result].title);
      if (lang === 'de') await press(visit, MESSAGES.en.languageSwitch);
      await heading(messages.authorization[result].title);
      const expected = result === 'error' ? messages.authorization.goBack : messages.authorization[result].text;
      await page.getByText(expected).waitFor();
      await checkView(`ended-${result}`);
    }
  });
});
