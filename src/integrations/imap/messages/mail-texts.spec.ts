import { aMail } from '../../../../test/builders/mail-builder';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail, pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read } from '../../../../test/interop/imap/mailbox-session';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };
const PIXELS = Buffer.alloc(3_000, 'pixels');

let server: FakeImapServer;
const sessions: MailboxSession[] = [];

function session(step2: Record<string, unknown> = {}): MailboxSession {
  const fields = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
  const opened = mailboxSession({ fields, step2: { take_texts: true, ...step2 } });
  sessions.push(opened);
  return opened;
}

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv'] });
});
afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  await server.stop();
});

const invoice = () =>
  aMail()
    .subject('Ihre Rechnung 77')
    .messageId('<text@example.com>')
    .text('Betrag: 11,90 €')
    .html('<h1>Rechnung für Sie</h1><img src="cid:logo@x"><img src="https://x.example/track.gif"><p>11,90 €</p>')
    .inline({ content: PIXELS, filename: 'logo.png', mimeType: 'image/png', contentId: 'logo@x' });

describe('the texts of mails', () => {
  it('are documents only if enabled', async () => {
    server.append('INBOX', invoice().build());
    expect((await listAll(imap, session({ take_texts: false }))).documents).toEqual([]);
    expect((await listAll(imap, session({ take_texts: undefined }))).documents).toEqual([]);
  });

  it('become a self-contained HTML document', async () => {
    server.append('INBOX', invoice().build());
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents).toMatchObject([
      { filename: 'Ihre Rechnung 77.html', externalId: null, metadata: { source: { subject: 'Ihre Rechnung 77' } } },
    ]);
    expect((await imap.download(opened, documents[0]!)).mimeType).toBe('text/html');
    const html = (await read(imap, opened, documents[0]!)).toString();
    expect(html).toContain('<h1>Rechnung für Sie</h1>');
    expect(html).toContain(`data:image/png;base64,${PIXELS.toString('base64')}`);
    expect(html).not.toContain('x.example');
    // The same bytes each time, by which copies are recognized.
    expect((await read(imap, session(), documents[0]!)).toString()).toBe(html);
    expect(server.changes).toEqual([]);
  });

  it('are taken from mails without documents that pass the filters', async () => {
    server.append(
      'INBOX',
      invoiceMail(['a.pdf', pdfBytes('a')])
        .html('<p>Guten Tag</p>')
        .subject('Rechnung')
        .build(),
    );
    server.append('INBOX', aMail().text('Hallo!').subject('Urlaub').build());
    server.append('INBOX', aMail().text('Betrag: 5 < 6').subject('Rechnung 2').build());
    const opened = session({ subject_filter: 'rechnung' });
    const { documents, filteredBy } = await listAll(imap, opened);
    expect(documents.map(({ filename }) => filename)).toEqual(['a.pdf', 'Rechnung 2.html']);
    expect(filteredBy).toEqual({ PATTERN: 1 });
    expect((await read(imap, opened, documents[1]!)).toString()).toContain('Betrag: 5 &lt; 6');
  });

  it('are the same document in every folder', async () => {
    server.append('INBOX', invoice().build());
    server.append('Archiv', invoice().build());
    const { documents } = await listAll(imap, session({ folders: ['INBOX', 'Archiv'] }));
    expect(documents).toHaveLength(2);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(1);
  });

  it('are decoded in every character set', async () => {
    const mail = (charset: string, body: Buffer) =>
      Buffer.concat([
        Buffer.from(
          `From: a@b.example\r\nMessage-ID: <${charset}@b>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`,
        ),
        body,
      ]);
    server.append('INBOX', mail('iso-8859-15', Buffer.from('<p>F\xfcr 5 \xa4</p>', 'latin1')));
    server.append('INBOX', mail('utf-8', Buffer.from('<p>Für 5 €</p>')));
    server.append('INBOX', mail('unknown-8bit', Buffer.from('<p>F\xfcr 5 \x80</p>', 'latin1')));
    const opened = session();
    const { documents } = await listAll(imap, opened);
    expect(documents).toHaveLength(3);
    for (const ref of documents) expect((await read(imap, opened, ref)).toString()).toContain('<p>Für 5 €</p>');
  });
});
