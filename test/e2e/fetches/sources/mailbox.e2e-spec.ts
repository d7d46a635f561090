import { ciiInvoice, pdfInvoice, ublInvoice, zugferdInvoice } from '../../../builders/invoice-documents';
import { FakeImapServer } from '../../../fakes/imap/fake-imap-server';
import { SweepRetention } from '../../../../src/provisioning/retention/sweep-retention';
import { expectError } from '../../../harness/http/expect-error';
import { createTestClient, type TestClient } from '../../../harness/app/test-client';
import { invoiceMail, pdfBytes } from '../../../interop/imap/invoice-mails';
import { sha256 } from '../../../interop/imap/mailbox-session';
import { aMail } from '../../../builders/mail-builder';
import { connect, getConnection, TestEngine, updateFields } from '../../../harness/engine/test-engine';

const HOUR = 3600;
const USER = { user: 'anna@example.com', password: 'first' };

describe('Fetching a mailbox', () => {
  let engine: TestEngine;
  let client: TestClient;
  let server: FakeImapServer;

  beforeAll(async () => {
    engine = await TestEngine.start();
    client = await createTestClient(engine.app);
  });
  beforeEach(async () => {
    server = await FakeImapServer.start({ users: [USER], folders: ['Rechnungen'] });
  });
  afterEach(() => server.stop());
  afterAll(() => engine.stop());

  const login = () => ({ host: 'localhost', port: server.port, security: 'NONE', ...USER });
  const mailbox = (step2: Record<string, unknown> = {}) => connect(client, 'imap', login(), step2);
  const fetchNow = (uuid: string) => client.request('post', `/v1/connections/${uuid}/fetch-now`);
  const hashes = async (uuid: string) => (await engine.transactions(uuid)).map((row) => row.sha256).sort();

  /** One form is downloadable with its own name and type, and listed in the transaction and in the payload. */
  const expectRendition = async (transaction: string, filename: string, content: Buffer) => {
    const { body } = await client.request('get', `/v1/transactions/${transaction}`).expect(200);
    const { renditions, metadata } = (body as { data: { renditions: { rendition_id: string }[]; metadata: object } })
      .data;
    const type = filename.endsWith('.xml') ? 'application/xml' : 'application/pdf';
    expect(renditions).toEqual([
      { rendition_id: expect.any(String), filename, mime_type: type, size: content.length, sha256: sha256(content) },
    ]);
    expect(metadata).toMatchObject({ renditions });
    const payload = await client.request('get', `/v1/transactions/${transaction}/document`).expect(200);
    expect((payload.body as { data: object }).data).toMatchObject({ metadata: { renditions } });
    const path = `/v1/transactions/${transaction}/renditions/${renditions[0]!.rendition_id}`;
    const answer = await client.request('get', path).responseType('blob').expect(200).expect('Content-Type', type);
    expect(sha256(answer.body as Buffer)).toBe(sha256(content));
    expect(answer.headers).toMatchObject({ etag: `"${sha256(content)}"`, 'cache-control': 'private, no-store' });
    return path;
  };

  it('reads what the text of a plain PDF proves, and says where each value was found', async () => {
    const pdf = await pdfInvoice({ number: 'R-2026-17', date: '2026-03-01' });
    server.append('INBOX', invoiceMail(['scan.pdf', pdf]).subject('Ihre Rechnung').build());
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    const [row] = await engine.transactions(uuid);
    const proven = {
      number: 'R-2026-17',
      date: '2026-03-01',
      due_date: '2026-03-15',
      amount: '1190.00',
      amount_net: '1000.00',
      amount_tax: '190.00',
      currency: 'EUR',
      supplier: { name: 'Müller & Söhne GmbH', vat_id: 'DE123456788', iban: 'DE89370400440532013000' },
    };
    const provenance = Object.fromEntries(Object.keys(proven).map((key) => [key, 'TEXT']));
    const { body } = await client.request('get', `/v1/transactions/${row!.uuid}`).expect(200);
    expect(body.data).toMatchObject({
      document_type: 'invoice',
      metadata: { ...proven, source: { kind: 'mail' }, provenance: { ...provenance, source: 'MAIL' } },
    });
  });

  it('reads no text where the environment does not want it', async () => {
    const other = await createTestClient(engine.app);
    await engine.rows('update environment set text_extraction = false where uuid = $1', other.environmentUuid);
    server.append('INBOX', invoiceMail(['r.pdf', await pdfInvoice()]).build());
    const uuid = await connect(other, 'imap', login(), {});
    await engine.waitForFetches(uuid, 1);
    const [row] = await engine.transactions(uuid);
    expect(row).toMatchObject({ document_type: 'document', metadata: { provenance: { source: 'MAIL' } } });
    expect(Object.keys(row!.metadata).sort()).toEqual(['provenance', 'source']);
  });

  it('records every document with its bytes, type and metadata, and does not change the mailbox', async () => {
    const plain = pdfBytes('plain');
    const xml = ublInvoice({ number: 'RE-2026-77', date: '2026-03-01' });
    const hybrid = await zugferdInvoice({ number: 'GS-5', type: 381, date: '2026-02-01' });
    server.append('INBOX', invoiceMail(['a.pdf', plain]).subject('Ihre Rechnung').build());
    server.append(
      'INBOX',
      aMail().attach({ content: xml, filename: 'xrechnung.xml', mimeType: 'application/octet-stream' }).build(),
    );
    server.append('Rechnungen', invoiceMail(['zugferd.pdf', hybrid]).build());
    server.append('INBOX', aMail().subject('No attachment').build());
    const uuid = await mailbox({ folders: ['INBOX', 'Rechnungen'] });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ trigger: 'INITIAL', status: 'SUCCEEDED', new: 3, failed: 0, duplicate: 0 });

    const rows = await engine.transactions(uuid);
    const named = (filename: string) => rows.find((row) => row.filename === filename);
    expect(rows).toHaveLength(3);
    expect(named('a.pdf')).toMatchObject({
      sha256: sha256(plain),
      size: String(plain.length),
      document_type: 'document',
      mime_type: 'application/pdf',
      external_id: null,
      metadata: {
        source: {
          kind: 'mail',
          path: 'INBOX',
          subject: 'Ihre Rechnung',
          sender: { name: 'Supplier Ltd', address: 'billing@supplier.example' },
        },
      },
    });
    expect(named('xrechnung.xml')).toMatchObject({
      sha256: sha256(xml),
      document_type: 'invoice',
      mime_type: 'application/xml',
      metadata: { number: 'RE-2026-77', date: '2026-03-01', currency: 'EUR', e_invoice: { format: 'XRECHNUNG' } },
    });
    expect(named('xrechnung.xml')!.metadata.amount).toMatch(/^\d+\.\d{2}$/);
    expect(named('zugferd.pdf')).toMatchObject({
      sha256: sha256(hybrid),
      document_type: 'credit_note',
      metadata: { number: 'GS-5', date: '2026-02-01', source: { path: 'Rechnungen' } },
    });
    expect(server.changes).toEqual([]);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
  });

  it('records the forms of one invoice in a mail as one document with renditions, and everything else separately', async () => {
    const spec = { number: 'RE-2026-78', date: '2026-03-01' };
    const pdf = (filename: string, content: Buffer) => ({ content, filename, mimeType: 'application/pdf' });
    const xml = (filename: string, content: Buffer) => ({ content, filename, mimeType: 'application/xml' });
    const original = ublInvoice(spec);
    const picture = await pdfInvoice(spec);
    const terms = await pdfInvoice({ ...spec, number: 'AGB' });
    server.append(
      'INBOX',
      aMail()
        .attach(pdf('rechnung.pdf', picture))
        .attach(pdf('agb.pdf', terms))
        .attach(xml('rechnung.xml', original))
        .build(),
    );
    // Another name, and another syntax.
    const other = { ...spec, number: 'RE-2026-79' };
    const hybrid = await zugferdInvoice(other);
    const cii = ciiInvoice(other);
    server.append('INBOX', aMail().attach(xml('factur-x.xml', cii)).attach(pdf('RE-2026-79.pdf', hybrid)).build());
    // An invoice with another one embedded, whose text contains everything of the small one.
    const small = ublInvoice({ ...spec, number: '80' });
    const large = await zugferdInvoice({ ...spec, number: 'RE-2026/80' });
    server.append('INBOX', aMail().attach(xml('80.xml', small)).attach(pdf('RE-2026-80.pdf', large)).build());
    const uuid = await mailbox();
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 7, new: 5, duplicate: 2, failed: 0 });
    const rows = await engine.transactions(uuid);
    const own = [original, terms, hybrid, small, large];
    expect(rows.map(({ sha256: hash }) => hash).sort()).toEqual(own.map(sha256).sort());
    const xmlRow = rows.find(({ filename }) => filename === 'rechnung.xml')!;
    expect(xmlRow).toMatchObject({
      document_type: 'invoice',
      metadata: { number: 'RE-2026-78', e_invoice: { format: 'XRECHNUNG', valid: true } },
    });
    await expectRendition(xmlRow.uuid, 'rechnung.pdf', picture);
    const hybridRow = rows.find(({ filename }) => filename === 'RE-2026-79.pdf')!;
    const path = await expectRendition(hybridRow.uuid, 'factur-x.xml', cii);
    const stored = () => engine.count('select count(*) from content where owner_uuid = $1', uuid);
    expect(await stored()).toBe(7);

    // Its content is kept as long as the document.
    await engine.rows(
      `update transaction set available_until = '2020-01-01', due_at = null where uuid = $1`,
      hybridRow.uuid,
    );
    await engine.app.app.get(SweepRetention, { strict: false }).sweep();
    expect(await stored()).toBe(5);
    expectError(await client.request('get', path), 404, 'DOCUMENT_NOT_AVAILABLE');
    expectError(await client.request('get', path.replace(hybridRow.uuid, xmlRow.uuid)), 404, 'RENDITION_NOT_FOUND');

    // A rebuilt mailbox lists everything again: nothing is read or reported a second time.
    server.rebuild('INBOX');
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', new: 0, duplicate: 7 });
  });

  it('fetches only new documents at the second fetch', async () => {
    server.append('INBOX', invoiceMail('1.pdf').build());
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    server.append('INBOX', invoiceMail('2.pdf').build());
    const accepted = await fetchNow(uuid).expect(202);
    const second = await engine.waitForLastFetch(uuid, 2);
    expect(second).toMatchObject({
      uuid: (accepted.body as { uuid: string }).uuid,
      trigger: 'MANUAL',
      status: 'SUCCEEDED',
      seen: 1,
      new: 1,
      duplicate: 0,
    });
    expect((await engine.transactions(uuid)).map(({ filename }) => filename)).toEqual(['1.pdf', '2.pdf']);
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0, new: 0 });
    expect(server.changes).toEqual([]);
  });

  it.each([
    ['all folders', { folder_scope: 'all' }],
    ['selected folders with their subfolders', { folders: ['INBOX', 'Rechnungen'], include_subfolders: true }],
  ])('finds a folder that was created after the selection, with %s', async (_, step2) => {
    server.append('INBOX', invoiceMail('1.pdf').build());
    const uuid = await mailbox(step2);
    await engine.waitForFetches(uuid, 1);
    server.account().add({ path: 'Rechnungen/2027' });
    server.append('Rechnungen/2027', invoiceMail('2.pdf').build());
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'SUCCEEDED', seen: 1, new: 1 });
    server.account().remove('Rechnungen/2027');
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    expect(await getConnection(client, uuid)).toMatchObject({ health: 'OK', reason: null });
  });

  it('records a document once when its mail is in two folders, and not again when it is moved', async () => {
    const mail = invoiceMail(['a.pdf', pdfBytes('a')]).build();
    const uid = server.append('INBOX', mail);
    server.append('Rechnungen', mail);
    const uuid = await mailbox({ folders: ['INBOX', 'Rechnungen'] });
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 2, new: 1, duplicate: 1 });
    server.move('INBOX', uid, 'Rechnungen');
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({
      status: 'SUCCEEDED',
      seen: 1,
      new: 0,
      duplicate: 1,
    });
    expect(await hashes(uuid)).toEqual([sha256(pdfBytes('a'))]);
  });

  it.each([
    ['small', 0],
    ['large', 2_000_000],
  ])('reports an empty %s attachment as failed, retries it once, and records the others', async (_, blanks) => {
    const mail = invoiceMail(['leer.pdf', Buffer.from('{leer}')], ['a.pdf', pdfBytes('a')]).build();
    const [before, behind] = mail.toString('latin1').split(Buffer.from('{leer}').toString('base64'));
    server.append('INBOX', Buffer.from(`${before}${' '.repeat(blanks)}${behind}`, 'latin1'));
    const uuid = await mailbox();
    const [fetch] = await engine.waitForFetches(uuid, 1);
    expect(fetch).toMatchObject({ status: 'PARTIAL', seen: 2, new: 1, failed: 1 });
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'PARTIAL', seen: 1, failed: 1 });
    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED', seen: 0 });
    expect(await hashes(uuid)).toEqual([sha256(pdfBytes('a'))]);
  });

  it('fetches nothing twice when the server rebuilds the mailbox (UIDVALIDITY), and fetches new mail', async () => {
    for (let n = 0; n < 25; n++) server.append('INBOX', invoiceMail(`${n}.pdf`).build());
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    server.rebuild('INBOX');
    server.append('INBOX', invoiceMail('new.pdf').build());
    await fetchNow(uuid).expect(202);
    const fetch = await engine.waitForLastFetch(uuid, 2);
    expect(fetch).toMatchObject({ status: 'SUCCEEDED', seen: 26, new: 1, duplicate: 25 });
    expect(await engine.transactions(uuid)).toHaveLength(26);
  });

  it('stores nothing of a connection whose first password is wrong', async () => {
    const identity = await client.createIdentity();
    const answer = await client
      .request('post', '/v1/connections')
      .send({ integration_id: 'imap', name: 'x', identity_uuid: identity, fields: { ...login(), password: 'wrong' } })
      .expect(422);
    expect(answer.body).toMatchObject({ code: 'CREDENTIALS_REJECTED' });
    expect(await engine.count('select count(*) from connection where identity_uuid = $1', identity)).toBe(0);
  });

  it('tries a rejected password twice, and continues without gap or repeat once it is fixed', async () => {
    const documents = ['1.pdf', '2.pdf', '3.pdf', '4.pdf'];
    server.append('INBOX', invoiceMail(documents[0]!).build());
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    server.changePassword('second');
    server.append('INBOX', invoiceMail(documents[1]!).build());

    await fetchNow(uuid).expect(202);
    expect(await engine.waitForLastFetch(uuid, 2)).toMatchObject({ status: 'FAILED', error_code: 'LOGIN_REJECTED' });
    const doubted = await getConnection(client, uuid);
    expect(doubted).toMatchObject({ status: 'ACTIVE', health: 'ACTION_REQUIRED', reason: { code: 'LOGIN_REJECTED' } });
    const waits = (Date.parse(doubted.next_fetch_at!) - engine.app.clock.now().getTime()) / 1000;
    expect(waits).toBeGreaterThan(50);
    expect(waits).toBeLessThanOrEqual(60);
    await engine.advanceClock(40);
    expect(await engine.fetches(uuid)).toHaveLength(2);

    server.append('INBOX', invoiceMail(documents[2]!).build());
    await engine.advanceClock(25);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'FAILED', error_code: 'LOGIN_REJECTED' });
    expect(await getConnection(client, uuid)).toMatchObject({
      status: 'INVALID_CREDENTIALS',
      health: 'ACTION_REQUIRED',
      reason: { code: 'LOGIN_REJECTED', action: 'UPDATE_CREDENTIALS' },
      next_fetch_at: null,
    });
    const refused = await fetchNow(uuid).expect(422);
    expect(refused.body).toMatchObject({ code: 'CONNECTION_NOT_ACTIVE' });
    await engine.advanceClock(3 * 24 * HOUR);
    expect(await engine.fetches(uuid)).toHaveLength(3);
    expect(await hashes(uuid)).toEqual([sha256(pdfBytes(documents[0]!))]);

    server.append('INBOX', invoiceMail(documents[3]!).build());
    await expect(updateFields(client, uuid, { password: 'third' })).rejects.toThrow('422');
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'INVALID_CREDENTIALS' });
    await updateFields(client, uuid, { password: 'second' });
    await engine.runPolls();
    expect(await engine.waitForLastFetch(uuid, 4)).toMatchObject({
      trigger: 'RECOVERY',
      status: 'SUCCEEDED',
      seen: 3,
      new: 3,
      duplicate: 0,
    });
    expect(await getConnection(client, uuid)).toMatchObject({ uuid, status: 'ACTIVE', health: 'OK', reason: null });
    expect(await hashes(uuid)).toEqual(documents.map((name) => sha256(pdfBytes(name))).sort());
  });

  it('keeps the connection active when the provider rejects it once by mistake', async () => {
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    server.changePassword('second');
    await fetchNow(uuid).expect(202);
    await engine.waitForFetches(uuid, 2);
    server.changePassword(USER.password);
    await engine.advanceClock(65);
    expect(await engine.waitForLastFetch(uuid, 3)).toMatchObject({ status: 'SUCCEEDED' });
    // A later rejection counts as the first one.
    server.changePassword('second');
    await fetchNow(uuid).expect(202);
    await engine.waitForFetches(uuid, 4);
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE' });
  });

  it('never treats an unavailable server as wrong credentials; backs off, and catches up afterwards', async () => {
    server.append('INBOX', invoiceMail('1.pdf').build());
    const uuid = await mailbox();
    await engine.waitForFetches(uuid, 1);
    const away = server.fail({ on: 'LOGIN', how: 'unavailable', times: 2 });
    const cut = server.fail({ on: 'CONNECT', how: 'close' });
    server.append('INBOX', invoiceMail('2.pdf').build());
    await fetchNow(uuid).expect(202);
    const waits: number[] = [];
    for (let failures = 1; failures <= 6; failures++) {
      const fetch = await engine.waitForLastFetch(uuid, 1 + failures);
      if (failures <= 5) expect(fetch).toMatchObject({ status: 'FAILED', error_code: 'PROVIDER_DOWN', new: 0 });
      if (fetch.status === 'SUCCEEDED') break;
      const connection = await getConnection(client, uuid);
      expect(connection).toMatchObject({ status: 'ACTIVE', health: 'DEGRADED', reason: { code: 'PROVIDER_DOWN' } });
      waits.push((Date.parse(connection.next_fetch_at!) - engine.app.clock.now().getTime()) / 1000);
      if (failures === 3) cut.cancel(); // before the next fetch can start
      await engine.advanceClock(waits.at(-1)! + 1);
    }
    expect(away.hits).toBe(2);
    waits.forEach((wait, n) => {
      expect(wait).toBeGreaterThan(60 * 2 ** n * 0.75);
      expect(wait).toBeLessThanOrEqual(60 * 2 ** n * 1.2);
    });
    const all = await engine.fetches(uuid);
    expect(all.at(-1)).toMatchObject({ trigger: 'RECOVERY', status: 'SUCCEEDED', new: 1, duplicate: 0 });
    expect(await getConnection(client, uuid)).toMatchObject({ status: 'ACTIVE', health: 'OK', reason: null });
    expect(await engine.transactions(uuid)).toHaveLength(2);
  });

  it('resumes after a lost connection in a large mailbox', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `${n}.pdf`);
    for (const name of names) server.append('INBOX', invoiceMail(name).build());
    // 150 mails require at least seven commands: two describe them, and one returns at most 32 parts.
    const fault = server.fail({ on: 'FETCH', how: 'close', after: 4, times: 3 });
    const uuid = await mailbox();
    for (let fetches = 1; fetches < 8; fetches++) {
      const fetch = await engine.waitForLastFetch(uuid, fetches);
      if (fetch.status === 'SUCCEEDED') break;
      // When the connection breaks, the fetch backs off for minutes; when single documents fail, the regular fetch retries them.
      await engine.advanceClock(86_400 + 600);
    }
    expect(fault.hits).toBeGreaterThan(0);
    const all = await engine.fetches(uuid);
    expect(all.at(-1)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await hashes(uuid)).toEqual(names.map((name) => sha256(pdfBytes(name))).sort());
    expect(all.reduce((sum, fetch) => sum + fetch.new, 0)).toBe(150);
  });
});
