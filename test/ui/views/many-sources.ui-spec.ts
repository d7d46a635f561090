import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();

const WORKING = ['Café', 'Cloud-Dienste', 'Energie', 'Internet', 'Leasing', 'Post'];
const REFUSED = ['Strom', 'Telefon'];
const PAUSED = 'Versicherung';

/** Creates a source whose provider has refused the credentials after the first fetch. */
async function createRefused(identity: string, name: string): Promise<void> {
  const uuid = await ui.fetchedConnection(identity, { name });
  await ui.query(
    "update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'LOGIN_REJECTED', next_fetch_at = null where uuid = $1",
    [uuid],
  );
}

/** Has nine sources: two need the user, one is paused. */
let identity: string;
beforeAll(async () => {
  identity = await ui.client.createIdentity();
  for (const name of WORKING) await ui.connection(identity, {}, name);
  for (const name of REFUSED) await createRefused(identity, name);
  await ui.client.request('put', `/v1/connections/${await ui.connection(identity, {}, PAUSED)}/disable`).expect(204);
});

const names = ({ page }: Visit) => page.locator('.card-title').allTextContents();
const focusedText = ({ page }: Visit) => page.evaluate(() => document.activeElement?.textContent ?? '');

describe.each(LANGUAGES)('an overview with many sources (%s)', (lang) => {
  it('shows problems first, and finds sources by word and by status', async () => {
    const visit = await ui.visit(lang, { identity, width: 1280 });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.overview.title);
    const search = page.getByRole('searchbox');
    await search.waitFor();
    expect((await names(visit)).slice(0, 2)).toEqual(REFUSED);
    await checkView('many-sources');

    await search.fill('CAFE');
    expect(await names(visit)).toEqual(['Café']);
    await page
      .getByRole('status')
      .filter({ hasText: messages.choose.results(1) })
      .waitFor();
    await search.fill('xyz');
    await page.getByText(messages.choose.nothing('xyz')).waitFor();
    await checkView('many-sources-nothing');
    await page.getByRole('button', { name: messages.choose.clear }).click();
    expect(await names(visit)).toHaveLength(9);

    const group = (name: string) => page.getByRole('radio', { name });
    await group(messages.overview.group.DISABLED).click();
    expect(await names(visit)).toEqual([PAUSED]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    expect((await names(visit)).sort()).toEqual(WORKING);
    await checkView('many-sources-filtered');
    await group(messages.choose.all).click();
    expect(await names(visit)).toHaveLength(9);
  });

  it.each([320, 360])('leads from the notice to the problems, at a width of %d pixels', async (width) => {
    const visit = await ui.visit(lang, { identity, width });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.overview.title);
    await page.getByRole('searchbox').waitFor();
    await checkView(`many-sources-${width}`);
    await page.getByRole('button', { name: messages.overview.attention(2) }).press('Enter');
    expect(await names(visit)).toEqual(REFUSED);
    expect(await focusedText(visit)).toBe(REFUSED[0]);

    // The button to connect a source comes before the list, and the arrow of a card stays next to its name.
    const top = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => it.getBoundingClientRect().top);
    const bottom = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => it.getBoundingClientRect().bottom);
    expect(await bottom('.page-head .action')).toBeLessThan(await top('.cards'));
    expect(await top('.card-arrow')).toBeLessThan(await bottom('.card-row .logo'));
    expect(await bottom('.card-title')).toBeLessThanOrEqual(await top('.card .state'));
  });
});

describe('an overview with few sources', () => {
  it('has no search, and leads from the notice to the source', async () => {
    const few = await ui.client.createIdentity();
    await ui.connection(few, {}, 'Energie');
    await createRefused(few, 'Strom');
    const visit = await ui.visit('en', { identity: few });
    const { page, messages, heading } = visit;
    await heading(messages.overview.title);
    expect(await names(visit)).toEqual(['Strom', 'Energie']);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.getByRole('link', { name: messages.overview.attention(1) }).click();
    await heading('Strom');
  });

  it('leads from the notice to the first of several problems', async () => {
    const few = await ui.client.createIdentity();
    await ui.connection(few, {}, 'Energie');
    await createRefused(few, 'Strom');
    await createRefused(few, 'Telefon');
    const visit = await ui.visit('en', { identity: few });
    const { page, messages, heading } = visit;
    await heading(messages.overview.title);
    await page.getByRole('button', { name: messages.overview.attention(2) }).click();
    expect(await focusedText(visit)).toBe('Strom');
    expect(await names(visit)).toHaveLength(3);
  });
});
