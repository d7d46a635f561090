import { imap } from '../../../src/integrations/imap/imap';
import { aMail, type AttachmentSpec } from '../../builders/mail-builder';
import { FakeImapServer } from '../../fakes/imap/fake-imap-server';
import { listAll, mailboxSession, type MailboxSession } from '../../interop/imap/mailbox-session';

const USER = { user: 'anna', password: 'right' };

/** An empty mailbox for each test, and helpers that fetch from it. */
export function useImap() {
  let server: FakeImapServer;
  const sessions: MailboxSession[] = [];

  beforeEach(async () => {
    server = await FakeImapServer.start({ users: [USER] });
  });
  afterEach(async () => {
    for (const each of sessions.splice(0)) await each.end();
    await server.stop();
  });

  function session(takesTexts = false): MailboxSession {
    const fields = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
    const opened = mailboxSession({ fields, step2: { take_texts: takesTexts } });
    sessions.push(opened);
    return opened;
  }

  const names = async (opened = session()): Promise<string[]> =>
    (await listAll(imap, opened)).documents.map(({ filename }) => filename);

  /** A mail with this attachment, with a generic type by default. */
  function arrives(subject: string, attachment: Partial<AttachmentSpec> & Pick<AttachmentSpec, 'content'>): void {
    const spec = { mimeType: 'application/octet-stream', ...attachment };
    server.append('INBOX', aMail().subject(subject).text('Anbei').attach(spec).build());
  }

  return { at: () => server, session, names, arrives };
}
