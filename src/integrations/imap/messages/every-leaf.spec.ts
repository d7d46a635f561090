import { createHash } from 'node:crypto';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { listAll, mailboxSession, type MailboxSession, read } from '../../../../test/interop/imap/mailbox-session';
import { type CorpusMail, mailCorpus } from '../../../../test/builders/mail-corpus';
import { totalFiltered } from '../../core/filter-reason';
import { DocumentUnavailable } from '../../core/source-errors';
import type { AttachmentChoice } from '../../shared/mail/parts/kinds/attachment-choice';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

let server: FakeImapServer;
let session: MailboxSession;

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER] });
});
afterEach(async () => {
  await session.end();
  await server.stop();
});

/** The leaves that arrive, and the number of those that are excluded or cannot be read. */
async function fetched({ message, leaves }: CorpusMail, attachments: AttachmentChoice) {
  server.append('INBOX', message);
  const fields = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
  session = mailboxSession({ fields, step2: { attachments } });
  const { documents, filteredBy } = await listAll(imap, session);
  const labels = new Map([...leaves].map(([label, content]) => [sha256(content), label]));
  const arrived: string[] = [];
  let failed = 0;
  for (const ref of documents) {
    try {
      arrived.push(labels.get(sha256(await read(imap, session, ref))) ?? `unknown ${ref.filename}`);
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentUnavailable);
      failed++;
    }
  }
  return { arrived, failed, filtered: totalFiltered(filteredBy) };
}

describe('every leaf of a mail is fetched, excluded or failed, and only once', () => {
  it.each(mailCorpus())('$name', async (build) => {
    const mail = await build.mail();
    const { arrived, failed, filtered } = await fetched(mail, 'documents');
    expect(arrived.toSorted()).toEqual(mail.documents.toSorted());
    expect(arrived.length + failed + filtered).toBe(mail.leaves.size);
    expect(failed).toBe(mail.failures);
  });

  it.each(mailCorpus())('$name, with all attachments', async (build) => {
    const mail = await build.mail();
    const { arrived, failed, filtered } = await fetched(mail, 'all');
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(arrived).toEqual(arrived.filter((label) => mail.leaves.has(label)));
    expect(arrived.length + failed + filtered).toBe(mail.leaves.size);
  });
});
