import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { en as connectionTexts } from '../../../console/src/views/connection/messages/en';
import { de as transactionTexts } from '../../../console/src/views/transaction/messages/de';
import { en as transactionEn } from '../../../console/src/views/transaction/messages/en';
import { en } from '../../../console/src/views/transactions/messages/en';
import { LIMITS } from '../../../console/src/api/limits';
import { en as connectionsEn } from '../../../console/src/views/connections/messages/en';
import { attention } from '../../../i18n/en/console.json';
import { openConsole } from '../harness/console-visit';
import { LANGUAGES, MESSAGES, useUi } from '../harness/ui-context';

const ui = useUi();
const strategy = 'POLLING';
let connection: string;
let transaction: string;

beforeAll(async () => {
  const identity = await ui.client.createIdentity('kunde-4711');
  connection = await ui.fetchedConnection(identity, { fields: { documents: 12 } });
  const [row] = await ui.query<{ uuid: string }>(
    `select uuid from transaction where connection_uuid = $1 and metadata ? 'e_invoice' order by created_at, uuid limit 1`,
    [connection],
  );
  transaction = row!.uuid;
  const broken = await ui.fetchedConnection(identity, {
    name: 'Broken',
    fields: { scenario: 'password_changed', fails_from: 'later_fetch' },
  });
  await ui.fetchNow(broken);
  await ui.query(`update transaction set status = 'FAILED' where uuid = $1`, [transaction]);
  await ui.query(
    `insert into delivery_attempt (uuid, environment_uuid, retention_class, transaction_uuid, number, started_at, duration_ms, status,
       error_code, response_excerpt)
     select uuidv7(), uuid, retention_class, $1, 1, now(), 312, 500, 'UNEXPECTED_STATUS', '{"error":"no ledger"}'
     from environment where uuid = $2`,
    [transaction, ui.client.environmentUuid],
  );
});

describe.each(LANGUAGES)('every view (%s)', (lang) => {
  it.each([1280, 320])('is accessible and fits %i pixels', async (width) => {
    const { go, checkView, page } = await openConsole(ui, lang, {
      width,
      role: width === 320 ? 'SUPPORT' : 'DEVELOPER',
    });
    const views: [name: string, address: string, shown: string][] = [
      ['overview', '', '.chart'],
      ['connections', 'connections', '.list tbody tr'],
      ['transactions', 'transactions', '.list tbody tr'],
      ['connection', `connections/${connection}`, '.list tbody tr'],
      ['connection-fetches', `connections/${connection}?tab=fetches`, '.list tbody tr'],
      ['connection-failures', `connections/${connection}?tab=failures`, '.list .empty'],
      ['transaction', `transactions/${transaction}`, '.section:last-child table, .section:last-child .state'],
    ];
    for (const [name, address, shown] of views) {
      await go(address);
      await page.locator(shown).first().waitFor();
      await checkView(`console-${name}`);
    }
  });
});

describe('the repair of a delivery', () => {
  it('shows what was sent and answered, without secrets', async () => {
    const { page, go, checkView } = await openConsole(ui, 'de');
    await go(`transactions/${transaction}`);
    await page.getByText('no ledger').waitFor();
    await page.getByRole('button', { name: transactionTexts.showRequest(1) }).click();
    const request = page.getByRole('region', { name: transactionTexts.showRequest(1) });
    await request.waitFor();
    expect(await request.textContent()).toContain('webhook-signature: v1,***');
    await checkView('console-attempt');
  });

  it('redelivers all that match, after it has counted them, in the background', async () => {
    const { page, go, checkView } = await openConsole(ui, 'en');
    await go('transactions?status=FAILED');
    await page.getByRole('button', { name: en.redeliver.all }).click();
    const dialog = page.getByRole('alertdialog', { name: en.redeliver.title });
    await dialog.getByText(en.redeliver.count[strategy](1, '1')).waitFor();
    await checkView('console-redeliver-all');
    await dialog.getByRole('button', { name: en.redeliver.submit }).click();
    const progress = page.getByText(
      `${en.redeliver.withStatus(en.statuses.FAILED)}: ${en.redeliver.progress('1', '1')}, ${en.redeliver.finished}`,
    );
    await progress.waitFor();
    await checkView('console-redelivery');
    await go('connections');
    await go('transactions');
    await progress.waitFor();
  });

  it('redelivers selected documents, and says how many', async () => {
    const { page, go, checkView } = await openConsole(ui, 'en');
    await go('transactions');
    const boxes = page.locator('.list tbody input[type="checkbox"]');
    await boxes.first().check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: en.redeliver.selected(2) }).click();
    const dialog = page.getByRole('alertdialog', { name: en.redeliver.title });
    await dialog.getByText(en.redeliver.count[strategy](2, '2')).waitFor();
    await checkView('console-redeliver');
    const keys = await page.locator('tr:has(input:checked)').evaluateAll((rows) => rows.map((row) => row.dataset.key));
    await dialog.getByRole('button', { name: en.redeliver.submit }).click();
    await page.getByText(en.redeliver.requested(2, '2')).waitFor();
    await page
      .getByText(`${en.redeliver.chosen}: ${en.redeliver.progress('2', '2')}, ${en.redeliver.finished}`)
      .waitFor();
    expect(await page.locator('.list tbody input:checked').count()).toBe(0);
    const restarted = await ui.query<{ uuid: string }>(
      'select uuid from transaction where restarted_at is not null and uuid <> $1 order by uuid',
      [transaction],
    );
    expect(restarted.map(({ uuid }) => uuid)).toEqual(keys.sort());
  });

  it('selects no more documents than can be redelivered at once, and none that a filter has hidden', async () => {
    const { page, go, texts } = await openConsole(ui, 'en');
    const { max } = LIMITS.redeliveredDocuments;
    const uuids = Array.from({ length: max + 1 }, () => randomUUID());
    const ofList = /\/v1\/console\/transactions\?/;
    await page.route(ofList, async (route) => {
      const response = await route.fetch();
      const { data, meta } = (await response.json()) as { data: [object]; meta: object };
      await route.fulfill({
        response,
        json: { data: uuids.map((transaction_uuid) => ({ ...data[0], transaction_uuid })), meta },
      });
    });
    await go('transactions');
    const boxes = page.locator('.list tbody input[type="checkbox"]');
    await boxes.nth(max).waitFor();
    await page.getByLabel(texts.list.selectAll).check();
    const redeliver = page.getByRole('button', { name: en.redeliver.selected(max) });
    await redeliver.waitFor();
    await page.getByText(en.redeliver.maxSelected('1,000')).waitFor();
    expect(await boxes.nth(max - 1).isChecked()).toBe(true);
    expect(await boxes.nth(max).isDisabled()).toBe(true);
    await boxes.first().uncheck();
    expect(await boxes.nth(max).isDisabled()).toBe(false);
    // The list may be loading at this moment.
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('combobox', { name: en.status }).selectOption('AVAILABLE');
    await page.getByRole('button', { name: en.redeliver.selected(max - 1) }).waitFor({ state: 'detached' });
    expect(await page.locator('.list tbody input:checked').count()).toBe(0);
  });

  it('opens the content only when asked for, and records that', async () => {
    const { page, go } = await openConsole(ui, 'en');
    const opened = () => ui.query(`select 1 from audit_log where action = 'document.open'`);
    await go(`transactions/${transaction}`);
    const download = page.getByRole('button', { name: 'Download', exact: true });
    await download.waitFor();
    expect(await opened()).toHaveLength(0);
    const [saved] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(saved.suggestedFilename()).toMatch(/\.xml$/);
    expect(await opened()).toHaveLength(1);
  });

  it('opens an e-invoice as a page, also when the browser blocks new windows', async () => {
    const { page, go, checkView } = await openConsole(ui, 'en');
    await go(`transactions/${transaction}`);
    const read = page.getByRole('button', { name: transactionEn.read });
    const expectPage = async (press: () => Promise<void>) => {
      const [tab] = await Promise.all([page.waitForEvent('popup'), press()]);
      await tab.getByRole('heading', { level: 2, name: 'Seller' }).waitFor();
      await tab.close();
    };
    await expectPage(() => read.click());
    await page.evaluate(() => Object.assign(window, { open: () => null }));
    await read.click();
    await page.getByText(transactionEn.blocked).waitFor();
    await checkView('console-page-blocked');
    await expectPage(() => page.getByRole('link', { name: transactionEn.open }).click());
  });

  it('saves the other forms of a document, and records that', async () => {
    // The content of another document becomes that of a form of this one.
    const [form] = await ui.query<{ uuid: string; filename: string; mime_type: string; size: number; sha256: string }>(
      `with other as (select * from transaction where connection_uuid = $1 and uuid <> $2 and mime_type = 'application/pdf'
         and content_uuid is not null order by uuid limit 1),
       taken as (update transaction t set content_uuid = null from other where t.uuid = other.uuid)
       insert into rendition (uuid, environment_uuid, connection_uuid, transaction_uuid, dedupe_key, filename, mime_type, size, sha256,
         content_uuid, content_chunks, created_at)
       select uuid, environment_uuid, connection_uuid, $2, 'rendition', filename, mime_type, size, sha256, content_uuid, content_chunks,
         created_at
       from other returning uuid, filename, mime_type, size::int, sha256`,
      [connection, transaction],
    );
    const { uuid: rendition_id, ...file } = form!;
    await ui.query(
      `update transaction set metadata = metadata || jsonb_build_object('renditions', $2::jsonb) where uuid = $1`,
      [transaction, JSON.stringify([{ rendition_id, ...file }])],
    );
    const { page, go } = await openConsole(ui, 'en');
    await go(`transactions/${transaction}`);
    const button = page.getByRole('button', { name: transactionEn.renditionDownload(file.filename) });
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(saved.suggestedFilename()).toBe(file.filename);
    expect(
      createHash('sha256')
        .update(readFileSync(await saved.path()))
        .digest('hex'),
    ).toBe(file.sha256);
    await page.getByText(transactionEn.saved).waitFor();
    const recorded = `select 1 from audit_log where action = 'document.open' and details->>'rendition_id' = $1`;
    expect(await ui.query(recorded, [rendition_id])).toHaveLength(1);
  });

  it('says that the environment forbids the content', async () => {
    const setContent = (isAllowed: boolean) =>
      ui.query('update environment set console_content = $2 where uuid = $1', [ui.client.environmentUuid, isAllowed]);
    const { page, go, checkView, texts } = await openConsole(ui, 'de');
    await setContent(false);
    await go(`transactions/${transaction}`);
    await page.getByRole('button', { name: transactionTexts.download, exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(texts.problem.forbiddenTitle).waitFor();
    await alert.getByText('Dokumente lassen sich hier nicht öffnen.').waitFor();
    await checkView('console-content-forbidden');
    await setContent(true);
    await page.getByRole('button', { name: transactionTexts.download, exact: true }).click();
    await page.getByText(transactionTexts.saved).waitFor();
    expect(await alert.count()).toBe(0);
  });
});

describe('the overview', () => {
  it('leads to the invoices that are missing', async () => {
    const data = {
      supplier: { name: 'Stadtwerke' },
      last_dates: ['2026-09-01', '2026-10-01'],
      expected_by: '2026-11-08',
    };
    await ui.query(
      `insert into outbox (uuid, environment_uuid, retention_class, subject_uuid, type, data, created_at, dispatched_at)
       values (uuidv7(), $1, 'STANDARD', $2, 'document.expected_missing', $3, now(), now())`,
      [ui.client.environmentUuid, connection, data],
    );
    const { page } = await openConsole(ui, 'en');
    await page.getByRole('link', { name: attention.DOCUMENTS_MISSING.one }).click();
    await page.getByRole('row').filter({ hasText: 'Stadtwerke' }).waitFor();
    expect(page.url()).toMatch(/sources\?tab=expected$/);
  });
});

describe('a part of a view that cannot be loaded', () => {
  it('is named, and can be loaded again', async () => {
    const part = /\/v1\/(integrations|environment)(\?|$)/;
    const json = { status: 422, code: 'VALIDATION_FAILED', detail: 'The request is wrong.', errors: [] };
    const { page, texts, go, checkView } = await openConsole(ui, 'en', {
      beforeOpen: (opened) => opened.route(part, (route) => route.fulfill({ status: 422, json })),
    });
    await go('connections');
    const alerts = [texts.environment.notLoaded, connectionsEn.noIntegrations].map((text) =>
      page.getByRole('alert').filter({ hasText: `${text} ${json.detail}` }),
    );
    for (const alert of alerts) await alert.waitFor();
    await checkView('console-parts-not-loaded');
    await page.unroute(part);
    for (const alert of alerts) {
      await alert.getByRole('button', { name: MESSAGES.en.retry }).click();
      await alert.waitFor({ state: 'detached' });
    }
    await page.locator('.top').getByText('Acme · Test').waitFor();
  });
});

describe('with forced colors', () => {
  it('charts, their legends and the current view can be told apart', async () => {
    const { page, screenshot, go } = await openConsole(ui, 'en');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('.chart').first().waitFor();
    const colorsOf = (selector: string, property: 'fill' | 'backgroundColor' | 'outlineStyle' | 'borderColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element)[name], property);
    const canvas = await colorsOf('.section', 'backgroundColor');
    const legend = [
      await colorsOf('.legend-ok', 'backgroundColor'),
      await colorsOf('.legend-failed', 'backgroundColor'),
    ];
    expect(legend).toEqual([await colorsOf('.bar-ok', 'fill'), await colorsOf('.bar-failed', 'fill')]);
    expect(new Set([canvas, ...legend]).size).toBe(3);
    await screenshot('console-overview-forced-colors');
    await go('connections');
    await page.locator('.list tbody tr').first().waitFor();
    const current = page.locator('.nav-link[aria-current]');
    const styleOf = (link: typeof current) => link.evaluate((it) => getComputedStyle(it).outline);
    expect(await styleOf(current)).not.toBe(await styleOf(page.locator('.nav-link:not([aria-current])').first()));
    await screenshot('console-connections-forced-colors');
  });
});

describe('one connection', () => {
  it('can be fetched, disabled and enabled, and its user gets a link', async () => {
    const { page, go, texts } = await openConsole(ui, 'en');
    await go(`connections/${connection}`);
    await page.getByRole('button', { name: 'Fetch now' }).click();
    await page.getByText(connectionTexts.fetchRequested).waitFor();
    await page.getByRole('button', { name: connectionTexts.link }).click();
    const dialog = page.getByRole('dialog', { name: connectionTexts.linkTitle });
    await dialog.getByRole('button', { name: connectionTexts.createLink }).click();
    const link = await dialog.locator('.copyable code').textContent();
    expect(link).toContain(`${ui.app.settings.publicUrl}/ui`);
    await dialog.getByRole('button', { name: texts.close }).click();
    await page.getByRole('button', { name: connectionTexts.disable }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: connectionTexts.disable }).click();
    await page.getByText(connectionTexts.disabled).waitFor();
    await page.getByRole('button', { name: connectionTexts.enable }).click();
    await page.getByText(connectionTexts.enabled).waitFor();
  });

  it('of the sandbox does what the page decides', async () => {
    const { page, go, checkView, refresh } = await openConsole(ui, 'en');
    const count = async () =>
      (await ui.query('select 1 from transaction where connection_uuid = $1', [connection])).length;
    const before = await count();
    await go(`connections/${connection}`);
    await page.getByLabel(connectionTexts.placeCount).fill('2');
    await page.getByRole('button', { name: connectionTexts.placeSubmit }).click();
    await page.getByText(connectionTexts.placed(2)).waitFor();
    await ui.fetchNow(connection);
    expect((await count()) - before).toBeGreaterThanOrEqual(2);
    await page.getByLabel(connectionTexts.scenario).selectOption('password_changed');
    await page.getByRole('button', { name: connectionTexts.applyScenario }).click();
    await page.getByText(connectionTexts.scenarioApplied).waitFor();
    await checkView('console-sandbox');
    await ui.fetchNow(connection);
    await refresh();
    await page.locator('.view-title .state.bad').first().waitFor();
  });
});
