import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aMail } from '../../../test/builders/mail-builder';
import type { MailState } from '../../../test/fakes/microsoft-graph/mail-state';
import { useMicrosoft } from '../../../test/harness/connectors/use-microsoft';
import { read } from '../../../test/interop/imap/mailbox-session';
import { outlook } from './outlook';

const PDF = Buffer.from('%PDF-1.7\nInvoice 4711\n%%EOF\n');
const sample = (name: string): Buffer => readFileSync(join(__dirname, '../../../test/samples/smime', name));

let mailbox: MailState;
const { sources } = useMicrosoft(outlook, (server) => {
  mailbox = server.mailbox();
});

/** A mail of signed content as Exchange stores it: with that one attachment. */
const signedMail = (content: Buffer, contentType = 'application/pkcs7-mime') =>
  mailbox.deliver([{ name: 'smime.p7m', contentType, content }], { subject: 'Rechnung 4711' });

/** A mail with a detached signature as Exchange stores it: complete, without the other header fields. */
function besideSignature(mail: ReturnType<typeof aMail>): Buffer {
  const signature = { content: 'x', filename: 'smime.p7s', mimeType: 'application/pkcs7-signature' };
  const whole = aMail()
    .bare()
    .multipart('signed', aMail().bare().multipart('mixed', mail), aMail().attach(signature).bare())
    .build();
  return whole.subarray(whole.indexOf('Content-Type: multipart/signed'));
}

async function found(step2: Record<string, unknown> = {}) {
  const { documents, error } = await sources.list({ step2 });
  expect(error).toBeUndefined();
  return Promise.all(
    documents.map(async (ref) => {
      const { mimeType } = await outlook.download(sources.open({ step2 }), ref);
      const content = await read(outlook, sources.open({ step2 }), ref);
      return { name: ref.filename, mimeType, content, key: ref.dedupeKey };
    }),
  );
}

describe('A signed mail in Outlook', () => {
  it.each(['signed.p7m', 'streamed.p7m', 'signed-twice.p7m', 'signed-forward.p7m'])(
    '(%s) is replaced by the documents in it, with their bytes and names',
    async (name) => {
      signedMail(sample(name));
      expect(await found()).toMatchObject([{ name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: PDF }]);
    },
  );

  it('yields the contents of a zip archive in it', async () => {
    signedMail(sample('signed-zip.p7m'));
    expect(await found()).toMatchObject([{ name: 'zipped.pdf', mimeType: 'application/pdf', content: PDF }]);
  });

  it('has the same keys in every copy', async () => {
    mailbox.copy(signedMail(sample('signed-zip.p7m')), mailbox.folder('Archiv'));
    const folders = [mailbox.inbox, mailbox.folder('Archiv')].map(({ id }) => id);
    const documents = await found({ folders });
    expect(documents).toHaveLength(2);
    expect(new Set(documents.map(({ key }) => key)).size).toBe(1);
  });

  it('without attachments is a document only with texts enabled', async () => {
    signedMail(sample('signed-text.p7m'));
    expect(await found()).toEqual([]);
    const [text] = await found({ take_texts: true });
    expect(text).toMatchObject({ name: 'Rechnung 4711.html', mimeType: 'text/html' });
    expect(text!.content.toString()).toContain('<p>Rechnung 4711: 119,00 €</p>');
  });

  it('with a detached signature is one attachment in Exchange, and is extracted, too', async () => {
    const pdf = { content: PDF, filename: 'Rechnung März.pdf', mimeType: 'application/pdf' };
    signedMail(besideSignature(aMail().text('Gruß').attach(pdf)), 'multipart/signed');
    expect(await found()).toMatchObject([{ name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: PDF }]);
  });

  it('with a detached signature and without attachments is a document only with texts enabled', async () => {
    signedMail(besideSignature(aMail().html('<p>Rechnung 4711: 119,00 €</p>')), 'multipart/signed');
    expect(await found()).toEqual([]);
    const [text] = await found({ take_texts: true });
    expect(text).toMatchObject({ name: 'Rechnung 4711.html', mimeType: 'text/html' });
    expect(text!.content.toString()).toContain('<p>Rechnung 4711: 119,00 €</p>');
  });

  it('that is encrypted is delivered unchanged', async () => {
    signedMail(sample('encrypted.p7m'));
    expect(await found()).toMatchObject([
      { name: 'smime.p7m', mimeType: 'application/pkcs7-mime', content: sample('encrypted.p7m') },
    ]);
  });
});
