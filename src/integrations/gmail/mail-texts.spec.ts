import { aMail } from '../../../test/builders/mail-builder';
import { FakeGmail } from '../../../test/fakes/gmail/fake-gmail';
import type { GmailState } from '../../../test/fakes/gmail/gmail-state';
import { SourceSessions } from '../../../test/harness/connectors/source-session';
import { invoiceMail, pdfBytes } from '../../../test/interop/imap/invoice-mails';
import { read } from '../../../test/interop/imap/mailbox-session';
import type { DocumentRef } from '../core/source-document';
import { gmail } from './gmail';

const PIXELS = Buffer.alloc(3_000, 'pixels');

let server: FakeGmail;
let box: GmailState;
let token: string;
const sources = new SourceSessions(gmail, () => ({
  apiBaseUrl: server.url,
  accessToken: () => Promise.resolve(token),
  step2: { take_texts: true },
}));
const textOf = async (ref: DocumentRef) => (await read(gmail, sources.open(), ref)).toString();

beforeEach(async () => {
  server = await FakeGmail.start();
  box = server.mailbox();
  token = server.authorization.tokens().access_token;
});
afterEach(async () => {
  await sources.close();
  await server.stop();
  expect(server.violations).toEqual([]);
});
afterAll(() => sources.network.close());

const invoice = () =>
  aMail()
    .subject('Ihre Rechnung 77')
    .messageId('<text@example.com>')
    .text('Betrag: 11,90 €')
    .html('<h1>Rechnung für Sie</h1><img src="cid:logo@x"><img src="https://x.example/track.gif"><p>11,90 €</p>')
    .inline({ content: PIXELS, filename: 'logo.png', mimeType: 'image/png', contentId: 'logo@x' });

describe('The texts of mails in Gmail', () => {
  it('are documents only if enabled', async () => {
    box.deliver(invoice().build());
    expect((await sources.list({ step2: {} })).documents).toEqual([]);
    expect((await sources.list({ step2: { take_texts: false } })).documents).toEqual([]);
  });

  it('become a self-contained, deterministic HTML document', async () => {
    box.deliver(invoice().build());
    const [ref] = (await sources.list()).documents;
    expect(ref).toMatchObject({
      filename: 'Ihre Rechnung 77.html',
      externalId: null,
      metadata: { source: { kind: 'mail', path: 'INBOX', subject: 'Ihre Rechnung 77' } },
    });
    expect((await gmail.download(sources.open(), ref!)).mimeType).toBe('text/html');
    const html = await textOf(ref!);
    expect(html).toContain('<h1>Rechnung für Sie</h1>');
    expect(html).toContain(`data:image/png;base64,${PIXELS.toString('base64')}`);
    expect(html).not.toContain('x.example');
    expect(await textOf(ref!)).toBe(html);
  });

  it('are taken from mails without documents that pass the filters', async () => {
    const received = (n: number) => new Date(Date.UTC(2026, 2, 9 - n));
    const withDocument = invoiceMail(['a.pdf', pdfBytes('a')]).html('<p>Guten Tag</p>');
    box.deliver(withDocument.subject('Rechnung').build(), ['INBOX'], received(1));
    box.deliver(aMail().text('Hallo!').subject('Urlaub').build(), ['INBOX'], received(2));
    box.deliver(aMail().text('Betrag: 5 < 6').subject('Rechnung 2').build(), ['INBOX'], received(3));
    const found = await sources.list({ step2: { take_texts: true, subject_filter: 'rechnung' } });
    expect(found.documents.map(({ filename }) => filename)).toEqual(['a.pdf', 'Rechnung 2.html']);
    expect(found.filteredBy).toEqual({ PATTERN: 1 });
    expect(await textOf(found.documents[1]!)).toContain('Betrag: 5 &lt; 6');
  });

  it('are the same document in every copy of the mail', async () => {
    box.deliver(invoice().build());
    box.deliver(invoice().build());
    const { keys } = await sources.list();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('are decoded whether Gmail has converted them to UTF-8 or not', async () => {
    const mail = (charset: string, body: Buffer) =>
      Buffer.concat([
        Buffer.from(
          `From: a@b.example\r\nMessage-ID: <${charset}${body.length}@b>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset="${charset}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`,
        ),
        body,
      ]);
    box.deliver(mail('iso-8859-15', Buffer.from('<p>F\xfcr 5 \xa4</p>', 'latin1')));
    box.deliver(mail('iso-8859-15', Buffer.from('<p>Für 5 €</p>')));
    box.deliver(mail('unknown-8bit', Buffer.from('<p>F\xfcr 5 \x80</p>', 'latin1')));
    const { documents } = await sources.list();
    expect(documents).toHaveLength(3);
    for (const ref of documents) expect(await textOf(ref)).toContain('<p>Für 5 €</p>');
  });
});
