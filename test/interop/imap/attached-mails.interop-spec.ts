import { imap } from '../../../src/integrations/imap/imap';
import { aMail } from '../../builders/mail-builder';
import { Dovecot, DOVECOT_USER } from './dovecot';
import { invoiceMail, pdfBytes } from './invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read } from './mailbox-session';

let dovecot: Dovecot;
let session: MailboxSession;

beforeEach(async () => {
  dovecot = await Dovecot.start();
  const login = { host: dovecot.host, port: dovecot.port, security: 'NONE', ...DOVECOT_USER };
  session = mailboxSession({ fields: login });
});
afterEach(async () => {
  await session.end();
  await dovecot.stop();
});

describe('A mail in a mail, in Dovecot', () => {
  it.each(['7bit', 'base64', 'quoted-printable'] as const)(
    'yields its attachments, encoded as %s',
    async (encoding) => {
      const inner = invoiceMail(['Rechnung März.pdf', pdfBytes('large', 300_000)], ['b.pdf', pdfBytes('b')]);
      const content = encoding === '7bit' ? inner.build() : inner.text('Grüße').build();
      const outer = aMail().attach({ content, mimeType: 'message/rfc822', filename: 'Fwd.eml', encoding });
      await dovecot.deliver('INBOX', outer.attach({ content: pdfBytes('c'), mimeType: 'application/pdf' }).build());
      const { documents } = await listAll(imap, session);
      expect(documents.map(({ filename }) => filename)).toEqual(['Rechnung März.pdf', 'b.pdf', 'Your invoice.pdf']);
      const contents = await Promise.all(documents.map((ref) => read(imap, session, ref)));
      expect(contents).toEqual([pdfBytes('large', 300_000), pdfBytes('b'), pdfBytes('c')]);
    },
  );

  it('is counted when it is encoded and holds no document', async () => {
    const content = aMail().text('Danke!').build();
    const spec = { content, mimeType: 'message/rfc822', filename: 'Fwd.eml', encoding: 'base64' } as const;
    await dovecot.deliver('INBOX', aMail().attach(spec).build());
    const { documents, filteredBy } = await listAll(imap, session);
    expect({ documents, filteredBy }).toEqual({ documents: [], filteredBy: { ATTACHED_MAIL: 1 } });
  });
});
