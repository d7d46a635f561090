import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aMail } from '../../../../test/builders/mail-builder';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { listAll, mailboxSession, type MailboxSession, read } from '../../../../test/interop/imap/mailbox-session';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };
const PDF = Buffer.from('%PDF-1.7\nInvoice 4711\n%%EOF\n');
const pdf = { content: PDF, mimeType: 'application/pdf' } as const;

let server: FakeImapServer;
const sessions: MailboxSession[] = [];

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv'] });
});

afterEach(async () => {
  for (const each of sessions.splice(0)) await each.end();
  await server.stop();
});

function session(step2: Record<string, unknown> = {}): MailboxSession {
  const login = { host: 'localhost', port: server.port, security: 'NONE', ...USER };
  const opened = mailboxSession({ fields: login, step2: { folders: ['INBOX', 'Archiv'], ...step2 } });
  sessions.push(opened);
  return opened;
}

const sample = (name: string): Buffer => readFileSync(join(__dirname, '../../../../test/samples/smime', name));

/** A mail that consists of signed content, or one to which that is attached. */
function arrives(
  content: Buffer,
  more: { filename?: string; mimeType?: string; folder?: string; bare?: boolean } = {},
) {
  const { filename = 'smime.p7m', mimeType = 'application/pkcs7-mime', folder = 'INBOX', bare = true } = more;
  const mail = aMail()
    .messageId('<smime@example.com>')
    .subject('Rechnung 4711')
    .attach({ content, filename, mimeType });
  server.append(folder, (bare ? mail.bare() : mail).build());
}

async function found(step2?: Record<string, unknown>) {
  const opened = session(step2);
  const { documents } = await listAll(imap, opened);
  return Promise.all(
    documents.map(async (ref) => {
      const { mimeType } = await imap.download(opened, ref);
      return { name: ref.filename, mimeType, content: await read(imap, opened, ref), ref };
    }),
  );
}

const names = async (step2?: Record<string, unknown>) => (await found(step2)).map(({ name }) => name);

describe('a signed mail', () => {
  it.each(['signed.p7m', 'streamed.p7m', 'signed-twice.p7m', 'signed-forward.p7m'])(
    '(%s) is replaced by the documents in it, with their bytes and names',
    async (name) => {
      arrives(sample(name));
      const documents = await found();
      expect(documents).toMatchObject([{ name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: PDF }]);
      expect(documents[0]!.ref.size).toBe(PDF.length);
    },
  );

  it.each(['application/x-pkcs7-mime', 'application/octet-stream'])('is also recognized as %s', async (mimeType) => {
    arrives(sample('signed.p7m'), { mimeType, bare: false });
    expect(await names()).toEqual(['Rechnung März.pdf']);
  });

  it('yields the contents of a zip archive in it', async () => {
    arrives(sample('signed-zip.p7m'));
    expect(await found()).toMatchObject([{ name: 'zipped.pdf', mimeType: 'application/pdf', content: PDF }]);
  });

  it('that consists of an unnamed document is named by its subject', async () => {
    arrives(sample('signed-nameless.p7m'));
    expect(await found()).toMatchObject([{ name: 'Rechnung 4711.pdf', content: PDF }]);
  });

  it('in two folders has the same keys', async () => {
    for (const folder of ['INBOX', 'Archiv']) arrives(sample('signed-zip.p7m'), { folder });
    const documents = await found();
    expect(documents).toHaveLength(2);
    expect(new Set(documents.map(({ ref }) => ref.dedupeKey)).size).toBe(1);
  });

  it('without attachments is a document only with texts enabled', async () => {
    arrives(sample('signed-text.p7m'));
    expect(await names()).toEqual([]);
    const [text] = await found({ take_texts: true });
    expect(text).toMatchObject({ name: 'Rechnung 4711.html', mimeType: 'text/html' });
    expect(text!.content.toString('utf8')).toContain('<p>Rechnung 4711: 119,00 €</p>');
  });

  it('with attachments yields only these, also with texts enabled', async () => {
    arrives(sample('signed.p7m'));
    expect(await names({ take_texts: true })).toEqual(['Rechnung März.pdf']);
  });

  it('with a detached signature is read like any other', async () => {
    const signed = aMail().multipart(
      'mixed',
      aMail()
        .text('Gruß')
        .attach({ ...pdf, filename: 'a.pdf' }),
    );
    const signature = { content: 'x', filename: 'smime.p7s', mimeType: 'application/pkcs7-signature' };
    server.append('INBOX', aMail().multipart('signed', signed, aMail().attach(signature).bare()).build());
    expect(await names()).toEqual(['a.pdf']);
  });
});

describe('a signed file', () => {
  it('is replaced by the file', async () => {
    const filename = 'Rechnung März.pdf.p7m';
    arrives(sample('signed-file.p7m'), { filename, mimeType: 'application/octet-stream', bare: false });
    expect(await found()).toMatchObject([{ name: 'Rechnung März.pdf', mimeType: 'application/pdf', content: PDF }]);
  });
});

describe('an unreadable container', () => {
  it.each(['encrypted.p7m', 'signed-encrypted.p7m'])('(%s) is delivered unchanged', async (name) => {
    arrives(sample(name));
    expect(await found()).toMatchObject([
      { name: 'smime.p7m', mimeType: 'application/pkcs7-mime', content: sample('encrypted.p7m') },
    ]);
  });

  it.each([
    ['cut off', sample('signed.p7m').subarray(0, 700)],
    ['nothing of the kind', Buffer.from('Diese Datei ist leider keine.')],
  ])('that is %s is delivered unchanged', async (_, content) => {
    arrives(content);
    expect(await found()).toMatchObject([{ name: 'smime.p7m', content }]);
  });

  it('that contains only certificates is not a document', async () => {
    arrives(sample('certificates.p7m'));
    expect(await names()).toEqual([]);
  });
});
