import { buffer } from 'node:stream/consumers';
import { type Options, ZipFile } from 'yazl';
import { aMail } from '../../../../test/builders/mail-builder';
import { FakeImapServer } from '../../../../test/fakes/imap/fake-imap-server';
import { invoiceMail, pdfBytes } from '../../../../test/interop/imap/invoice-mails';
import {
  listAll,
  mailboxSession,
  type MailboxSession,
  read,
  sha256,
} from '../../../../test/interop/imap/mailbox-session';
import { DocumentUnavailable } from '../../core/source-errors';
import { imap } from '../imap';

const USER = { user: 'anna', password: 'right' };

let server: FakeImapServer;
let session: MailboxSession;

beforeEach(async () => {
  server = await FakeImapServer.start({ users: [USER], folders: ['Archiv'] });
  session = mailboxSession({
    fields: { host: 'localhost', port: server.port, security: 'NONE', ...USER },
    step2: { folders: ['INBOX', 'Archiv'] },
  });
});

afterEach(async () => {
  await session.end();
  await server.stop();
});

async function zip(files: Readonly<Record<string, Buffer>>, options: Partial<Options> = {}): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, bytes] of Object.entries(files)) {
    if (path.endsWith('/')) archive.addEmptyDirectory(path);
    else archive.addBuffer(bytes, path, options);
  }
  archive.end();
  return buffer(archive.outputStream);
}

function arrives(content: Buffer, filename = 'Rechnungen.zip', mimeType = 'application/zip', folder = 'INBOX'): void {
  server.append(folder, aMail().messageId('<zip@example.com>').attach({ content, filename, mimeType }).build());
}

function occurrences(bytes: Buffer, signature: string): number[] {
  const found: number[] = [];
  for (let at = -1; (at = bytes.indexOf(signature, at + 1, 'latin1')) >= 0;) found.push(at);
  return found;
}

/** The general purpose flag of every file, in the central directory and before the files. */
function encrypted(archive: Buffer): Buffer {
  const bytes = Buffer.from(archive);
  for (const [signature, at] of [
    ['PK\x01\x02', 8],
    ['PK\x03\x04', 6],
  ] as const) {
    for (const found of occurrences(bytes, signature)) {
      bytes.writeUInt16LE(bytes.readUInt16LE(found + at) | 1, found + at);
    }
  }
  return bytes;
}

const names = (documents: readonly { filename: string }[]) => documents.map(({ filename }) => filename);

describe('an attached zip archive', () => {
  it('is replaced by the documents in it, with their bytes and without their folders', async () => {
    const [first, second] = [pdfBytes('first'), pdfBytes('second')];
    const files = { '2026/': Buffer.alloc(0), '2026/Rechnung März.pdf': first, 'b/rechnung märz.pdf': second };
    arrives(await zip({ ...files, 'readme.txt': Buffer.from('nothing'), 'leer.pdf': Buffer.alloc(0) }));
    const { documents } = await listAll(imap, session);
    expect(names(documents)).toEqual(['Rechnung März.pdf', 'rechnung märz (2).pdf']);
    expect(await read(imap, session, documents[0]!)).toEqual(first);
    expect(await read(imap, session, documents[1]!)).toEqual(second);
  });

  it.each(['application/x-zip-compressed', 'application/octet-stream'])(
    'is also recognized as %s',
    async (mimeType) => {
      arrives(await zip({ 'a.pdf': pdfBytes('a') }), 'a.zip', mimeType);
      expect(names((await listAll(imap, session)).documents)).toEqual(['a.pdf']);
    },
  );

  it('of one mail in two folders has the same keys', async () => {
    const archive = await zip({ 'a.pdf': pdfBytes('a'), 'b.pdf': pdfBytes('a') }, { compress: false });
    arrives(archive);
    arrives(archive, 'Rechnungen.zip', 'application/zip', 'Archiv');
    const { documents } = await listAll(imap, session);
    expect(names(documents)).toEqual(['a.pdf', 'b.pdf', 'a.pdf', 'b.pdf']);
    expect(new Set(documents.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  });

  it('is extracted without system files', async () => {
    arrives(await zip({ '__MACOSX/._a.pdf': Buffer.from('x'), '._a.pdf': Buffer.from('x'), 'a.pdf': pdfBytes('a') }));
    expect(names((await listAll(imap, session)).documents)).toEqual(['a.pdf']);
  });

  it('in an archive is delivered unchanged', async () => {
    const inner = await zip({ 'a.pdf': pdfBytes('a') });
    arrives(await zip({ 'inner.zip': inner }));
    const { documents } = await listAll(imap, session);
    expect(names(documents)).toEqual(['inner.zip']);
    expect(await read(imap, session, documents[0]!)).toEqual(inner);
  });

  it.each<[string, (archive: Buffer) => Buffer]>([
    ['encrypted', encrypted],
    ['cut off', (archive) => archive.subarray(0, archive.length - 30)],
    ['no archive at all', () => Buffer.from('Diese Datei ist leider keine.')],
  ])('that is %s is delivered unchanged', async (_, spoil) => {
    const spoilt = spoil(await zip({ 'a.pdf': pdfBytes('a') }));
    arrives(spoilt);
    const { documents } = await listAll(imap, session);
    expect(names(documents)).toEqual(['Rechnungen.zip']);
    expect(await read(imap, session, documents[0]!)).toEqual(spoilt);
  });

  it('with an excessive declared size is not unpacked', async () => {
    const archive = await zip({ 'a.pdf': pdfBytes('a') });
    const directory = archive.indexOf('PK\x01\x02', 0, 'latin1');
    archive.writeUInt32LE(200 * 1024 * 1024, directory + 24);
    arrives(archive);
    expect(names((await listAll(imap, session)).documents)).toEqual(['Rechnungen.zip']);
  });

  it('with an excessive total size is not unpacked', async () => {
    const archive = await zip({ 'a.pdf': pdfBytes('a'), 'b.pdf': pdfBytes('b'), 'c.pdf': pdfBytes('c') });
    for (const directory of occurrences(archive, 'PK\x01\x02')) archive.writeUInt32LE(90 * 1024 * 1024, directory + 24);
    arrives(archive);
    expect(names((await listAll(imap, session)).documents)).toEqual(['Rechnungen.zip']);
  });

  it.each<[string, (archive: Buffer, first: number, second: number) => void]>([
    ['the same bytes', (archive, first, second) => archive.copy(archive, second + 42, first + 42, first + 46)],
    ['bytes of another', (archive, first) => archive.writeUInt32LE(archive.readUInt32LE(first + 20) + 100, first + 20)],
  ])('whose files have %s is not unpacked', async (_, overlap) => {
    const archive = await zip({ 'a.pdf': pdfBytes('a'), 'b.pdf': pdfBytes('b') });
    const [first, second] = occurrences(archive, 'PK\x01\x02');
    overlap(archive, first!, second!);
    arrives(archive);
    expect(names((await listAll(imap, session)).documents)).toEqual(['Rechnungen.zip']);
  });

  it('with a file of another size than declared fails for that file only', async () => {
    const [bad, good] = [pdfBytes('bad'.repeat(500)), pdfBytes('good')];
    const archive = await zip({ 'bad.pdf': bad, 'good.pdf': good });
    archive.writeUInt32LE(bad.length - 5, archive.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    arrives(archive);
    const { documents } = await listAll(imap, session);
    await expect(read(imap, session, documents[0]!)).rejects.toThrow(DocumentUnavailable);
    expect(await read(imap, session, documents[1]!)).toEqual(good);
  });

  it('is read once for all its files that are opened together', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.pdf`, pdfBytes(String(n))]));
    arrives(await zip(files));
    const { documents } = await listAll(imap, session);
    const fetches = () => server.commands.filter((command) => command === 'UID FETCH').length;
    const before = fetches();
    const contents = await Promise.all(documents.map((ref) => read(imap, session, ref)));
    expect(contents).toEqual(Object.values(files));
    expect(fetches() - before).toBe(0);
  });

  it('is read also when many are opened that exceed the memory limit together', async () => {
    const contents = Array.from({ length: 20 }, (_, n) => pdfBytes(String(n), 3_000_000));
    for (const content of contents) arrives(await zip({ 'a.pdf': content }, { compress: false }));
    const { documents } = await listAll(imap, session);
    const got = await Promise.all(documents.map((ref) => read(imap, session, ref)));
    expect(got.map(sha256)).toEqual(contents.map(sha256));
  });

  it('is listed with the other attachments of its mail', async () => {
    const mail = invoiceMail('before.pdf');
    mail.attach({ content: await zip({ 'in.pdf': pdfBytes('in') }), filename: 'a.zip', mimeType: 'application/zip' });
    mail.attach({ content: pdfBytes('after'), filename: 'after.pdf', mimeType: 'application/pdf' });
    server.append('INBOX', mail.build());
    expect(names((await listAll(imap, session)).documents)).toEqual(['before.pdf', 'in.pdf', 'after.pdf']);
  });
});
