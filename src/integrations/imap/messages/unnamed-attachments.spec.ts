import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type AttachmentSpec, aMail } from '../../../../test/builders/mail-builder';
import { useImap } from '../../../../test/harness/connectors/use-imap';
import { invoiceMail, pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import { listAll, read } from '../../../../test/interop/imap/mailbox-session';
import { imap } from '../imap';

const PDF = pdfBytes('a');
const LARGE = pdfBytes('groß', 3_000_000);
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const XML = Buffer.from('<?xml version="1.0"?><a/>');

const { at, session, names, arrives: arrivesIn } = useImap();

const arrives = (content: Buffer, more: Partial<AttachmentSpec> = {}): void =>
  arrivesIn('Ihre Rechnung', { content, ...more });

async function zip(...names: string[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const name of names) archive.addBuffer(PDF, name);
  archive.end();
  return buffer(archive.outputStream);
}

const fetches = () => at().commands.filter((command) => command.endsWith('FETCH')).length;

describe('an attachment of unknown type and name', () => {
  it.each<[content: Buffer, name: string | undefined, called: string, mimeType: string]>([
    [PDF, 'Rechnung.dat', 'Rechnung.dat', 'application/pdf'],
    [PDF, 'Rechnung 4711', 'Rechnung 4711.pdf', 'application/pdf'],
    [PDF, 'Rechnung_2026_abgeschnitten.p', 'Rechnung_2026_abgeschnitten.p.pdf', 'application/pdf'],
    [PDF, undefined, 'Ihre Rechnung.pdf', 'application/pdf'],
    [LARGE, undefined, 'Ihre Rechnung.pdf', 'application/pdf'],
    [PNG, 'Beleg', 'Beleg.png', 'image/png'],
    [XML, 'xrechnung', 'xrechnung.xml', 'application/xml'],
  ])('is identified by its content (%#)', async (content, filename, called, mimeType) => {
    arrives(content, filename === undefined ? {} : { filename });
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map((ref) => ref.filename)).toEqual([called]);
    expect((await imap.download(opened, documents[0]!)).mimeType).toBe(mimeType);
    expect((await read(imap, opened, documents[0]!)).equals(content)).toBe(true);
  });

  it('is identified by its content also without a disposition, as from old programs', async () => {
    arrives(PDF, { filename: 'Rechnung.dat', disposition: null });
    arrives(Buffer.from('Irgendwas'), { disposition: null });
    expect(await names()).toEqual(['Rechnung.dat']);
  });

  it('is extracted when it is an archive', async () => {
    arrives(await zip('a.pdf', 'b.pdf'), { filename: 'Rechnungen' });
    expect(await names(session())).toEqual(['a.pdf', 'b.pdf']);
  });

  it('is not a document when it is neither PDF, XML, image nor archive', async () => {
    arrives(Buffer.from('Irgendwas'), { filename: 'notiz.dat' });
    arrives(Buffer.from('<html><p>Hallo</p></html>'));
    arrives(await zip('[Content_Types].xml', 'word/document.xml'));
    arrives(Buffer.alloc(0));
    expect(await names(session())).toEqual([]);
  });

  it('does not replace the text of its mail when it is not a document', async () => {
    arrives(Buffer.from('Irgendwas'), { filename: 'notiz.dat' });
    expect(await names(session(true))).toEqual(['Ihre Rechnung.html']);
    arrives(PDF, { filename: 'Rechnung' });
    expect(await names(session(true))).toEqual(['Ihre Rechnung.html', 'Rechnung.pdf']);
  });

  it('is the only content that is read during the listing', async () => {
    at().append('INBOX', invoiceMail('a.pdf').build());
    at().append('INBOX', aMail().attach({ content: PDF, mimeType: 'application/msword', filename: 'a.doc' }).build());
    await listAll(imap, session());
    const before = fetches();
    expect(before).toBe(1);
    arrives(PDF, { filename: 'Rechnung' });
    await listAll(imap, session());
    expect(fetches() - before).toBe(2);
  });
});
