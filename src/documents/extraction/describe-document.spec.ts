import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentContent, describeDocument } from './describe-document';
import { pdfWith } from '../../../test/samples/e-invoices/pdf-with';
import { pdfInvoice, zugferdInvoice } from '../../../test/builders/invoice-documents';
import { sample } from '../../../test/samples/e-invoices/sample';
import { MAX_PDF_BYTES, MAX_TEXT_PDF_BYTES, MAX_XML_BYTES } from '../e-invoice/size-limits';
import { ParserWorkerPool } from './parser-worker-pool';

const cii = sample('cii-invoice');

/** Content whose `head` is shorter than the whole, as returned by the store. */
function content(bytes: Buffer | string, given: Partial<DocumentContent> = {}) {
  const all = Buffer.from(bytes);
  const whole = jest.fn(() => Promise.resolve(all));
  return {
    head: all.subarray(0, 4096),
    size: all.length,
    filename: 'document',
    marked: true,
    readsText: true,
    whole,
    ...given,
  };
}

/** The beginning of an archive: the header of its first file. */
function zip(encrypted: boolean): Buffer {
  const bytes = Buffer.alloc(60);
  bytes.write('PK\x03\x04\x14\x00', 'latin1');
  bytes[6] = encrypted ? 1 : 0;
  return bytes;
}

const smime = (name: string) => readFileSync(join(__dirname, `../../../test/samples/smime/${name}.p7m`));

describe('describing a document', () => {
  const threads = new ParserWorkerPool(1, 30_000);
  const described = (document: DocumentContent) => describeDocument(document, threads);
  afterAll(() => threads.close());

  it('reads a UBL invoice regardless of its name', async () => {
    const document = content(sample('ubl-invoice'), {
      filename: 'anhang.dat',
      declaredMimeType: 'application/octet-stream',
    });
    expect(await described(document)).toMatchObject({
      mimeType: 'application/xml',
      documentType: 'invoice',
      metadata: { number: 'RE-2026-0042', amount: '1190.00', e_invoice: { format: 'XRECHNUNG', valid: false } },
    });
  });

  it.each([
    ['rechnung.xml', 'application/vnd.oasis.ubl+xml', 'application/vnd.oasis.ubl+xml'],
    ['rechnung.svg', undefined, 'image/svg+xml'],
  ])('reads an invoice with the name %s and the declared type %s', async (filename, declaredMimeType, mimeType) => {
    const document = content(sample('ubl-invoice'), { filename, ...(declaredMimeType && { declaredMimeType }) });
    expect(await described(document)).toMatchObject({ mimeType, metadata: { number: 'RE-2026-0042' } });
  });

  it('reads an invoice in UTF-8 that is declared as UTF-16', async () => {
    const document = content(sample('ubl-invoice').replace('encoding="UTF-8"', 'encoding="utf-16"'));
    expect(await described(document)).toMatchObject({ mimeType: 'application/xml', documentType: 'invoice' });
  });

  it('reads a CII invoice and a UBL credit note', async () => {
    expect(await described(content(cii))).toMatchObject({ documentType: 'invoice', metadata: { number: 'F-1001' } });
    expect(await described(content(sample('ubl-credit-note')))).toMatchObject({ documentType: 'credit_note' });
  });

  it('reads an invoice in an envelope with a long header', async () => {
    const envelope = (name: string, header: string) =>
      `<e:${name} xmlns:e="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader">` +
      `<e:StandardBusinessDocumentHeader>${header}</e:StandardBusinessDocumentHeader>` +
      `${sample('ubl-invoice').replace(/^<.xml.*?>/, '')}</e:${name}>`;
    const [scope] = ['<e:Scope><e:Type>DOCUMENTID</e:Type></e:Scope>'.repeat(200)];
    const [short, long] = ['', scope].map((header) => content(envelope('StandardBusinessDocument', header)));
    for (const document of [short!, long!])
      expect(await described(document)).toMatchObject({
        documentType: 'invoice',
        metadata: { number: 'RE-2026-0042' },
      });
    expect(await described(content(envelope('Envelope', scope)))).toEqual({
      mimeType: 'application/xml',
      metadata: {},
    });
  });

  it('does not open a PDF without a detected invoice when its text is not read', async () => {
    const bytes = await pdfWith({ attachments: { 'factur-x.xml': cii } });
    const documents = [
      content(bytes, { marked: false, readsText: false }),
      content(bytes, { marked: false, size: MAX_TEXT_PDF_BYTES + 1 }),
    ];
    for (const document of documents) {
      expect(await described(document)).toEqual({ mimeType: 'application/pdf', metadata: {} });
      expect(document.whole).not.toHaveBeenCalled();
    }
  });

  it('reads an encrypted PDF with a password that fits, and keeps it marked as encrypted', async () => {
    const hybrid = await pdfWith({ attachments: { 'factur-x.xml': cii }, userPassword: 'geheim' });
    const passwords = ['falsch', 'geheim', 'anders'];
    expect(await described(content(hybrid, { passwords }))).toMatchObject({
      mimeType: 'application/pdf',
      documentType: 'invoice',
      metadata: { encrypted: true, number: 'F-1001' },
      from: 'E_INVOICE',
    });
    const locked = { mimeType: 'application/pdf', metadata: { encrypted: true } };
    expect(await described(content(hybrid, { passwords: ['falsch'] }))).toEqual(locked);
    expect(await described(content(await pdfWith({ text: 'Notiz', userPassword: 'geheim' }), { passwords }))).toEqual(
      locked,
    );
    expect(await described(content(await pdfWith({ text: 'Notiz', ownerPassword: 'x' }), { passwords }))).toEqual({
      mimeType: 'application/pdf',
      metadata: {},
    });
  });

  it('reads the text of a PDF without an invoice, unless it is switched off', async () => {
    const bytes = await pdfInvoice({ number: 'R-77' });
    expect(await described(content(bytes, { marked: false }))).toMatchObject({
      mimeType: 'application/pdf',
      documentType: 'invoice',
      metadata: { number: 'R-77', amount: '1190.00' },
      from: 'TEXT',
    });
    expect(await described(content(bytes, { readsText: false }))).toEqual({
      mimeType: 'application/pdf',
      metadata: {},
    });
  });

  it('prefers the invoice in a PDF to its text', async () => {
    const bytes = await zugferdInvoice({ number: 'R-77' });
    expect(await described(content(bytes))).toMatchObject({ metadata: { number: 'R-77' }, from: 'E_INVOICE' });
  });

  it('reads the invoice in a PDF without detaching the caller’s bytes', async () => {
    const pdf = await pdfWith({ attachments: { 'factur-x.xml': cii } });
    const before = Buffer.from(pdf);
    const document = {
      head: pdf.subarray(0, 4096),
      size: pdf.length,
      filename: 'r.pdf',
      marked: true,
      readsText: true,
      whole: () => Promise.resolve(pdf),
    };
    expect(await described(document)).toMatchObject({
      mimeType: 'application/pdf',
      documentType: 'invoice',
      metadata: { number: 'F-1001', e_invoice: { format: 'FACTURX' } },
    });
    expect(pdf.equals(before)).toBe(true);
  });

  it('reads only the head when it is the whole document', async () => {
    const document = content(cii, { head: Buffer.from(cii) });
    expect(await described(document)).toMatchObject({ metadata: { number: 'F-1001' } });
    expect(document.whole).not.toHaveBeenCalled();
  });

  it.each<[what: string, bytes: () => Promise<Buffer> | Buffer, mimeType: string]>([
    ['a broken PDF', () => Buffer.from('%PDF-1.7\n/EmbeddedFile'), 'application/pdf'],
    [
      'a PDF with broken XML',
      () => pdfWith({ text: 'Hallo', attachments: { 'factur-x.xml': cii.slice(9) } }),
      'application/pdf',
    ],
    ['a PDF without attachment', () => pdfWith({ text: 'Hallo' }), 'application/pdf'],
    ['broken XML', () => Buffer.from(cii.slice(0, -30)), 'application/xml'],
    ['XML with a DTD', () => Buffer.from(cii.replace('<rsm:', '<!DOCTYPE a><rsm:')), 'application/xml'],
    ['other XML', () => Buffer.from('<order xmlns="u"/>'), 'application/xml'],
    ['HTML that is declared as a PDF', () => Buffer.from('<html>Session expired</html>'), 'text/html'],
    ['nothing', () => Buffer.alloc(0), 'application/octet-stream'],
  ])('returns %s with its detected type and no metadata', async (_what, bytes, mimeType) => {
    const document = content(await bytes(), { filename: 'r.pdf', declaredMimeType: 'application/pdf' });
    expect(await described(document)).toEqual({ mimeType, metadata: {} });
  });

  it.each([
    ['an encrypted PDF', 'r.pdf', pdfWith({ userPassword: 'x' }), 'application/pdf'],
    [
      'an encrypted ZUGFeRD',
      'r.pdf',
      pdfWith({ attachments: { 'factur-x.xml': cii }, userPassword: 'x' }),
      'application/pdf',
    ],
    ['a zip archive with a password', 'r.zip', zip(true), 'application/zip'],
    ['an encrypted mail', 'smime.p7m', smime('encrypted'), 'application/pkcs7-mime'],
    [
      'a mail in PGP/MIME',
      'encrypted.asc',
      '-----BEGIN PGP MESSAGE-----\n\nhQEMA1==\n-----END PGP MESSAGE-----\n',
      'application/pgp-encrypted',
    ],
    [
      'a rights-management mail',
      'message_v2.rpmsg',
      Buffer.from('76e80460c411e386a00f0000', 'hex'),
      'application/x-microsoft-rpmsg-message',
    ],
  ])('marks %s as encrypted', async (_what, filename, bytes, mimeType) => {
    const document = content(await bytes, { filename, declaredMimeType: mimeType });
    expect(await described(document)).toEqual({ mimeType, metadata: { encrypted: true } });
  });

  it.each([
    [
      'a PDF that cannot be changed without a password',
      'r.pdf',
      pdfWith({ text: 'Hallo', ownerPassword: 'x' }),
      'application/pdf',
    ],
    [
      'a PDF that only contains the word',
      'r.pdf',
      pdfWith({ text: 'Hallo', attachments: { '/Encrypt': '/Encrypt' } }),
      'application/pdf',
    ],
    ['a zip archive without a password', 'r.zip', zip(false), 'application/zip'],
    ['a signed mail', 'smime.p7m', smime('signed'), 'application/pkcs7-mime'],
  ])('does not mark %s as encrypted', async (_what, filename, bytes, mimeType) => {
    expect(await described(content(await bytes, { filename }))).toEqual({ mimeType, metadata: {} });
  });

  it('does not load documents that are too large, or neither XML nor PDF', async () => {
    const documents = [
      content(cii, { size: MAX_XML_BYTES + 1 }),
      content('%PDF-1.7 EmbeddedFile', { size: MAX_PDF_BYTES + 1 }),
      content('a;b;c', { size: 100, filename: 'a.csv' }),
      content('<order xmlns="u">', { size: 100 }),
    ];
    const types = await Promise.all(documents.map(async (document) => (await described(document)).mimeType));
    expect(types).toEqual(['application/xml', 'application/pdf', 'text/csv', 'application/xml']);
    for (const document of documents) expect(document.whole).not.toHaveBeenCalled();
  });

  it('rejects when the content cannot be read, so that the document is retried', async () => {
    const document = content(cii, { size: 100_000, whole: () => Promise.reject(new Error('store is away')) });
    await expect(described(document)).rejects.toThrow('store is away');
    expect(await described(content(cii))).toMatchObject({ documentType: 'invoice' });
  });
});
