import { rejectionOf } from '../../../test/harness/rejection-of';
import { useFtp } from '../../../test/harness/connectors/use-ftp';
import type { DocumentRef } from '../core/source-document';
import { Transient } from '../core/source-errors';
import { ftp } from './ftp';

const source = useFtp();

describe.each([
  ['with exact listings', true],
  ['without', false],
])('Reading from an FTP server %s', (_, hasFacts) => {
  it('supports all characters in names', async () => {
    await source.start({ hasFacts });
    const names = [
      'Büro & Co/Rechnung #1 100%.pdf',
      '[x]*.pdf/a.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      '-la/b.pdf',
      '🧾; type=dir;.pdf',
      'mit  zwei -> x.pdf',
    ];
    for (const name of names) source.server.put(name, `%PDF-1.7 ${name}`);
    const opened = source.session();
    const documents = await source.listed(opened);
    const contents = await Promise.all(documents.map(async (ref) => (await source.read(opened, ref)).toString()));
    expect(contents.sort()).toEqual(names.map((name) => `%PDF-1.7 ${name}`).sort());
  });

  it('keeps the keys of files, and changes those of changed files', async () => {
    await source.start({ hasFacts });
    source.server.put('a.pdf', 'first', new Date('2026-03-04T05:06:07Z'));
    source.server.put('b.pdf', 'first');
    const keys = async () => (await source.listed(source.session())).map(({ dedupeKey }) => dedupeKey).sort();
    const before = await keys();
    expect(await keys()).toEqual(before);
    source.server.put('a.pdf', 'other', new Date('2026-03-05T05:06:07Z'));
    const after = await keys();
    expect(after.filter((key) => before.includes(key))).toHaveLength(1);
  });

  it('excludes files older than the start date, and returns the change times of others', async () => {
    await source.start({ hasFacts });
    source.server.put('alt.pdf', 'x', new Date('2019-03-04T05:06:07Z'));
    const recently = new Date(Math.floor(Date.now() / 1000) * 1000 - 7_200_000);
    source.server.put('neu.pdf', 'y', recently);
    const documents = await source.listed(source.session(), '2020-01-01');
    expect(documents.map(({ filename }) => filename)).toEqual(['neu.pdf']);
    const modified = recently.toISOString().replace('.000Z', 'Z');
    expect(documents[0]!.metadata.source).toMatchObject({ path: 'neu.pdf', modified_at: modified });
  });

  it('defers files that are still being written', async () => {
    await source.start({ hasFacts });
    const node = source.server.put('a.pdf', 'half', new Date());
    source.server.put('b.pdf', 'whole', new Date());
    source.server.refuse = () => {
      if (node.content.length < 1000) node.content = Buffer.concat([node.content, Buffer.from('.')]);
      return undefined;
    };
    expect((await source.listed(source.session())).map(({ filename }) => filename)).toEqual(['b.pdf']);
  });

  it('resumes after a broken connection, with REST if supported', async () => {
    for (const cannotRestart of [false, true]) {
      await source.server?.stop().catch(() => undefined);
      await source.start({ hasFacts, cannotRestart });
      const content = Buffer.from('%PDF-1.7 '.padEnd(400_000, 'lang '));
      source.server.put('a.pdf', content);
      const opened = source.session();
      const [ref] = await source.listed(opened);
      let cuts = 0;
      source.server.cutAfter = () => (cuts++ < 2 ? 150_000 : undefined);
      expect((await source.read(opened, ref!)).equals(content)).toBe(true);
      expect(source.server.commands.some((command) => command.startsWith('REST'))).toBe(true);
    }
  });

  it('reports a truncated listing after yielding its files', async () => {
    await source.start({ hasFacts, mostNames: 3 });
    for (const name of ['a', 'b', 'c', 'd']) source.server.put(`viele/${name}.pdf`, `%PDF-1.7 ${name}`);
    source.server.put('wenige/e.pdf', '%PDF-1.7 e');
    const documents: DocumentRef[] = [];
    const error = await rejectionOf(source.listed(source.session(), null, documents));
    expect(documents.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'b.pdf', 'c.pdf', 'e.pdf']);
    expect(error).toMatchObject({ name: 'UnexpectedResponse', message: expect.stringContaining('viele') as string });
  });

  it('fails a file after repeated disconnects, and continues with other files', async () => {
    await source.start({ hasFacts });
    source.server.put('a.pdf', '%PDF-1.7 a'.padEnd(100_000));
    source.server.put('b.pdf', '%PDF-1.7 b');
    const opened = source.session();
    const [a, b] = (await source.listed(opened)).sort((one, other) => one.filename.localeCompare(other.filename));
    source.server.cutAfter = (path) => (path.endsWith('a.pdf') ? 0 : undefined);
    expect(await rejectionOf(source.read(opened, a!))).toBeInstanceOf(Transient);
    expect((await source.read(opened, b!)).toString()).toBe('%PDF-1.7 b');
  });

  it('fails for changed, deleted and inaccessible files', async () => {
    await source.start({ hasFacts });
    for (const name of ['a', 'b', 'c']) source.server.put(`${name}.pdf`, `%PDF-1.7 ${name}`.padEnd(100_000));
    const opened = source.session();
    const [a, b, c] = (await source.listed(opened)).sort((one, other) => one.filename.localeCompare(other.filename));
    source.server.put('a.pdf', '%PDF-1.7 shorter', new Date());
    source.server.files.remove('/home/anna/b.pdf');
    source.server.files.node('/home/anna/c.pdf')!.isClosed = true;
    expect(await rejectionOf(source.read(opened, a!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await rejectionOf(source.read(opened, b!))).toMatchObject({ name: 'DocumentUnavailable', permanent: true });
    expect(await rejectionOf(source.read(opened, c!))).toMatchObject({ name: 'DocumentUnavailable', permanent: false });
  });

  it.each(['425 Cannot open data connection.', '426 Connection closed; transfer aborted.'])(
    'repeats a listing with a command that has succeeded before when the server answers "%s"',
    async (failed) => {
      await source.start({ hasFacts });
      for (const name of ['a', 'b']) source.server.put(`${name}/1.pdf`, `%PDF-1.7 ${name}`);
      const before = (await source.listed(source.session())).map(({ dedupeKey }) => dedupeKey);
      let listings = 0;
      source.server.refuse = (command) => (/^(MLSD|LIST)/.test(command) && ++listings === 1 ? failed : undefined);
      const opened = source.session();
      const documents = await source.listed(opened);
      expect(documents.map(({ dedupeKey }) => dedupeKey)).toEqual(before);
      const contents = await Promise.all(documents.map(async (ref) => (await source.read(opened, ref)).toString()));
      expect(contents.sort()).toEqual(['%PDF-1.7 a', '%PDF-1.7 b']);
      expect(source.server.commands.some((command) => command.startsWith('LIST'))).toBe(!hasFacts);
    },
  );

  it('logs in again when the server has closed an idle connection', async () => {
    await source.start({ hasFacts });
    source.server.put('a.pdf', '%PDF-1.7 a');
    const opened = source.session();
    const [ref] = await source.listed(opened);
    source.server.cut();
    expect((await source.read(opened, ref!)).toString()).toBe('%PDF-1.7 a');
    source.server.cut();
    expect(await ftp.options!(opened, 'folders')).toHaveLength(1);
  });
});
