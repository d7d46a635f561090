import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ublInvoice } from '../../builders/invoice-documents';
import { aMail } from '../../builders/mail-builder';
import { Receiver } from '../../fakes/receiver';
import { createTestClient, type TestClient } from '../../harness/app/test-client';
import { eventually } from '../../harness/eventually';
import { invoiceMail, pdfBytes } from '../../interop/imap/invoice-mails';
import { pdfWith } from '../../samples/e-invoices/pdf-with';
import { sample } from '../../samples/e-invoices/sample';
import type { TestEngine } from '../../harness/engine/test-engine';
import { createPushClient } from '../provisioning/push/push-setup';
import { addressOf, connectInbox, INBOX_DOMAIN, send, smtpPort, startInbox } from './inbox-setup';

let engine: TestEngine;
let client: TestClient;
let port: number;

beforeAll(async () => {
  engine = await startInbox();
  client = await createTestClient(engine.app);
  port = smtpPort(engine.app);
});
afterAll(() => engine.stop());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const transactions = (uuid: string, count: number) =>
  eventually(async () => {
    const rows = await engine.transactions(uuid);
    return rows.length >= count && rows;
  }, `${count} documents of ${uuid} are recorded`);

const connection = async (uuid: string) =>
  (await client.request('get', `/v1/connections/${uuid}`).expect(200)).body.data as { identity_uuid: string };

describe('A connection with an address of its own', () => {
  it('has an address with its name and a code, which never changes', async () => {
    const { uuid, address } = await connectInbox(client);
    expect(address).toMatch(new RegExp(`^documents-[a-z2-9]{12}@${INBOX_DOMAIN}$`));
    const { body } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
    expect(body).toMatchObject({ data: { status: 'ACTIVE', account: { display: address }, setup_complete: true } });
    const { identity_uuid } = (body as { data: { identity_uuid: string } }).data;
    const token = await client.createToken(identity_uuid);
    await client
      .requestWithToken(token, 'put', `/v1/connections/${uuid}`)
      .send({ name: 'Other name', fields: { allowed_senders: 'supplier.example' } })
      .expect(204);
    expect(await addressOf(client, uuid)).toBe(address);
    const { body: after } = await client.request('get', `/v1/connections/${uuid}`).expect(200);
    expect(after).toMatchObject({ data: { name: 'Other name', account: { display: address } } });
  });

  it('also gets one when it is migrated', async () => {
    const identity_uuid = await client.createIdentity();
    const connection = { integration_id: 'mail_inbox', name: 'Belege', identity_uuid, fields: {} };
    const { body } = await client.request('post', '/v1/connections/migrate').send(connection).expect(201);
    expect((body as { data: { inbox_address: string } }).data.inbox_address).toMatch(/^belege-/);
  });

  it('turns received mails into documents at once, with the results of the authentication', async () => {
    const { uuid, address } = await connectInbox(client);
    const mail = aMail()
      .subject('Rechnung')
      .attach({ content: pdfBytes('a', 400_000), filename: 'a.pdf', mimeType: 'application/pdf' })
      .attach({ content: ublInvoice(), filename: 'x.xml', mimeType: 'application/xml' });
    expect(await send(port, { to: address.toUpperCase(), raw: mail.build() })).toMatchObject({ code: 250 });
    const rows = await transactions(uuid, 2);
    expect(rows.map(({ sha256: hash }) => hash)).toContain(sha256(pdfBytes('a', 400_000)));
    expect(rows.find(({ filename }) => filename === 'x.xml')).toMatchObject({ document_type: 'invoice' });
    expect(rows[0]!.metadata).toMatchObject({
      source: {
        kind: 'mail',
        sender: { name: 'Supplier Ltd', address: 'billing@supplier.example' },
        subject: 'Rechnung',
        authentication: { spf: 'NONE', dkim: 'NONE', dmarc: 'NONE' },
      },
    });
  });

  it('opens protected documents with the passwords that are stored, and never returns these', async () => {
    const stored = { document_passwords: ['falsch', 'Größe-7', 'geheim', 'anders'] };
    const { uuid, address } = await connectInbox(client, stored);
    const pdf = await pdfWith({ attachments: { 'factur-x.xml': sample('cii-invoice') }, userPassword: 'geheim' });
    const zip = await readFile('test/samples/encrypted/mixed.zip');
    const mail = (subject: string) =>
      aMail()
        .subject(subject)
        .messageId(`<${subject}@supplier.example>`)
        .attach({ content: pdf, filename: 'a.pdf', mimeType: 'application/pdf' })
        .attach({ content: zip, filename: 'b.zip', mimeType: 'application/zip' })
        .build();
    await send(port, { to: address, raw: mail('first') });
    const rows = await transactions(uuid, 3);
    const names = (all: typeof rows) => all.map(({ filename }) => filename).sort();
    expect(names(rows)).toEqual(['Rechnung 1.pdf', 'Rechnung 2.pdf', 'a.pdf']);
    const invoice = rows.find(({ filename }) => filename === 'a.pdf')!;
    expect(invoice).toMatchObject({ document_type: 'invoice', metadata: { encrypted: true, number: 'F-1001' } });
    expect(invoice.sha256).toBe(sha256(pdf));

    const { identity_uuid } = await connection(uuid);
    const token = await client.createToken(identity_uuid);
    const change = (fields: Record<string, unknown>) =>
      client.requestWithToken(token, 'put', `/v1/connections/${uuid}`).send({ fields });
    const { body: refused } = await change({ document_passwords: Array(21).fill('x') }).expect(422);
    expect(refused.errors).toMatchObject([{ field: 'fields.document_passwords', code: 'TOO_MANY' }]);
    const secrets = async () => {
      const { body } = await client.request('get', `/v1/connections/${uuid}/information`).expect(200);
      expect(JSON.stringify([body, await connection(uuid)])).not.toContain('geheim');
      return body.data.steps[0].fields.filter(({ secret }: { secret: boolean }) => secret);
    };
    await change({ allowed_senders: 'supplier.example' }).expect(204);
    expect(await secrets()).toMatchObject([{ id: 'document_passwords', value: null }]);
    await change({ document_passwords: [] }).expect(204);
    expect(await secrets()).toEqual([]);
    await send(port, { to: address, raw: mail('second') });
    const after = await transactions(uuid, 5);
    expect(names(after)).toEqual(['Rechnung 1.pdf', 'Rechnung 2.pdf', 'a.pdf', 'a.pdf', 'b.zip']);
    const closed = after.filter(
      ({ metadata }) => (metadata as { source: { subject: string } }).source.subject === 'second',
    );
    for (const { document_type, metadata } of closed)
      expect({ document_type, metadata }).toMatchObject({ document_type: 'document', metadata: { encrypted: true } });
  });

  it('pushes what it has received', async () => {
    const receiver = await Receiver.start();
    try {
      const pushed = await createPushClient(engine, receiver.url());
      const { address } = await connectInbox(pushed);
      await send(port, { to: address, raw: invoiceMail('a.pdf').build() });
      await eventually(() => Promise.resolve(receiver.whole.length === 1), 'the document is pushed');
      const { document } = JSON.parse(receiver.whole[0]!.body.toString()) as { document: { base64: string } };
      expect(Buffer.from(document.base64, 'base64')).toEqual(pdfBytes('a.pdf'));
    } finally {
      await receiver.stop();
    }
  });

  it('records every document once, however often a mail arrives', async () => {
    const { uuid, address } = await connectInbox(client);
    const raw = invoiceMail('a.pdf', 'b.pdf').build();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(port, { to: address, raw })));
    expect(answers.map(({ code }) => code)).toEqual([250, 250, 250, 250, 250]);
    await send(port, { to: address, raw: invoiceMail('last.pdf').build() });
    await eventually(async () => {
      const { rows } = { rows: await engine.fetches(uuid) };
      return rows.reduce((sum, fetch) => sum + fetch.seen, 0) === 11;
    }, 'all mails are read');
    const rows = await engine.transactions(uuid);
    expect(rows.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'b.pdf', 'last.pdf']);
  });

  it('loses no mail of many that arrive at the same time, at several addresses', async () => {
    const [first, second] = [await connectInbox(client), await connectInbox(client)];
    const raws = Array.from({ length: 30 }, (_, n) => invoiceMail(`${n}.pdf`).build());
    // As many sessions as one source may have.
    for (const part of [raws.slice(0, 15), raws.slice(15)]) {
      const answers = await Promise.all(part.map((raw) => send(port, { to: [first.address, second.address], raw })));
      for (const { accepted } of answers) expect(accepted).toHaveLength(2);
    }
    const expected = Array.from({ length: 30 }, (_, n) => sha256(pdfBytes(`${n}.pdf`))).sort();
    for (const { uuid } of [first, second]) {
      const rows = await transactions(uuid, 30);
      expect(rows.map(({ sha256: hash }) => hash).sort()).toEqual(expected);
    }
  });

  it('stores mails encrypted, envelope and content', async () => {
    const { uuid, address } = await connectInbox(client);
    await send(port, { to: address, raw: invoiceMail('secret.pdf').build(), from: 'secret.sender@supplier.example' });
    await transactions(uuid, 1);
    const [row] = await engine.rows<{ envelope: Buffer; content_uuid: string }>(
      'select envelope, content_uuid from inbox_mail where connection_uuid = $1',
      uuid,
    );
    expect(row!.envelope.toString('latin1')).not.toContain('secret.sender');
    const chunks = await engine.rows<{ bytes: Buffer }>(
      'select bytes from content_chunk where content_uuid = $1',
      row!.content_uuid,
    );
    expect(chunks.length).toBeGreaterThan(0);
    for (const { bytes } of chunks) expect(bytes.toString('latin1')).not.toMatch(/Supplier|secret\.pdf/);
  });

  it('leaves nothing when it is deleted with its mails', async () => {
    const { uuid, address } = await connectInbox(client);
    await send(port, { to: address, raw: invoiceMail('a.pdf').build() });
    await transactions(uuid, 1);
    await client.request('delete', `/v1/connections/${uuid}`).expect(204);
    expect(await engine.count('select count(*) from inbox_mail where connection_uuid = $1', uuid)).toBe(0);
    expect(await engine.count('select count(*) from content where owner_uuid = $1', uuid)).toBe(0);
    expect(await send(port, { to: address, raw: invoiceMail('b.pdf').build() })).toMatchObject({ code: 550 });
  });
});
