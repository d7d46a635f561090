import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { aMail } from '../../../../test/builders/mail-builder';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import { listAll, mailboxSession, type MailboxSession, read } from '../../../../test/interop/imap/mailbox-session';
import { totalFiltered } from '../../core/filter-reason';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };
const PDF = pdfBytes('a');
const OTHER = Buffer.from('Irgendwas');
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

let server: FakeImapServer;
const sessions: MailboxSession[] = [];

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER] });
});

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  await server.stop();
});

function session(step2: Record<string, unknown> = {}): MailboxSession {
  const opened = mailboxSession({
    fields: { host: 'localhost', port: server.port, security: 'NONE', time_zone: 'UTC', ...USER },
    step2,
  });
  sessions.push(opened);
  return opened;
}

async function zip(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, bytes] of Object.entries(files)) archive.addBuffer(bytes, path);
  archive.end();
  return buffer(archive.outputStream);
}

const found = async (step2?: Record<string, unknown>, startdate: string | null = null) => {
  const { documents, filteredBy } = await listAll(imap, session(step2), null, startdate);
  return { names: documents.map(({ filename }) => filename), filteredBy };
};

/** A mail with attachments of every kind, and the number of them. */
async function everyKind(): Promise<number> {
  const archive = await zip({
    'b.pdf': PDF,
    'b.xlsx': OTHER,
    'b.exe': OTHER,
    'leer.pdf': Buffer.alloc(0),
    '__MACOSX/b': OTHER,
  });
  const forwarded = aMail().attach({ content: PDF, mimeType: 'application/pdf', filename: 'c.pdf' });
  forwarded.attach({ content: OTHER, mimeType: 'application/msword', filename: 'c.doc' });
  const mail = aMail()
    .html('<p>Anbei</p><img src="cid:logo">')
    .inline({ content: OTHER, mimeType: 'image/png', filename: 'logo.png', contentId: 'logo' })
    .attach({ content: PDF, mimeType: 'application/pdf', filename: 'a.pdf' })
    .attach({ content: OTHER, mimeType: DOCX, filename: 'a.docx' })
    .attach({ content: OTHER, mimeType: 'application/octet-stream', filename: 'a.csv' })
    .attach({ content: OTHER, mimeType: 'text/plain', filename: 'a.txt' })
    .attach({ content: OTHER, mimeType: 'application/octet-stream', filename: 'a.dat' })
    .attach({ content: Buffer.alloc(0), mimeType: 'application/octet-stream', filename: 'b.dat' })
    .attach({ content: OTHER, mimeType: 'video/mp4', filename: 'a.mp4' })
    .attach({ content: OTHER, mimeType: 'text/calendar', filename: 'a.ics' })
    .attach({ content: OTHER, mimeType: 'application/pkcs7-signature', filename: 'smime.p7s' })
    .attach({ content: archive, mimeType: 'application/zip', filename: 'b.zip' })
    .forward(forwarded)
    .attach({ content: forwarded.build(), mimeType: 'application/octet-stream', filename: 'c.eml' });
  server.append('INBOX', mail.build());
  return 10 + 5 + 2 + 2;
}

describe('The choice of attachments', () => {
  it('takes documents by default, and counts all others by reason', async () => {
    const total = await everyKind();
    const { names, filteredBy } = await found();
    expect(names).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'c.pdf']);
    expect(filteredBy).toEqual({ INLINE_IMAGE: 1, EMPTY: 2, SYSTEM_FILE: 1, TYPE: 11 });
    expect(names.length + totalFiltered(filteredBy)).toBe(total);
  });

  it('takes office files and tables, also in archives and attached mails', async () => {
    await everyKind();
    const { names, filteredBy } = await found({ attachments: 'office' });
    expect(names).toEqual(['a.pdf', 'a.docx', 'a.csv', 'b.pdf', 'b.xlsx', 'c.pdf', 'c.doc', 'c.pdf', 'c.doc']);
    expect(filteredBy).toEqual({ INLINE_IMAGE: 1, EMPTY: 2, SYSTEM_FILE: 1, TYPE: 6 });
  });

  it('takes all attachments except images of the text and signatures', async () => {
    await everyKind();
    const { names, filteredBy } = await found({ attachments: 'all' });
    expect(names).toEqual(expect.arrayContaining(['a.txt', 'a.dat', 'a.mp4', 'a.ics', 'b.exe']));
    expect(filteredBy).toEqual({ INLINE_IMAGE: 1, EMPTY: 2, SYSTEM_FILE: 1, TYPE: 1 });
  });

  it('delivers the bytes and the type of a chosen attachment', async () => {
    server.append('INBOX', aMail().attach({ content: OTHER, mimeType: 'video/mp4', filename: 'a.mp4' }).build());
    const opened = session({ attachments: 'all' });
    const [ref] = (await listAll(imap, opened)).documents;
    expect((await imap.download(opened, ref!)).mimeType).toBe('video/mp4');
    expect(await read(imap, opened, ref!)).toEqual(OTHER);
  });

  it('leaves the keys of documents as they are', async () => {
    await everyKind();
    const keys = async (attachments: string) =>
      (await listAll(imap, session({ attachments }))).documents.map(({ dedupeKey }) => dedupeKey);
    const documents = await keys('documents');
    expect(await keys('office')).toEqual(expect.arrayContaining(documents));
    expect(await keys('all')).toEqual(expect.arrayContaining(await keys('office')));
  });

  it('counts the documents of mails that are too old or that the filters exclude', async () => {
    server.append('INBOX', aMail().attach({ content: PDF, mimeType: 'application/pdf', filename: 'a.pdf' }).build(), {
      internalDate: new Date('2026-11-19T23:00:00Z'),
    });
    expect(await found({}, '2026-11-20')).toEqual({ names: [], filteredBy: { BEFORE_STARTDATE: 1 } });
    expect(await found({ subject_filter: 'Mahnung' })).toEqual({ names: [], filteredBy: { PATTERN: 1 } });
  });
});
