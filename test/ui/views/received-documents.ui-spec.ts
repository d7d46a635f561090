import { documents as documentsDe } from '../../../ui/src/messages/documents/de';
import { documents as documentsEn } from '../../../ui/src/messages/documents/en';
import { filtered as filteredDe } from '../../../ui/src/messages/filtered/de';
import { filtered as filteredEn } from '../../../ui/src/messages/filtered/en';
import type { Locator } from 'playwright-core';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const DOCUMENTS_TEXTS = { en: documentsEn, de: documentsDe };
const FILTERED = { en: filteredEn, de: filteredDe };
const LEFT_OUT = {
  en: '2 images belong to the text of e-mails, such as logos.',
  de: '2 Bilder gehören zum Text von E-Mails, etwa Logos.',
};

const ui = useUi();
const DOCUMENTS = 12;

async function openConnection(visit: Visit): Promise<void> {
  await visit.page.getByRole('link', { name: visit.messages.overview.manage('Portal') }).click();
  await visit.heading('Portal');
}

/** An XML invoice opens as a page in another tab, with its style sheet. */
async function readInvoice({ page, messages, lang }: Visit, rows: Locator): Promise<void> {
  const row = rows.filter({ hasText: /\.xml/ }).first();
  const opened = page.waitForEvent('popup');
  await row.getByRole('button', { name: messages.documents.read }).click();
  const tab = await opened;
  await tab.getByRole('heading', { level: 2, name: lang === 'de' ? 'Verkäufer' : 'Seller' }).waitFor();
  expect(await tab.locator('main').evaluate((it) => getComputedStyle(it).maxWidth)).toBe('960px');
  await tab.close();
}

describe.each(LANGUAGES)('the documents of a source (%s)', (lang) => {
  it('are listed page by page, with what they are and whether they have been delivered', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.fetchedConnection(identity, { fields: { documents: DOCUMENTS } });
    await ui.fetchNow(uuid); // finds one more
    const leftOut = { INLINE_IMAGE: 2, TYPE: 1 };
    await ui.query(
      'update "fetch" set seen = seen + 3, filtered = 3, filtered_by = $2 where connection_uuid = $1 and new = 1',
      [uuid, JSON.stringify(leftOut)],
    );
    const { body } = await ui.client.request('get', `/v1/connections/${uuid}/transactions?limit=2`).expect(200);
    const [newest, accepted] = (body as { data: { transaction_uuid: string; document: { filename: string } }[] }).data;
    await ui.client
      .request('post', `/v1/transactions/${accepted!.transaction_uuid}/acknowledge`)
      .send({ result: 'ACCEPTED' })
      .expect(204);
    const rendition = {
      rendition_id: uuid,
      filename: 'invoice.pdf',
      mime_type: 'application/pdf',
      size: 1,
      sha256: '0'.repeat(64),
    };
    await ui.query(
      `update transaction set metadata = metadata || jsonb_build_object('renditions', $2::jsonb) where uuid = $1`,
      [newest!.transaction_uuid, JSON.stringify([rendition])],
    );

    for (const width of [1280, 320]) {
      const visit = await ui.visit(lang, { identity, width });
      const { page, messages, checkView } = visit;
      await openConnection(visit);
      const section = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: messages.documents.title }) });
      const rows = section.locator('.documents li');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(10);
      const first = await rows.first().innerText();
      expect(first).toContain(newest!.document.filename);
      expect(first).toContain(DOCUMENTS_TEXTS[lang].delivery.AVAILABLE);
      expect(first).toContain(DOCUMENTS_TEXTS[lang].alsoAs('invoice.pdf'));
      expect(first).toMatch(
        lang === 'de' ? /\d\d\.\d\d\.\d{4} · [\d.]+,\d\d\s€/ : /\d{1,2}\s\w{3}\s\d{4} · €[\d,]+\.\d\d/,
      );
      expect(await rows.nth(1).innerText()).toContain(DOCUMENTS_TEXTS[lang].delivery.ACKNOWLEDGED);
      await section.getByRole('button', { name: DOCUMENTS_TEXTS[lang].more }).click();
      await rows.nth(DOCUMENTS).waitFor();
      expect(await rows.count()).toBe(DOCUMENTS + 1);
      await section.getByRole('button', { name: DOCUMENTS_TEXTS[lang].more }).waitFor({ state: 'detached' });

      if (width === 320) await readInvoice(visit, rows);

      // The history has them too, at the fetch that has brought them.
      const history = page.locator('.timeline');
      await history.getByRole('button', { name: DOCUMENTS_TEXTS[lang].ofFetch(1) }).click();
      await history.getByText(newest!.document.filename).waitFor();
      expect(await history.locator('.documents li').count()).toBe(1);
      await history.getByRole('button', { name: DOCUMENTS_TEXTS[lang].ofFetch(DOCUMENTS) }).press('Enter');
      await history.locator('.documents li').nth(10).waitFor();
      // And what was left out, with the reason.
      await history.getByRole('button', { name: FILTERED[lang].title(3) }).press('Enter');
      await history.getByText(LEFT_OUT[lang]).waitFor();
      await checkView(width === 1280 ? 'documents-wide' : 'documents');
    }
  });

  it('can be fetched while the quota lasts, which the button shows', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.fetchedConnection(identity, {});
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView } = visit;
    await openConnection(visit);
    const button = page.getByRole('button', { name: messages.connection.fetchNow });
    await page.getByText(messages.connection.quota(5)).waitFor();
    await button.click();
    await page.getByText(messages.connection.fetchDone(1)).waitFor();
    await page.getByText(messages.connection.quota(4)).waitFor();
    for (let n = 1; n < 4; n++) await ui.client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    await button.click();
    const used = page.getByText(messages.connection.quotaUsed(5, 'TIME').split('TIME')[0]!);
    await used.waitFor();
    expect(await used.innerText()).toMatch(/\d\d:\d\d/);
    // It keeps the focus, and its description says why it does nothing.
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    expect(await button.evaluate((it) => document.activeElement === it)).toBe(true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.method()));
    await page.keyboard.press('Enter');
    await checkView('fetch-quota-used');
    expect(requests).not.toContain('POST');
  });

  it('can be fetched again by itself when the quota allows it', async () => {
    const identity = await ui.client.createIdentity();
    await ui.fetchedConnection(identity, {});
    const visit = await ui.visit(lang, { identity });
    const { page, messages } = visit;
    await page.route('**/v1/connections/*', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { data: { manual_fetches: object } };
      json.data.manual_fetches = { limit: 5, remaining: 0, resets_at: new Date(Date.now() + 3_000).toISOString() };
      await route.fulfill({ response: answer, json });
    });
    await openConnection(visit);
    const button = page.getByRole('button', { name: messages.connection.fetchNow });
    await button.and(page.locator('[aria-disabled="true"]')).waitFor();
    await page.unroute('**/v1/connections/*');
    await page.getByText(messages.connection.quota(5)).waitFor();
    await button.click();
    await page.getByText(messages.connection.fetchDone(1)).waitFor();
  });
});
