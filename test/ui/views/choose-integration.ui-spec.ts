import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const ui = useUi();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openList(visit: Visit): Promise<void> {
  await visit.page.getByRole('link', { name: visit.messages.overview.add }).click();
  await visit.heading(visit.messages.choose.title);
}

const requestsOf = (identity: string) =>
  ui.query<{ data: object }>("select data from outbox where subject_uuid = $1 and type = 'source.requested'", [
    identity,
  ]);

describe.each(LANGUAGES)('the list of sources (%s)', (lang) => {
  it('hides unavailable sources, and has used ones first, then mailboxes by name', async () => {
    const identity = await ui.client.createIdentity();
    await ui.connection(identity);
    const visit = await ui.visit(lang, { identity });
    const { page, messages } = visit;
    await openList(visit);
    const tiles = (await page.locator('.tile-name').allTextContents()).map((name) => name.trim());
    expect(tiles.filter((name) => /Google Drive|Outlook|Dropbox/.test(name))).toEqual([]);
    expect(tiles[0]).toMatch(/^Sandbox/);
    const kinds = await page.locator('.tile .about').allTextContents();
    const mailboxes = kinds.lastIndexOf(messages.choose.kind.MAILBOX);
    expect(mailboxes).toBeGreaterThan(5);
    expect(new Set(kinds.slice(1, mailboxes + 1))).toEqual(new Set([messages.choose.kind.MAILBOX]));
    const names = tiles.slice(1, mailboxes + 1);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, lang)));
    expect(kinds.slice(mailboxes + 1)).not.toContain(messages.choose.kind.MAILBOX);
  });

  it.each([820, 320])('passes a missing source to the client, with the keyboard alone (%i pixels)', async (width) => {
    const identity = await ui.client.createIdentity();
    const visit = await ui.visit(lang, { identity, width });
    const { page, messages, checkView } = visit;
    const { missing } = messages.choose;
    await openList(visit);
    await page.getByRole('searchbox').fill('Stadtwerke Süd');
    await page.getByText(messages.choose.nothing('Stadtwerke Süd')).waitFor();
    await checkView('missing-source-nothing');
    const opener = page.getByRole('button', { name: missing.title });
    await opener.focus();
    await page.keyboard.press('Enter');
    const input = page.getByRole('textbox', { name: missing.label });
    await input.waitFor();
    expect(await input.inputValue()).toBe('Stadtwerke Süd');
    expect(await input.evaluate((it) => it === document.activeElement)).toBe(true);
    await checkView('missing-source-form');
    await press(visit, messages.cancel);
    expect(await opener.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await input.fill(' ');
    await page.keyboard.press('Enter');
    await page.locator('.field-error', { hasText: messages.fields.errors.REQUIRED }).waitFor();
    expect(await requestsOf(identity)).toEqual([]);
    await input.fill('  Stadtwerke \t Süd ');
    await page.keyboard.press('Enter');
    await page.getByText(missing.done('Stadtwerke Süd', 'Muster Buchhaltung')).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Stadtwerke Süd');
    await checkView('missing-source-sent');
    expect(await requestsOf(identity)).toEqual([{ data: { identity_uuid: identity, text: 'Stadtwerke Süd' } }]);
  });

  it('shows that too many sources were requested, and keeps the text', async () => {
    const identity = await ui.client.createIdentity();
    const token = await ui.client.createToken(identity, { return_url: ui.clientSite.returnUrl });
    for (let n = 0; n < 10; n++)
      await ui.client
        .requestWithToken(token, 'post', '/v1/ui/source-requests')
        .send({ text: `Source ${n}` })
        .expect(204);
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView } = visit;
    const { missing } = messages.choose;
    await openList(visit);
    await press(visit, missing.title);
    await page.getByRole('textbox', { name: missing.label }).fill('One more');
    await press(visit, missing.submit);
    expect(await page.getByRole('alert').textContent()).toMatch(/10 Quellen|10 sources/);
    expect(await page.getByRole('textbox', { name: missing.label }).inputValue()).toBe('One more');
    await checkView('missing-source-quota');
  });
});
