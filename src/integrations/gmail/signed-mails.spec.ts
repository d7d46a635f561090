import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aMail } from '../../../test/builders/mail-builder';
import type { GmailState } from '../../../test/fakes/gmail/gmail-state';
import { useGmail } from '../../../test/harness/connectors/use-gmail';
import { gmail } from './gmail';

const PDF = Buffer.from('%PDF-1.7\nInvoice 4711\n%%EOF\n');
const sample = (name: string): Buffer => readFileSync(join(__dirname, '../../../test/samples/smime', name));

const { at, session, pagesOf, read } = useGmail();
let box: GmailState;
beforeEach(() => {
  ({ box } = at());
});

/** A mail that consists of signed content. */
const signedMail = (content: Buffer) =>
  aMail()
    .messageId('<smime@example.com>')
    .subject('Rechnung 4711')
    .attach({ content, filename: 'smime.p7m', mimeType: 'application/pkcs7-mime' })
    .bare()
    .build();

async function found(step2: Record<string, unknown> = {}) {
  const { documents, error } = await pagesOf({ step2 });
  expect(error).toBeUndefined();
  return Promise.all(
    documents.map(async (ref) => {
      const { mimeType } = await gmail.download(session({ step2 }), ref);
      return { name: ref.filename, mimeType, content: await read(ref, { step2 }), key: ref.dedupeKey };
    }),
  );
}

describe('A signed mail in Gmail', () => {
  it.each(['signed.p7m', 'streamed.p7m', 'signed-twice.p7m', 'signed-forward.p7m'])(
    '(%s) is replaced by the documents in it, with their bytes and names',
    async (name) => {
      box.deliver(signedMail(sample(name)));
      expect(await found()).toMatchObject([{ name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: PDF }]);
    },
  );

  it('yields the contents of a zip archive in it', async () => {
    box.deliver(signedMail(sample('signed-zip.p7m')));
    expect(await found()).toMatchObject([{ name: 'zipped.pdf', mimeType: 'application/pdf', content: PDF }]);
  });

  it('has the same keys in every copy', async () => {
    box.deliver(signedMail(sample('signed-zip.p7m')));
    box.deliver(signedMail(sample('signed-zip.p7m')));
    const documents = await found();
    expect(documents).toHaveLength(2);
    expect(new Set(documents.map(({ key }) => key)).size).toBe(1);
  });

  it('without attachments is a document only with texts enabled', async () => {
    box.deliver(signedMail(sample('signed-text.p7m')));
    expect(await found()).toEqual([]);
    const [text] = await found({ take_texts: true });
    expect(text).toMatchObject({ name: 'Rechnung 4711.html', mimeType: 'text/html' });
    expect(text!.content.toString()).toContain('<p>Rechnung 4711: 119,00 €</p>');
  });

  it('with a detached signature is read like any other', async () => {
    const signed = aMail().multipart(
      'mixed',
      aMail().text('Gruß').attach({ content: PDF, filename: 'a.pdf', mimeType: 'application/pdf' }),
    );
    const signature = { content: 'x', filename: 'smime.p7s', mimeType: 'application/pkcs7-signature' };
    box.deliver(aMail().multipart('signed', signed, aMail().attach(signature).bare()).build());
    expect(await found()).toMatchObject([{ name: 'a.pdf', content: PDF }]);
  });

  it('that is encrypted is delivered unchanged', async () => {
    box.deliver(signedMail(sample('encrypted.p7m')));
    expect(await found()).toMatchObject([
      { name: 'smime.p7m', mimeType: 'application/pkcs7-mime', content: sample('encrypted.p7m') },
    ]);
  });
});
