import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { aMail } from '../../../../test/builders/mail-builder';
import { useImap } from '../../../../test/harness/connectors/use-imap';
import { pdfBytes } from '../../../../test/interop/imap/invoice-mails';

const { names, arrives } = useImap();
const PDF = { content: pdfBytes('innen'), mimeType: 'application/pdf' };
const MIB = 1024 * 1024;

async function zip(files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of files) archive.addBuffer(content, name);
  archive.end();
  return buffer(archive.outputStream);
}
const archive = async (...files: [name: string, content: Buffer][]): Promise<void> =>
  arrives('Fwd', { content: await zip(files), filename: 'Mails.zip' });

describe('a mail in an attached archive', () => {
  const inner = aMail()
    .text('Anbei')
    .attach({ ...PDF, filename: 'innen.pdf' })
    .build();

  it('is delivered unchanged when it is too large', async () => {
    const large = aMail()
      .text('x'.repeat(26 * MIB))
      .build();
    await archive(['a.eml', large], ['b.eml', inner]);
    expect(await names()).toEqual(['a.eml', 'innen.pdf']);
  });

  it('is delivered unchanged above the limit of the unpacked size', async () => {
    const large = aMail()
      .text('x '.repeat(6 * MIB))
      .attach(PDF)
      .build();
    const mails = ['1', '2', '3', '4'].map((name): [string, Buffer] => [`${name}.eml`, large]);
    await archive(...mails, ['z.eml', inner]);
    expect(await names()).toEqual(['Fwd.pdf', 'Fwd.pdf', 'Fwd.pdf', '4.eml', 'innen.pdf']);
  });
});
