import { type AttachmentSpec, aMail } from '../../../test/builders/mail-builder';
import { useImap } from '../../../test/harness/use-imap';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import { listAll, read } from '../../../test/interop/imap/mailbox-session';
import { imap } from './imap';

const { session, names, arrives: arrivesIn } = useImap();
const PDF = pdfBytes('innen');

function arrives(attachment: Partial<AttachmentSpec>): void {
  const inner = aMail().text('Anbei').attach({ content: PDF, mimeType: 'application/pdf', filename: 'innen.pdf' });
  arrivesIn('Fwd', { content: inner.build(), ...attachment });
}

describe('a mail that is attached as a file', () => {
  it.each<[what: string, attachment: Partial<AttachmentSpec>]>([
    ['called .eml', { filename: 'Weiterleitung.eml' }],
    ['called .EML and said to be text', { filename: 'WEITER.EML', mimeType: 'text/plain' }],
    ['with addresses in UTF-8', { mimeType: 'message/global', encoding: '8bit' }],
    ['with addresses in UTF-8, encoded', { mimeType: 'message/global', filename: 'a.eml' }],
  ])('is looked into: one %s', async (_what, attachment) => {
    arrives(attachment);
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['innen.pdf']);
    expect((await read(imap, opened, documents[0]!)).equals(PDF)).toBe(true);
  });

  it('holds no documents, mostly', async () => {
    arrives({ filename: 'a.eml', content: aMail().text('Danke!').build() });
    expect(await names(session())).toEqual([]);
  });

  it('stays as it is when it is none', async () => {
    arrives({ filename: 'a.eml', content: 'kein Mail' });
    expect(await names(session())).toEqual(['a.eml']);
  });

  it('leaves the text of the mail around it a document, unless there are others', async () => {
    arrives({ filename: 'a.eml', content: aMail().text('Danke!').build() });
    expect(await names(session(true))).toEqual(['Fwd.html']);
    arrives({ filename: 'b.eml', content: invoiceMail(['b.pdf', PDF]).build() });
    expect(await names(session(true))).toEqual(['Fwd.html', 'b.pdf']);
  });
});
