import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { ZipFile } from 'yazl';
import { aMail } from '../../../../../test/builders/mail-builder';
import { msg } from '../../../../../test/builders/outlook-files';
import { addFiltered } from '../../../core/filter-reason';
import type { Integration, Session } from '../../../core/integration';
import { openSession, type OpenSession } from '../../../core/session/open-session';
import type { DocumentRef, SourcePage } from '../../../core/source-document';
import { DocumentUnavailable, Transient } from '../../../core/source-errors';
import { openingFiles } from './opening-files';

const files = new Map<string, Buffer | Error>();
const opened: string[] = [];
let sessions: OpenSession[] = [];

afterEach(async () => {
  for (const each of sessions) await each.close();
  sessions = [];
  files.clear();
  opened.length = 0;
});

const reference = (filename: string): DocumentRef => ({
  dedupeKey: `file:${filename}`,
  isSameByContent: true,
  externalId: filename,
  filename,
  metadata: { source: { kind: 'file', path: filename } },
  locator: { path: filename, size: null, version: '1' },
});

const storage = {
  async *list() {
    yield { documents: [...files.keys()].map(reference), cursor: 'after' };
  },
  download: (_: Session, { locator }: DocumentRef) => {
    const { path } = locator as { path: string };
    opened.push(path);
    const content = files.get(path)!;
    if (content instanceof Error) return Promise.reject(content);
    return Promise.resolve({ stream: Readable.from([content]), filename: path, mimeType: 'application/octet-stream' });
  },
} as unknown as Integration;
const opening = openingFiles(storage);

function session(
  step2: Record<string, unknown> = {},
  known: readonly string[] = [],
  fields: Record<string, unknown> = {},
): OpenSession {
  const made = openSession({
    fields,
    step2,
    network: undefined as never,
    signal: new AbortController().signal,
    now: () => new Date(),
    findKnown: (keys) => Promise.resolve(new Set(keys.filter((key) => known.includes(key)))),
  });
  sessions.push(made);
  return made;
}

async function listed(opened = session()): Promise<SourcePage[]> {
  const pages: SourcePage[] = [];
  for await (const page of opening.list(opened, 'before', null)) pages.push(page);
  return pages;
}

async function zip(names: readonly string[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const name of names) archive.addBuffer(Buffer.from(`%PDF-1.7 ${name}`), name, { compress: false });
  archive.end();
  return buffer(archive.outputStream);
}

const namesIn = (pages: readonly SourcePage[]) => pages.flatMap((page) => page.documents.map((ref) => ref.filename));

describe('openingFiles', () => {
  it('reads only files whose name does not say what they are', async () => {
    files.set('a.pdf', Buffer.from('%PDF-')).set('b.jpg', Buffer.from('x')).set('c', Buffer.from('%PDF-1.7'));
    expect(await listed()).toMatchObject([{ cursor: 'after', filteredBy: {} }]);
    expect(opened).toEqual(['c']);
    await listed(session({ file_types: ['all'] }));
    expect(opened).toEqual(['c']);
  });

  it('downloads a file in an archive', async () => {
    files.set('a.zip', await zip(['x/a.pdf', 'b.pdf']));
    const current = session();
    const [page] = await listed(current);
    const [first] = page!.documents;
    expect(first).toMatchObject({ filename: 'a.pdf', externalId: null, isSameByContent: true });
    expect(await buffer((await opening.download(current, first!)).stream)).toEqual(Buffer.from('%PDF-1.7 x/a.pdf'));
    // A later fetch retries it.
    expect(await buffer((await opening.download(session(), first!)).stream)).toEqual(Buffer.from('%PDF-1.7 x/a.pdf'));
    expect(page!.readKeys).toEqual(['file:a.zip']);
  });

  it('opens an encrypted archive with a stored password, and lists it itself without one', async () => {
    files.set('a.zip', readFileSync(join(__dirname, '../../../../../test/samples/encrypted/aes-256.zip')));
    expect(namesIn(await listed())).toEqual(['a.zip']);
    const withPassword = session({}, [], { document_passwords: ['falsch', 'Rechnung#2026'] });
    const pages = await listed(withPassword);
    expect(namesIn(pages)).toEqual(['Rechnung 1.pdf', 'Rechnung 2.pdf']);
    const { stream } = await opening.download(withPassword, pages[0]!.documents[0]!);
    expect((await buffer(stream)).toString()).toBe('%PDF-1.7 Rechnung 1\n%%EOF\n');
    // The password was removed before the file could be downloaded.
    await expect(opening.download(session(), pages[0]!.documents[0]!)).rejects.toThrow(DocumentUnavailable);
  });

  it('opens what mailboxes open: compressed archives and files, and mails with their attachments', async () => {
    const pdf = (name: string) => Buffer.from(`%PDF-1.7 ${name}`);
    const archive = pack();
    archive.entry({ name: 'x/a.pdf' }, pdf('a'));
    archive.entry({ name: 'notes.txt' }, 'text');
    archive.finalize();
    const tar = await buffer(archive);
    const mail = aMail()
      .text('Anbei')
      .attach({ content: pdf('b'), filename: 'b.pdf', mimeType: 'application/pdf' })
      .attach({ content: Buffer.from('PK'), filename: 'c.docx', mimeType: 'application/octet-stream' })
      .build();
    files
      .set('a.tar', tar)
      .set('a.tar.gz', gzipSync(tar))
      .set('d.pdf.gz', gzipSync(pdf('d')))
      .set('b.eml', mail)
      .set('e.msg', msg([{ name: 'e.pdf', mimeType: 'application/pdf', content: pdf('e') }]))
      .set('f.eml', aMail().text('Danke!').build())
      .set('g.msg', Buffer.from('no mail'));
    const current = session();
    const pages = await listed(current);
    expect(namesIn(pages)).toEqual(['a.pdf', 'a.pdf', 'd.pdf', 'b.pdf', 'e.pdf', 'g.msg']);
    expect(addFiltered(...pages.map(({ filteredBy = {} }) => filteredBy))).toEqual({ TYPE: 3, ATTACHED_MAIL: 1 });
    const contents = pages
      .flatMap(({ documents }) => documents)
      .slice(0, 5)
      .map(async (ref) => (await buffer((await opening.download(current, ref)).stream)).toString());
    expect(await Promise.all(contents)).toEqual(['a', 'a', 'd', 'b', 'e'].map((name) => pdf(name).toString()));
    expect(pages.flatMap(({ readKeys = [] }) => readKeys)).not.toContain('file:g.msg');
  });

  it.each([[['office']], [['all']]])('lists mails themselves where they are selected: %j', async (kinds) => {
    files.set('b.eml', aMail().text('Anbei').build()).set('e.msg', msg([]));
    expect(namesIn(await listed(session({ file_types: kinds })))).toEqual(['b.eml', 'e.msg']);
    expect(opened).toEqual([]);
  });

  it('leaves out the files of an archive that an interrupted fetch has recorded', async () => {
    files.set('a.zip', await zip(['a.pdf', 'b.pdf']));
    const [page] = await listed();
    const known = [page!.documents[0]!.dedupeKey];
    expect(namesIn(await listed(session({}, known)))).toEqual(['b.pdf']);
  });

  it('keeps pages small, and moves the cursor after the last of them', async () => {
    for (const name of ['a.zip', 'b.zip', 'c.zip']) {
      files.set(name, await zip(Array.from({ length: 150 }, (_, n) => `${name} ${n}.pdf`)));
    }
    const pages = await listed();
    expect(new Set(namesIn(pages)).size).toBe(450);
    expect(Math.max(...pages.map(({ documents }) => documents.length))).toBeLessThanOrEqual(100);
    expect(pages.map(({ cursor }) => cursor)).toEqual([...pages.slice(1).map(() => 'before'), 'after']);
    expect(pages.flatMap(({ readKeys = [] }) => readKeys)).toEqual(['file:a.zip', 'file:b.zip', 'file:c.zip']);
    expect(pages.at(-1)!.readKeys).toHaveLength(3);
  });

  it('lists an archive and counts another file that cannot be read, and ends when the source does not answer', async () => {
    files
      .set('weg', new DocumentUnavailable('It is gone.', true))
      .set('weg.zip', new DocumentUnavailable('It is gone.', true));
    expect(await listed()).toMatchObject([{ documents: [reference('weg.zip')], filteredBy: { UNREADABLE: 1 } }]);
    files.set('unten', new Transient('503'));
    await expect(listed()).rejects.toThrow(Transient);
  });
});
