import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type AttachmentSpec, aMail, type MailBuilder } from '../../../../../test/builders/mail-builder';
import { useImap } from '../../../../../test/harness/connectors/use-imap';
import { listAll } from '../../../../../test/interop/imap/mailbox-session';
import { imap } from '../../imap';

const { at, session } = useImap();

const PDF = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const file = (filename: string, content: Buffer, mimeType = 'application/octet-stream'): AttachmentSpec => ({
  filename,
  content,
  mimeType,
});
const mail = (id: string): MailBuilder => aMail().messageId(`<${id}@supplier.example>`);

/** A mail with files that were always documents, between others. */
const inner = (): Buffer =>
  mail('inner')
    .attach(file('x.pdf.gz', Buffer.from('no archive')))
    .attach(file('i.pdf', PDF('i'), 'application/pdf'))
    .attach(file('j.msg', Buffer.from('no mail')))
    .attach(file('k.png', PNG, 'image/png'))
    .attach(file('html.pdf', PDF('html'), 'text/html'))
    .attach(file('l.dat', PDF('l')))
    .attach(file('unknown.dat', PDF('unknown'), 'application/x-unheard-of'))
    .attach(file('n.xml', Buffer.from('<?xml version="1.0"?><n/>'), 'text/xml'))
    .build();

async function zip(): Promise<Buffer> {
  const archive = new ZipFile();
  const files = { 'x.msg': Buffer.from('no mail'), 'o.pdf': PDF('o'), Beleg: PDF('unnamed'), 'mail.eml': inner() };
  for (const [name, content] of Object.entries(files)) archive.addBuffer(content, name, { compress: false });
  archive.end();
  return buffer(archive.outputStream);
}

/* cspell:disable */
/** The keys before the files between them were fetched: documents with these keys have been delivered to clients. */
const DELIVERED: Readonly<Record<string, string>> = {
  'n.xml 0': 'mail:FDhJqXZKeog17OuA8xgedVyWC_21S0id8alphSACZzg',
  'n.xml 1': 'mail:vflvtaXdoh-20F4dVF6-Iu1Fe_8NvAcXPxsLqnrg_yI',
  'a.pdf 0': 'mail:5vTMTA2B-72_yqN7Jv3_1BVb9nBF9VWrd2nGsx5jK00',
  'i.pdf 0': 'mail:cr9NmDeoEnq6HtjRs2RH9yv3uF9RhR0-sKJUf592Lrc',
  'k.png 0': 'mail:r9TGszHMCIgXk7InDl4AK4gcTERnuOjqTWmlG98uZ0M',
  'l.dat 0': 'mail:FDsapU-Bd6Ke3jVilKAApcK3zCN-Zr0Dep97riYqH2I',
  'o.pdf 0': 'mail:yB1AbfLXJ2GwYUpQbu6G96iAEyHwo5yc86o70PtUzgc',
  'i.pdf 1': 'mail:pIiUQ2yv6w2TD8nQ2QynPGyTDxnJIH-FYyGMc4lMuFg',
  'k.png 1': 'mail:QloGqWlnh-z0vSExyvG0dqFESyIuhr6ZIraQby_7dVg',
  'l.dat 1': 'mail:TO01FdAm3wUebDBQioE9AZixNXDZ8IWRtl7avcrCDYY',
  'Rechnung März.pdf 0': 'mail:4N-ExgiiuIUyPoklKgqTxJOXfpdlYmQORnHRobZXcHs',
  'b.dat 0': 'mail:ijyhQvFZ09JQJBDK_exhhkAF4KWsm8P9joYdjzk0HBY',
};
/* cspell:enable */

it('Documents keep their keys when more kinds of files are fetched', async () => {
  const signed = readFileSync(join(__dirname, '../../../../../test/samples/smime/signed-forward.p7m'));
  const outer = mail('outer')
    .attach(file('page.pdf', PDF('page'), 'text/html'))
    .attach(file('a.pdf', PDF('a'), 'application/pdf'))
    .attach(file('inner.eml', inner()))
    .attach(file('files.zip', await zip()))
    .attach(file('smime.p7m', signed, 'application/pkcs7-mime'))
    .attach(file('b.dat', PDF('b')));
  at().append('INBOX', outer.build());
  const { documents } = await listAll(imap, session());
  const timesBefore = (n: number) =>
    documents.slice(0, n).filter(({ filename }) => filename === documents[n]!.filename).length;
  const keys = documents.map(({ filename, dedupeKey }, n) => [`${filename} ${timesBefore(n)}`, dedupeKey]);
  expect(Object.fromEntries(keys)).toMatchObject(DELIVERED);
  expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(documents.length);
});
