import { SANDBOX_TILE, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();

/** Presses Tab until an element with this accessible name has the focus. */
async function tabTo({ page }: Visit, name: RegExp | string): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab');
    const focusedName = await page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      const id = at?.getAttribute('aria-labelledby')?.split(' ')[0];
      const label = at?.labels?.[0] ?? (id && document.getElementById(id));
      return [at?.textContent, at?.getAttribute('aria-label'), label && label.textContent].filter(Boolean).join(' ');
    });
    if (typeof name === 'string' ? focusedName.includes(name) : name.test(focusedName)) return;
  }
  throw new Error(`Tab does not reach ${String(name)}.`);
}

describe('accessibility', () => {
  it('can be used with the keyboard alone, from the first view to the documents', async () => {
    const visit = await ui.visit('en');
    const { page, messages, heading } = visit;
    await heading(messages.overview.emptyTitle);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await tabTo(visit, messages.overview.add);
    await page.keyboard.press('Enter');
    await heading(messages.choose.title);
    await tabTo(visit, 'Sandbox');
    await page.keyboard.press('Enter');
    await page.getByText(messages.steps.progress(1, 2)).waitFor();
    await tabTo(visit, 'User name');
    await page.keyboard.type('demo');
    await tabTo(visit, 'Password');
    await page.keyboard.type('secret');
    await page.keyboard.press('Enter');
    await heading(messages.content.title);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.getByRole('treegrid').waitFor();
    const inTree = () => page.evaluate(() => document.activeElement?.closest('[role="treegrid"]') !== null);
    for (let n = 0; n < 10 && !(await inTree()); n++) await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Folder 0003').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText(messages.tree.selected(2)).waitFor();
    await tabTo(visit, messages.content.submit);
    await page.keyboard.press('Enter');
    await heading(messages.done.title);
    await page.getByText(messages.done.finished(3)).waitFor();
    await tabTo(visit, messages.leave.finishTo('Muster Buchhaltung'));
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
  });

  it('renders only visible rows of a thousand folders, and finds a folder', async () => {
    const visit = await ui.visit('en', { token: { integration_id: 'sandbox' } });
    const { page, messages, checkView, heading } = visit;
    await page.locator('[data-field="user"] input').fill('demo');
    await page.locator('[data-field="password"] input').fill('secret');
    await page.getByRole('button', { name: messages.connect.submit, exact: true }).click();
    await heading(messages.content.title);
    await page
      .getByRole('row', { name: /Archive/ })
      .getByRole('button')
      .click();
    await page.getByText('Folder 0001').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await checkView('tree-open');
    await page.getByRole('searchbox').fill('older 0987');
    await page.getByRole('row', { name: /Folder 0987/ }).waitFor();
    await checkView('tree-search');
    await page
      .getByRole('row', { name: /Folder 0987/ })
      .locator('.check')
      .click();
    await page.getByText(messages.tree.selected(2)).waitFor();
  });

  it.each(['en', 'de'] as const)('fits a width of 320 pixels (%s)', async (lang) => {
    const identity = await ui.client.createIdentity();
    await ui.connection(identity, {}, 'Donaudampfschifffahrtsgesellschaftsrechnungspostfach');
    const { page, messages, checkView, heading } = await ui.visit(lang, { identity, width: 320 });
    await heading(messages.overview.title);
    await checkView('overview');
    await page.getByRole('link', { name: messages.overview.add }).click();
    await heading(messages.choose.title);
    await checkView('choose');
    await page.getByRole('button', { name: SANDBOX_TILE }).first().click();
    await page.getByText(messages.steps.progress(1, 2)).waitFor();
    await checkView('connect');
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: /Donau/ }).click();
    await page.locator('.events li').first().waitFor();
    await checkView('connection');
    await page.getByRole('link', { name: messages.connection.selection }).click();
    await page.getByRole('treegrid').waitFor();
    await checkView('content');
  });
});
