import { ublInvoice } from '../../../builders/invoice-documents';
import { aMail } from '../../../builders/mail-builder';
import { FakeGmail } from '../../../fakes/gmail/fake-gmail';
import { refused } from '../../../fakes/google/answers';
import { DOCUMENT } from '../../../fakes/google-drive/drive-state';
import { FakeGoogleDrive } from '../../../fakes/google-drive/fake-google-drive';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { invoiceMail, pdfBytes } from '../../../interop/imap/invoice-mails';
import { sha256 } from '../../../interop/imap/mailbox-session';
import { connectWithOAuth, getConnection, TestEngine } from '../../../harness/engine/test-engine';

const PER_USER = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'x'.";

describe('Fetching from Google', () => {
  let engine: TestEngine;
  let client: TestClient;
  let gmail: FakeGmail;
  let drive: FakeGoogleDrive;
  let accounts = 0;

  beforeAll(async () => {
    [gmail, drive] = await Promise.all([FakeGmail.start(), FakeGoogleDrive.start()]);
    engine = await TestEngine.start({ settings: { providers: { ...gmail.settings, ...drive.settings } } });
    client = await createTestClient(engine.app);
  });
  beforeEach(() => {
    accounts++;
    for (const { authorization } of [gmail, drive]) authorization.account = `user${accounts}@example.com`;
  });
  afterEach(() => {
    gmail.fault = drive.fault = () => undefined;
  });
  afterAll(async () => {
    await engine.stop();
    await Promise.all([gmail.stop(), drive.stop()]);
    expect([...gmail.violations, ...drive.violations]).toEqual([]);
  });

  const fetchAgain = async (uuid: string, count: number) => {
    await client.request('post', `/v1/connections/${uuid}/fetch-now`).expect(202);
    return engine.waitForLastFetch(uuid, count);
  };

  it('records the documents of mails with their bytes, types and metadata, and then new ones', async () => {
    const box = gmail.mailbox();
    const label = box.label('Rechnungen/2026');
    const xml = ublInvoice({ number: 'RE-2026-77', date: '2026-03-01' });
    box.deliver(
      invoiceMail(['a.pdf', pdfBytes('a')])
        .subject('Ihre Rechnung')
        .build(),
      [label],
    );
    box.deliver(aMail().attach({ content: xml, mimeType: 'application/octet-stream', filename: 'x.xml' }).build(), [
      label,
    ]);
    box.deliver(invoiceMail('other.pdf').build(), ['INBOX']);
    const uuid = await connectWithOAuth(engine, client, 'gmail', { labels: [label] });
    expect(await engine.waitForLastFetch(uuid, 1)).toMatchObject({
      trigger: 'INITIAL',
      status: 'SUCCEEDED',
      new: 2,
      failed: 0,
    });
    const rows = await engine.transactions(uuid);
    expect(rows.find(({ filename }) => filename === 'a.pdf')).toMatchObject({
      sha256: sha256(pdfBytes('a')),
      external_id: null,
      mime_type: 'application/pdf',
      metadata: { source: { kind: 'mail', path: 'Rechnungen/2026', subject: 'Ihre Rechnung' } },
    });
    expect(rows.find(({ filename }) => filename === 'x.xml')).toMatchObject({
      sha256: sha256(xml),
      document_type: 'invoice',
      metadata: { number: 'RE-2026-77', e_invoice: { format: 'XRECHNUNG' } },
    });
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'ACTIVE',
      health: 'OK',
      account: { display: gmail.authorization.account },
    });
    box.deliver(invoiceMail('later.pdf').build(), [label]);
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1, duplicate: 0 });
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
  });

  it('lists a mailbox again within the same fetch when Gmail’s history has expired, and fetches nothing twice', async () => {
    const box = gmail.mailbox();
    for (let n = 0; n < 12; n++) box.deliver(invoiceMail(`${n}.pdf`).build());
    const uuid = await connectWithOAuth(engine, client, 'gmail');
    await engine.waitForFetches(uuid, 1);
    box.deliver(invoiceMail('new.pdf').build());
    box.invalidateHistory();
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 13, new: 1, duplicate: 12 });
    expect(await engine.transactions(uuid)).toHaveLength(13);
    box.deliver(invoiceMail('newer.pdf').build());
    expect(await fetchAgain(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
  });

  it('pauses one user when that user’s quota is exhausted, and resumes without a gap', async () => {
    const box = gmail.mailbox();
    for (let n = 0; n < 12; n++) box.deliver(invoiceMail(`${n}.pdf`).build());
    let attachments = 0;
    const [busy] = [gmail.authorization.account];
    gmail.fault = ({ path }) =>
      path.includes('/attachments/') && ++attachments > 5
        ? { answer: refused(403, 'rateLimitExceeded', undefined, PER_USER), headers: { 'retry-after': '30' } }
        : undefined;
    const uuid = await connectWithOAuth(engine, client, 'gmail');
    const cut = await engine.waitForLastFetch(uuid, 1);
    expect(cut.status).not.toBe('SUCCEEDED');
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', reason: { code: 'RATE_LIMITED' } });
    gmail.fault = () => undefined;

    gmail.authorization.account = 'neighbor@example.com';
    gmail.mailbox().deliver(invoiceMail('neighbor.pdf').build());
    const neighbor = await connectWithOAuth(engine, client, 'gmail');
    expect(await engine.waitForLastFetch(neighbor, 1)).toMatchObject({ status: 'SUCCEEDED', new: 1 });

    gmail.authorization.account = busy;
    await engine.advanceClock(90);
    const rows = await engine.waitForFetches(uuid, 2);
    expect(rows.at(-1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(rows.reduce((sum, fetch) => sum + fetch.new, 0)).toBe(12);
    expect(await engine.transactions(uuid)).toHaveLength(12);
  });

  it('records all files of a drive except one that Google does not export, and states the reason', async () => {
    const files = drive.drive();
    files.put('Brief', Buffer.alloc(11 * 1024 * 1024, 'x'), { mimeType: DOCUMENT });
    for (let n = 0; n < 5; n++) files.put(`${n}.pdf`, pdfBytes(`drive ${n}`));
    files.shortcut('', files.shared('geteilt.pdf', '%PDF shared'));
    const uuid = await connectWithOAuth(engine, client, 'google_drive', { file_types: ['pdf', 'google_docs'] });
    const fetch = await engine.waitForLastFetch(uuid, 1);
    expect(fetch).toMatchObject({ status: 'PARTIAL', new: 6, failed: 1 });
    const shown = await client.request('get', `/v1/fetches/${fetch.uuid}`).set('Lang', 'de').expect(200);
    expect((shown.body as { data: { failures: unknown } }).data.failures).toEqual([
      expect.objectContaining({
        filename: 'Brief.pdf',
        code: 'DOCUMENT_REFUSED',
        message: 'Der Anbieter gibt das Dokument nicht heraus: Es ist gesperrt oder zu groß für den Export.',
      }),
    ]);
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 0, failed: 0 });
  });

  it('lists the drive again within the same fetch when its change cursor has expired', async () => {
    const files = drive.drive();
    for (let n = 0; n < 5; n++) files.put(`${n}.pdf`, pdfBytes(`changes ${n}`));
    const uuid = await connectWithOAuth(engine, client, 'google_drive');
    await engine.waitForFetches(uuid, 1);
    files.put('neu.pdf', pdfBytes('changes new'));
    files.invalidateCursors();
    expect(await fetchAgain(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 1 });
    expect(await engine.transactions(uuid)).toHaveLength(6);
  });
});
