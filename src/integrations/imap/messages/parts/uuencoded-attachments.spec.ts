import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { aMail } from '../../../../../test/builders/mail-builder';
import { uuencode, type Uuencode } from '../../../../../test/builders/mail-encoding';
import { useImap } from '../../../../../test/harness/connectors/use-imap';
import { pdfBytes } from '../../../../../test/interop/imap/invoice-mails';
import { listAll, sha256 } from '../../../../../test/interop/imap/mailbox-session';
import { imap } from '../../imap';

const PDF = pdfBytes('alt');
const LARGE = pdfBytes('groß', 3_000_000);

const { at, session, arrives } = useImap();

/** A handwritten mail that consists of this part. */
const arrivesAlone = (header: string, content: Buffer): number =>
  at().append(
    'INBOX',
    Buffer.concat([Buffer.from(`Subject: Ihre Rechnung\r\nMessage-ID: <1@x>\r\n${header}\r\n\r\n`), content]),
  );

/** The name and hash of every document. */
async function fetched(): Promise<[string, string][]> {
  const opened = session();
  const { documents } = await listAll(imap, opened);
  const all: [string, string][] = [];
  for (const ref of documents) {
    const { filename, stream } = await imap.download(opened, ref);
    all.push([filename, sha256(await buffer(stream))]);
  }
  return all;
}

describe('a uuencoded attachment of an old program', () => {
  it.each<Uuencode>(['x-uuencode', 'uuencode', 'x-uue', 'uue'])('is decoded: %s', async (encoding) => {
    arrives('Ihre Rechnung', { content: PDF, mimeType: 'application/pdf', filename: 'Rechnung.pdf', encoding });
    expect(await fetched()).toEqual([['Rechnung.pdf', sha256(PDF)]]);
  });

  it('is decoded when it is large', async () => {
    arrives('Ihre Rechnung', { content: LARGE, filename: 'Rechnung.pdf', encoding: 'x-uuencode' });
    expect(await fetched()).toEqual([['Rechnung.pdf', sha256(LARGE)]]);
  });

  it.each([
    ['application/octet-stream', 'Rechnung 4711.pdf', 'Rechnung 4711.pdf'],
    ['application/pdf', 'RECHNUNG.PDF', 'RECHNUNG.PDF'],
    ['application/pdf', '../rechnung 4711', '_rechnung 4711.pdf'],
    ['application/pdf', '', 'Ihre Rechnung.pdf'],
  ])('has its own name when its mail has no name for it: %s, %j', async (type, called, name) => {
    const header = `Content-Type: ${type}\r\nContent-Transfer-Encoding: X-UUENCODE`;
    arrivesAlone(header, uuencode(PDF, called));
    expect(await fetched()).toEqual([[name, sha256(PDF)]]);
  });

  it('has the name in the mail when both exist', async () => {
    arrivesAlone(
      'Content-Type: application/pdf; name="Rechnung 1.pdf"\r\nContent-Transfer-Encoding: uuencode',
      uuencode(PDF, 'RECHNU~1.PDF'),
    );
    expect((await fetched()).map(([name]) => name)).toEqual(['Rechnung 1.pdf']);
  });

  it('is extracted when it is an archive or a mail', async () => {
    const archive = new ZipFile();
    archive.addBuffer(PDF, 'a.pdf');
    archive.end();
    const content = await buffer(archive.outputStream);
    arrives('Ihre Rechnung', { content, mimeType: 'application/zip', filename: 'a.zip', encoding: 'x-uue' });
    const inner = aMail()
      .attach({ content: PDF, mimeType: 'application/pdf', filename: 'b.pdf', encoding: 'x-uuencode' })
      .build();
    arrives('Weiterleitung', { content: inner, filename: 'b.eml', encoding: 'base64' });
    expect(await fetched()).toEqual([
      ['a.pdf', sha256(PDF)],
      ['b.pdf', sha256(PDF)],
    ]);
  });
});
