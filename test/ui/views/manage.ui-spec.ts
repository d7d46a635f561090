import { verifyReturnUrl } from '../../../src/auth/ui-token/return-url';
import { statusSql } from '../../../src/identities/connection-status';
import { eventually } from '../../harness/eventually';
import { documents as documentsDe } from '../../../ui/src/messages/documents/de';
import { documents as documentsEn } from '../../../ui/src/messages/documents/en';
import type { Messages } from '../../../ui/src/messages/en';
import de from '../../../i18n/de/fetches.json';
import en from '../../../i18n/en/fetches.json';
import { LANGUAGES, useUi, type Visit } from '../harness/ui-context';

const REASONS = { en: en.failures, de: de.failures };
const FAILURES = { en: documentsEn.failures, de: documentsDe.failures };

const ui = useUi();
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click();
const statusOf = async (uuid: string) =>
  (
    await ui.query<{ status: string }>(`select ${statusSql('c')} as status from connection c where uuid = $1`, [uuid])
  )[0]?.status;

async function waitForFirstFetch(uuid: string): Promise<void> {
  await eventually(async () => {
    const [row] = await ui.query<{ done: boolean }>(
      "select last_fetch->>'finished_at' is not null as done from connection where uuid = $1",
      [uuid],
    );
    return row?.done;
  }, 'the first fetch ends');
}

async function rejectCredentials(uuid: string): Promise<void> {
  await ui.query(
    "update connection set credentials_rejected_at = now(), failing_since = now(), failure_reason = 'LOGIN_REJECTED', next_fetch_at = null where uuid = $1",
    [uuid],
  );
}

/** Matches the time of the next possible fetch. */
const quotaUsedPattern = ({ connection }: Messages) =>
  new RegExp(connection.quotaUsed(5, 'TIME').replace('TIME', '.*\\d\\d:\\d\\d.*'));

describe.each(LANGUAGES)('managing sources (%s)', (lang) => {
  it('shows the status and the next step of each source', async () => {
    const identity = await ui.client.createIdentity();
    const [good, bad] = [await ui.connection(identity, {}, 'Telefon'), await ui.connection(identity, {}, 'Strom')];
    await waitForFirstFetch(good);
    await waitForFirstFetch(bad);
    await rejectCredentials(bad);
    const { page, messages, checkView, heading } = await ui.visit(lang, { identity });
    await heading(messages.overview.title);
    await page.getByText(messages.overview.attention(1)).waitFor();
    await checkView('overview');
    await page.getByRole('link', { name: messages.action.UPDATE_CREDENTIALS }).click();
    await heading(messages.repair.title('Strom'));
    await checkView('credentials-rejected');
    await page.locator('[data-field="password"] input').fill('new');
    await page.getByRole('button', { name: messages.edit.submit }).click();
    await page.getByText(messages.recovery.works(1)).waitFor();
    await heading('Strom');
    expect(await statusOf(bad)).toBe('ACTIVE');
    await page.getByRole('link', { name: messages.edit.more }).click();
    await page.locator('.state', { hasText: messages.status.ACTIVE }).waitFor();
    await checkView('connection-recovered');
  });

  it('shows the documents that could not be fetched, and skips one after a confirmation', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity, { documents: 3, scenario: 'unreadable_document' }, 'Telefon');
    await waitForFirstFetch(uuid);
    const [failure] = await ui.query<{ filename: string; code: keyof (typeof REASONS)['en'] }>(
      'select filename, code from document_failure where connection_uuid = $1',
      [uuid],
    );
    const { filename, code } = failure!;
    const failures = FAILURES[lang];
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView, heading } = visit;
    await page.getByRole('link', { name: messages.overview.manage('Telefon') }).click();
    await heading('Telefon');
    await page.getByRole('heading', { name: failures.title(1) }).waitFor();
    await page.getByRole('paragraph').filter({ hasText: filename }).waitFor();
    await page.getByText(REASONS[lang][code]).waitFor();
    await checkView('connection-failed-documents');

    const skip = page.getByRole('button', { name: `${failures.dismiss} ${filename}` });
    await skip.click();
    await page.getByRole('alertdialog').waitFor();
    await checkView('skip-document');
    await press(visit, messages.cancel);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    const dismissed = async () =>
      (
        await ui.query<{ skipped: boolean }>(
          'select dismissed_at is not null as skipped from document_failure where connection_uuid = $1',
          [uuid],
        )
      )[0]?.skipped;
    expect(await dismissed()).toBe(false);

    await skip.click();
    await press(visit, failures.confirm);
    await page.getByText(failures.dismissed(filename)).waitFor();
    await page.getByRole('heading', { name: failures.title(1) }).waitFor({ state: 'detached' });
    expect(await dismissed()).toBe(true);
  });

  it('renames, pauses, resumes, fetches, changes the selection, shows settings and history, and deletes', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity, { documents: 2 });
    await waitForFirstFetch(uuid);
    const visit = await ui.visit(lang, { identity });
    const { page, messages, checkView, heading } = visit;
    await page.getByRole('link', { name: messages.overview.manage('Portal') }).click();
    await heading('Portal');
    await press(visit, messages.connection.settings);
    await page.getByText(messages.connection.secret).waitFor();
    await page.locator('.events li').first().waitFor();
    await checkView('connection');

    await press(visit, messages.connection.rename);
    await page.getByRole('dialog').getByRole('textbox').fill('Stadtwerke');
    await checkView('rename');
    await page.getByRole('dialog').getByRole('button', { name: messages.rename.submit }).click();
    await heading('Stadtwerke');
    await page.getByText(messages.connection.renamed, { exact: true }).waitFor();

    await press(visit, messages.connection.fetchNow);
    await page.getByText(messages.connection.fetchDone(1)).waitFor();
    for (let n = 1; n < 5; n++) {
      const key = { uuid };
      await ui.client.request('post', `/v1/connections/${key.uuid}/fetch-now`).expect(202);
    }
    await press(visit, messages.connection.fetchNow);
    await page.getByRole('alert').waitFor();
    await page.getByText(quotaUsedPattern(messages)).waitFor();
    // The time is shown once.
    expect(await page.getByRole('alert').textContent()).not.toMatch(/\d\d:\d\d/);
    await checkView('fetch-rejected');

    await press(visit, messages.connection.disable);
    await page.getByText(messages.connection.disabled).waitFor();
    expect(await page.getByText(messages.fetched.paused).count()).toBe(0);
    expect(await statusOf(uuid)).toBe('DISABLED');
    await checkView('connection-paused');
    await press(visit, messages.connection.enable);
    await page.getByText(messages.connection.enabled).waitFor();
    expect(await statusOf(uuid)).toBe('ACTIVE');

    await page.getByRole('link', { name: messages.connection.selection }).click();
    await heading(messages.content.titleEdit);
    await page.locator('[data-field="kinds"]').locator('.check').last().click();
    await checkView('content-edit');
    await press(visit, messages.content.submitEdit);
    await page.getByText(messages.content.saved).waitFor();

    await press(visit, messages.connection.remove);
    await page.getByRole('alertdialog').waitFor();
    await checkView('delete');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await press(visit, messages.connection.remove);
    await page.getByRole('alertdialog').getByRole('button', { name: messages.remove.submit }).click();
    await heading(messages.overview.emptyTitle);
    await page.getByText(messages.remove.doneText('Stadtwerke')).waitFor();
    expect(await statusOf(uuid)).toBeUndefined();
    await press(visit, messages.leave.to('Muster Buchhaltung'));
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
    expect(verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() })).toMatchObject({
      result: 'success',
      action: 'deleted',
      connection_uuid: uuid,
    });
  });

  it('opens a preselected connection in its edit view, without access to other sources, and returns when cancelled', async () => {
    const identity = await ui.client.createIdentity();
    const uuid = await ui.connection(identity);
    await ui.connection(identity, {}, 'Other');
    const visit = await ui.visit(lang, { identity, token: { connection_uuid: uuid } });
    const { page, messages, checkView, heading } = visit;
    await heading(messages.edit.title('Portal'));
    expect(await page.getByRole('link', { name: messages.back }).count()).toBe(0);
    await checkView('credentials');
    await page.getByRole('link', { name: messages.edit.more }).click();
    await heading('Portal');
    expect(await page.getByText('Other').count()).toBe(0);
    await press(visit, messages.leave.to('Muster Buchhaltung'));
    await page.waitForURL((url) => url.origin === ui.clientSite.origin);
    expect(verifyReturnUrl(page.url(), ui.client.signingSecret, { now: ui.app.clock.now() })).toMatchObject({
      result: 'cancelled',
      action: 'none',
      connection_uuid: uuid,
    });
  });
});
