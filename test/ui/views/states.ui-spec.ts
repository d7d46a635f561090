import { INTEGRATIONS } from '../../../src/integrations/integration-registry';
import { topLevel } from '../../../src/integrations/shared/sandbox/folders';
import { sandbox } from '../../../src/integrations/sandbox/sandbox';
import { STEP2 } from '../../../src/integrations/shared/sandbox/fields';
import { eventually } from '../../harness/eventually';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const MANY = 10_000;
/** The sandbox with more folders than a page can render. */
const crowdedSandbox = {
  ...sandbox,
  step2: async () => {
    const [folders, ...others] = STEP2;
    const many = Array.from({ length: MANY }, (_, n) => ({
      value: `many/${n}`,
      label: { en: `Supplier ${String(n).padStart(5, '0')}`, de: `Lieferant ${String(n).padStart(5, '0')}` },
      hasChildren: false,
    }));
    return [{ ...folders, options: [...topLevel(), ...many] }, ...others];
  },
  resolve: async (_: unknown, __: string, values: readonly string[]) =>
    values.map((value) => ({ value, label: `Lieferant ${value.slice(5)}` })),
} as unknown as typeof sandbox;

const ui = useUi(() =>
  Promise.resolve({
    integrations: INTEGRATIONS.map((each) => (each.id === 'sandbox' ? crowdedSandbox : each)),
    settings: { showUnavailable: true },
  }),
);
const field = ({ page }: Visit, id: string) => page.locator(`[data-field="${id}"] input`).first();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

async function choose({ page }: Visit, id: string, option: string): Promise<void> {
  const select = page.locator(`[data-field="${id}"] select`);
  await select.selectOption(await select.locator('option', { hasText: option }).getAttribute('value'));
}

async function step2(visit: Visit): Promise<void> {
  await field(visit, 'user').fill('demo');
  await field(visit, 'password').fill('secret');
  await press(visit, visit.messages.connect.submit);
  await visit.heading(visit.messages.content.title);
  await visit.page.getByRole('treegrid').waitFor();
}

describe.each(LANGUAGES)('every state (%s)', (lang) => {
  const german = lang === 'de';

  it('shows that a provider cannot be reached, and keeps the input', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, checkView } = visit;
    await field(visit, 'user').fill('demo');
    await field(visit, 'password').fill('secret');
    await choose(visit, 'scenario', german ? 'Das Portal ist nicht erreichbar' : 'The portal is down');
    await choose(visit, 'fails_from', german ? 'sofort, auch beim Einrichten' : 'Immediately, also during setup');
    await press(visit, visit.messages.connect.submit);
    await page.getByRole('alert').waitFor();
    await checkView('provider-unreachable');
    expect([await field(visit, 'user').inputValue(), await field(visit, 'password').inputValue()]).toEqual([
      'demo',
      'secret',
    ]);
  });

  it('marks unavailable integrations if the deployment shows them, and explains it on direct access', async () => {
    const { page, messages, checkView, heading } = await ui.visit(lang);
    await page.getByRole('link', { name: messages.overview.add }).click();
    await heading(messages.choose.title);
    const tile = page.getByRole('button', { name: /Google Drive/ });
    expect(await tile.isDisabled()).toBe(true);
    expect(await tile.textContent()).toContain(messages.choose.unavailable);
    await page.evaluate(() => void (location.hash = '#/connect/google_drive'));
    await page.getByRole('alert').getByText(messages.choose.unavailableText).waitFor();
    await checkView('unavailable');
  });

  it('says that a fetch begins by itself if a scheduled one is due', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity);
    await eventually(async () => {
      const [row] = await ui.query<{ done: boolean }>(
        "select last_fetch->>'finished_at' is not null as done from connection where uuid = $1",
        [uuid],
      );
      return row?.done;
    }, 'the first fetch ends');
    await ui.query("update connection set next_fetch_at = now() + interval '50 seconds' where uuid = $1", [uuid]);
    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    const { page, messages, checkView } = visit;
    await page.getByRole('link', { name: messages.edit.more }).click();
    await press(visit, messages.connection.fetchNow);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    // Not that it can be tried again: that is not needed.
    expect(await alert.textContent()).not.toMatch(/\d\d:\d\d/);
    await page.locator('.notice.info[role="alert"]').waitFor();
    await checkView('fetch-due');
  });

  it('accepts a date in the locale format, typed or from the calendar', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, checkView } = visit;
    await press(visit, visit.messages.fields.advanced);
    const place = page.locator('[data-field="startdate"]');
    const shown = async () => (await place.locator('.segments').innerText()).replace(/[^\d./a-z]/gi, '');
    expect(await shown()).toBe(german ? 'tt.mm.jjjj' : 'dd/mm/yyyy');
    await place.getByRole('spinbutton').first().click();
    await page.keyboard.type('07032026');
    expect(await shown()).toBe(german ? '07.03.2026' : '07/03/2026');
    await place.locator('button').last().click();
    await page.getByRole('dialog').getByRole('grid').waitFor(); // the calendar is loaded on demand
    expect(await page.getByRole('dialog').innerText()).toMatch(german ? /März 2026/ : /March 2026/);
    await checkView('calendar');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    expect(await shown()).toBe(german ? '08.03.2026' : '08/03/2026');
  });

  it('shows ten thousand folders that can be navigated by keyboard and searched', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, messages, checkView } = visit;
    await step2(visit);
    const tree = page.getByRole('treegrid');
    const name = (n: number) => `${german ? 'Lieferant' : 'Supplier'} ${String(n).padStart(5, '0')}`;
    expect(await tree.getByRole('row').count()).toBeLessThan(60);
    await tree.getByRole('row').first().focus();
    await page.keyboard.press('End');
    await tree.getByText(name(MANY - 1)).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await eventually(async () => (await focused()).includes(name(MANY - 1)), 'the last folder has the focus');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await page.getByText(messages.tree.selected(2)).waitFor();
    expect(await focused()).toContain(name(MANY - 2));
    expect(await tree.getByRole('row').count()).toBeLessThan(60);
    await checkView('tree-10000');
    await page.getByRole('searchbox').fill('5000');
    await tree.getByRole('row', { name: new RegExp(name(5_000)) }).waitFor();
    expect(await tree.getByRole('row').count()).toBe(1);
  });

  it('finds folders that have not been expanded, on request', async () => {
    const visit = await ui.visit(lang, { token: { integration_id: 'sandbox' } });
    const { page, messages, checkView } = visit;
    await step2(visit);
    await page.getByRole('searchbox').fill('0987');
    await page.getByText(messages.tree.searchHint).waitFor();
    const match = page.getByRole('treegrid').getByRole('row', { name: german ? /Ordner 0987/ : /Folder 0987/ });
    expect(await match.count()).toBe(0);
    await page.getByRole('button', { name: messages.tree.searchMore }).click();
    await match.waitFor();
    await checkView('tree-search-more');
  });
});
