import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type AttachmentSpec, aMail } from '../../../../test/builders/mail-builder';
import { useImap } from '../../../../test/harness/connectors/use-imap';
import { invoiceMail, pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import { listAll, read } from '../../../../test/interop/imap/mailbox-session';
import { imap } from '../imap';

const { session, names, arrives: arrivesIn } = useImap();
const PDF = pdfBytes('innen');

const inner = () =>
  aMail().text('Anbei').attach({ content: PDF, mimeType: 'application/pdf', filename: 'innen.pdf' }).build();

const arrives = (attachment: Partial<AttachmentSpec>): void => arrivesIn('Fwd', { content: inner(), ...attachment });

async function zip(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(content, name);
  archive.end();
  return buffer(archive.outputStream);
}

describe('a mail that is attached as a file', () => {
  it.each<[what: string, attachment: Partial<AttachmentSpec>]>([
    ['called .eml', { filename: 'Weiterleitung.eml' }],
    ['called .EML and said to be text', { filename: 'WEITER.EML', mimeType: 'text/plain' }],
    ['with addresses in UTF-8', { mimeType: 'message/global', encoding: '8bit' }],
    ['with addresses in UTF-8, encoded', { mimeType: 'message/global', filename: 'a.eml' }],
  ])('is extracted: one %s', async (_what, attachment) => {
    arrives(attachment);
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['innen.pdf']);
    expect((await read(imap, opened, documents[0]!)).equals(PDF)).toBe(true);
  });

  it('mostly contains no documents', async () => {
    arrives({ filename: 'a.eml', content: aMail().text('Danke!').build() });
    expect(await names(session())).toEqual([]);
  });

  it('is delivered unchanged when it is not a mail', async () => {
    arrives({ filename: 'a.eml', content: 'kein Mail' });
    expect(await names(session())).toEqual(['a.eml']);
  });

  it('keeps the text of the outer mail as a document unless there are others', async () => {
    arrives({ filename: 'a.eml', content: aMail().text('Danke!').build() });
    expect(await names(session(true))).toEqual(['Fwd.html']);
    arrives({ filename: 'b.eml', content: invoiceMail(['b.pdf', PDF]).build() });
    expect(await names(session(true))).toEqual(['Fwd.html', 'b.pdf']);
  });
});

function withMany(count: number): Buffer {
  const mail = aMail();
  for (let n = 0; n < count; n++) mail.attach({ content: `%PDF-1.7 ${n}`, mimeType: 'application/pdf' });
  return mail.build();
}

it('an attached mail with too many files is delivered unchanged', async () => {
  arrives({ filename: 'a.eml', content: withMany(1_001) });
  expect(await names()).toEqual(['a.eml']);
});

describe('a mail in an attached archive', () => {
  const archive = (content: Buffer): void => arrives({ content, filename: 'Mails.zip' });

  it('is extracted, like the other files', async () => {
    archive(await zip({ 'a.pdf': pdfBytes('a'), 'Ordner/Rechnung.eml': inner(), 'danke.eml': aMail().build() }));
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['a.pdf', 'innen.pdf']);
    expect((await read(imap, opened, documents[1]!)).equals(PDF)).toBe(true);
  });

  it('is the same document in every copy of the outer mail, and differs from its sibling', async () => {
    const content = await zip({ '1.eml': inner(), '2.eml': inner() });
    for (let copy = 0; copy < 2; copy++) arrives({ content, filename: 'Mails.zip' });
    const { documents } = await listAll(imap, session());
    expect(documents).toHaveLength(4);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it('may contain a signed mail, and be in one', async () => {
    const [signed, signedZip] = ['signed-forward', 'signed-zip'].map((name) =>
      readFileSync(join(__dirname, `../../../../test/samples/smime/${name}.p7m`)),
    );
    const outer = aMail().attach({ content: signed!, mimeType: 'application/pkcs7-mime', filename: 'smime.p7m' });
    archive(await zip({ 'a.eml': outer.build(), 'b.p7m': signed! }));
    arrives({ content: signedZip!, filename: 'smime.p7m' });
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung März.pdf', 'Rechnung März.pdf', 'zipped.pdf']);
  });

  it('delivers its archives unchanged', async () => {
    const archived = await zip({ 'c.pdf': PDF });
    const outer = aMail().attach({ content: archived, mimeType: 'application/zip', filename: 'c.zip' });
    archive(await zip({ 'a.eml': outer.build() }));
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['c.zip']);
    expect((await read(imap, opened, documents[0]!)).equals(archived)).toBe(true);
  });

  it('is delivered unchanged when it is not a mail', async () => {
    archive(await zip({ 'a.eml': Buffer.from('kein Mail'), 'b.eml': inner() }));
    expect(await names()).toEqual(['a.eml', 'innen.pdf']);
  });

  it('is delivered unchanged above the limit of files', async () => {
    archive(await zip({ 'a.eml': withMany(600), 'b.eml': withMany(600), 'c.eml': inner() }));
    const found = await names();
    expect(found).toHaveLength(602);
    expect(found.slice(600)).toEqual(['b.eml', 'innen.pdf']);
  });
});
