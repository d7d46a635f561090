import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ublInvoice } from '../../../test/builders/invoice-documents';
import { aMail } from '../../../test/builders/mail-builder';
import { MemoryInbox } from '../../../test/harness/connectors/memory-inbox';
import { step1Session } from '../../../test/harness/connectors/step1-session';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import { openSession } from '../core/session/open-session';
import { addFiltered, NOTHING_FILTERED } from '../core/filter-reason';
import type { DocumentRef, Json } from '../core/source-document';
import { DocumentUnavailable } from '../core/source-errors';
import { validateFields } from '../core/validate-fields';
import { mailInbox } from './mail-inbox';

let inbox: MemoryInbox;
beforeEach(() => {
  inbox = new MemoryInbox();
});

const session = (fields: Record<string, unknown> = {}) =>
  openSession({
    ...step1Session(mailInbox, fields),
    step2: {},
    network: null as never,
    signal: new AbortController().signal,
    now: () => new Date(),
    inbox,
  });

async function list(fields: Record<string, unknown> = {}, cursor: Json = null) {
  const documents: DocumentRef[] = [];
  let filteredBy = NOTHING_FILTERED;
  let last = cursor;
  for await (const page of mailInbox.list(session(fields), cursor, null)) {
    documents.push(...page.documents);
    filteredBy = addFiltered(filteredBy, page.filteredBy ?? {});
    last = page.cursor;
  }
  return { documents, filteredBy, cursor: last };
}
const read = async (ref: DocumentRef, fields: Record<string, unknown> = {}) => {
  const { stream } = await mailInbox.download(session(fields), JSON.parse(JSON.stringify(ref)) as DocumentRef);
  return buffer(stream);
};

describe('The mails that were received for a connection', () => {
  it('become documents with their bytes, names and source', async () => {
    const authentication = { spf: 'PASS', dkim: 'NONE', dmarc: 'PASS', spf_domain: 'supplier.example' } as const;
    const mail = aMail()
      .subject('Rechnung für März')
      .text('See attachment.')
      .attach({ content: pdfBytes('a', 50_000), filename: 'Größe.pdf', mimeType: 'application/pdf' })
      .attach({ content: pdfBytes('b'), filename: 'b.pdf', mimeType: 'application/octet-stream', encoding: '8bit' })
      .attach({
        content: Buffer.from(ublInvoice()),
        filename: 'x.xml',
        mimeType: 'text/xml',
        encoding: 'quoted-printable',
      });
    inbox.deliver(mail.build(), authentication);
    const { documents } = await list();
    const named = Object.fromEntries(documents.map((ref) => [ref.filename, ref]));
    expect(Object.keys(named).sort()).toEqual(['Größe.pdf', 'b.pdf', 'x.xml']);
    expect(await read(named['Größe.pdf']!)).toEqual(pdfBytes('a', 50_000));
    expect(await read(named['b.pdf']!)).toEqual(pdfBytes('b'));
    expect((await read(named['x.xml']!)).toString()).toEqual(ublInvoice().toString());
    expect(documents[0]!.metadata.source).toEqual({
      kind: 'mail',
      subject: 'Rechnung für März',
      sender: { name: 'Supplier Ltd', address: 'billing@supplier.example' },
      received_at: '2026-11-20T08:00:00Z',
      authentication,
    });
  });

  it('are read with encrypted archives where a stored password fits', async () => {
    const archive = readFileSync(join(__dirname, '../../../test/samples/encrypted/mixed.zip'));
    const mail = aMail().attach({ content: archive, filename: 'a.zip', mimeType: 'application/zip' });
    inbox.deliver(mail.build());
    const fields = { document_passwords: ['geheim', 'anders'] };
    const { documents, filteredBy } = await list(fields);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung 1.pdf', 'Rechnung 2.pdf']);
    expect(filteredBy).toMatchObject({ TYPE: 1 });
    expect((await read(documents[0]!, fields)).toString()).toBe('%PDF-1.7 Rechnung 1\n%%EOF\n');
    const closed = await list({ document_passwords: ['geheim'] });
    expect(closed.documents.map(({ filename }) => filename)).toEqual(['a.zip']);
    expect(await read(closed.documents[0]!)).toEqual(archive);
  });

  it('are read with their forwarded mails, archives and signatures', async () => {
    inbox.deliver(aMail().text('fwd').forward(invoiceMail('inner.pdf'), 'mail.eml').build());
    inbox.deliver(
      aMail()
        .attach({
          content: readFileSync(join(__dirname, '../../../test/samples/smime/signed-zip.p7m')),
          filename: 'smime.p7m',
          mimeType: 'application/pkcs7-mime',
        })
        .build(),
    );
    const { documents } = await list();
    expect(documents.map(({ filename }) => filename)).toEqual(['inner.pdf', 'zipped.pdf']);
    expect(await read(documents[0]!)).toEqual(pdfBytes('inner.pdf'));
    expect((await read(documents[1]!)).toString()).toContain('%PDF');
  });

  it('are documents once, however often their server delivers them', async () => {
    const mail = invoiceMail('a.pdf', 'b.pdf').build();
    inbox.deliver(mail);
    inbox.deliver(mail);
    const { documents } = await list();
    expect(documents).toHaveLength(4);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it('are documents themselves when they have no attachments and texts are wanted', async () => {
    const image = { content: Buffer.from('png'), mimeType: 'image/png', contentId: 'logo', filename: 'logo.png' };
    inbox.deliver(aMail().html('<p>Total: 19 €</p><img src="cid:logo">').inline(image).build());
    expect((await list()).documents).toEqual([]);
    const { documents } = await list({ take_texts: true });
    expect(documents).toMatchObject([{ filename: 'Your invoice.html' }]);
    const html = (await read(documents[0]!, { take_texts: true })).toString();
    expect(html).toContain('Total: 19 €');
    expect(html).toContain(`data:image/png;base64,${Buffer.from('png').toString('base64')}`);
  });

  it('are filtered by subject, and counted', async () => {
    inbox.deliver(invoiceMail('a.pdf', 'b.pdf').subject('Angebot').build());
    inbox.deliver(invoiceMail('c.pdf').subject('Ihre Rechnung').build());
    const { documents, filteredBy } = await list({ subject_filter: 'rechnung' });
    expect(documents.map(({ filename }) => filename)).toEqual(['c.pdf']);
    expect(filteredBy).toEqual({ PATTERN: 2 });
  });

  it('are listed from the cursor on, and reported as processed up to it', async () => {
    for (let n = 0; n < 45; n++) inbox.deliver(invoiceMail(`${n}.pdf`).build());
    const { cursor, documents } = await list();
    expect(documents).toHaveLength(45);
    expect(inbox.processed).toBe(0);
    inbox.deliver(invoiceMail('new.pdf').build());
    const next = await list({}, cursor);
    expect(next.documents.map(({ filename }) => filename)).toEqual(['new.pdf']);
    expect(inbox.processed).toBe(45);
  });

  it.each(['unclosed', 'bad-base64', 'headerless', 'truncated'] as const)('lose no document when %s', async (fault) => {
    inbox.deliver(invoiceMail('a.pdf').malformed(fault).build());
    const { documents } = await list();
    expect(documents).toHaveLength(1);
    expect((await read(documents[0]!)).length).toBeGreaterThan(0);
  });

  it('are delivered as they are when their structure cannot be read', async () => {
    const header = `X-Long: ${'x'.repeat(2 * 1024 * 1024)}\r\n`;
    const mail = Buffer.concat([Buffer.from(header), invoiceMail('a.pdf').build()]);
    inbox.deliver(mail);
    const { documents } = await list();
    expect(documents).toMatchObject([{ filename: 'mail.eml' }]);
    expect(await read(documents[0]!)).toEqual(mail);
  });

  it('fail permanently when they are no longer kept', async () => {
    const number = inbox.deliver(invoiceMail('a.pdf').build());
    const { documents } = await list();
    inbox.purge(number);
    await expect(read(documents[0]!)).rejects.toMatchObject({ permanent: true });
    await expect(read(documents[0]!)).rejects.toBeInstanceOf(DocumentUnavailable);
    expect((await list()).documents).toEqual([]);
  });
});

describe('The lists of senders and forwarding mailboxes', () => {
  it.each(['a@b.example', 'b.example', 'a@b.example, c.example ,d@e.example,', '@b.example'])('accept %j', (list) => {
    const { invalidFields } = validateFields(mailInbox.step1, { allowed_senders: list, forwarding_mailboxes: list });
    expect(invalidFields).toEqual([]);
  });

  it.each(['a@b', 'a b@c.example', 'a@@b.example', 'a@b.example; c@d.example'])('reject %j', (list) => {
    const { invalidFields } = validateFields(mailInbox.step1, { allowed_senders: list });
    expect(invalidFields).toMatchObject([{ field: expect.stringContaining('allowed_senders') }]);
  });
});
