import { ConfigurationGone, ContractBroken, InvalidCredentials, RateLimited, Temporary } from '../../source-errors';
import type { SourcePage } from '../../source-document';
import type { Tree, TreeFile, TreeFolder, TreeGap } from './tree';
import { walk, type WalkCursor } from './walk';
import { walkChoice } from './walk-choice';

const NOW = new Date('2026-11-20T12:00:00Z');
const OLD = new Date('2026-11-20T10:00:00Z');

/** What folders hold. Listing one fails with an error instead, or where it comes to one. */
type Entries = Record<string, (TreeFile | TreeFolder | TreeGap | Error)[] | Error>;

function file(path: string, given: Partial<TreeFile> = {}): TreeFile {
  return { kind: 'file', path, size: 10, modifiedAt: OLD, version: '1', ...given };
}
const folder = (path: string, version?: string): TreeFolder => ({ kind: 'folder', path, ...(version && { version }) });

/** A tree in memory. What is given in `later` is what a second look shows. */
function tree(entries: Entries, later: Record<string, TreeFile | null> = {}) {
  const listed: string[] = [];
  const looked: string[] = [];
  const made: Tree = {
    async *list(path) {
      listed.push(path);
      const found = entries[path];
      if (!found) throw new ConfigurationGone(path);
      if (found instanceof Error) throw found;
      for (let at = 0; at < found.length; at += 100) {
        const portion = found.slice(at, at + 100);
        yield portion.filter((entry): entry is Exclude<typeof entry, Error> => !(entry instanceof Error));
        const fault = portion.find((entry) => entry instanceof Error);
        if (fault) throw fault;
      }
    },
    look: async (given) => {
      looked.push(given.path);
      return given.path in later ? later[given.path]! : given;
    },
  };
  return { ...made, listed, looked };
}

interface Walked {
  paths: string[];
  pages: SourcePage<WalkCursor>[];
  cursor: WalkCursor;
  filtered: number;
  keys: string[];
  asked: number[];
  error?: unknown;
}

async function walked(
  source: Tree,
  {
    step2 = {},
    cursor = null as WalkCursor | null,
    known = [] as string[],
    startdate = null as string | null,
    zone = 'UTC',
    signal = new AbortController().signal,
    now = NOW,
  } = {},
): Promise<Walked> {
  const asked: number[] = [];
  const session = {
    signal,
    now: () => now,
    known: async (keys: readonly string[]) => {
      asked.push(keys.length);
      return new Set(keys.filter((key) => known.includes(key)));
    },
  };
  const pages: SourcePage<WalkCursor>[] = [];
  let error: unknown;
  try {
    const choice = walkChoice(step2, '.', startdate, zone);
    for await (const page of walk(source, choice, session, cursor, { pauseMs: 5 })) pages.push(page);
  } catch (caught) {
    error = caught;
  }
  const documents = pages.flatMap((page) => page.documents);
  return {
    paths: documents.map(({ metadata }) => metadata.source!.path!),
    keys: documents.map(({ dedupeKey }) => dedupeKey),
    pages,
    cursor: (pages.at(-1)?.cursor ?? cursor) as WalkCursor,
    filtered: pages.reduce((sum, page) => sum + (page.filtered ?? 0), 0),
    asked,
    error,
  };
}

describe('A walk', () => {
  it('shows every wanted file below the chosen folders, and leaves out what is known', async () => {
    const source = tree({
      '.': [file('a.pdf'), folder('x')],
      x: [file('x/b.pdf'), file('x/c.exe'), file('x/d.pdf', { size: 0 })],
    });
    const first = await walked(source);
    expect(first).toMatchObject({ paths: ['a.pdf', 'x/b.pdf'], filtered: 2 });
    const second = await walked(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ paths: [], filtered: 0 });
    expect(await walked(source, { cursor: first.cursor, known: first.keys.slice(1) })).toMatchObject({
      paths: ['a.pdf'],
    });
  });

  it('takes a version by path, size and version', async () => {
    const key = async (given: TreeFile) => (await walked(tree({ '.': [given] }))).keys[0];
    const keys = [file('a.pdf'), file('b.pdf'), file('a.pdf', { size: 11 }), file('a.pdf', { version: '2' })].map(key);
    expect(new Set(await Promise.all(keys)).size).toBe(4);
    expect(await key(file('a.pdf', { modifiedAt: new Date(0) }))).toBe(await keys[0]);
  });

  it('goes through 50,000 files of one folder with small pages, few questions and a cursor that stays small', async () => {
    const source = tree({ '.': Array.from({ length: 50_000 }, (_, n) => file(`${n}.pdf`)) });
    const all = await walked(source);
    expect(new Set(all.keys).size).toBe(50_000);
    expect(Math.max(...all.pages.map(({ documents }) => documents.length))).toBeLessThanOrEqual(100);
    expect(all.asked).toHaveLength(100);
    expect(JSON.stringify(all.cursor).length).toBeLessThan(200);
  });

  it('does not move its cursor before it is through', async () => {
    const files = Array.from({ length: 700 }, (_, n) => file(`${n}.pdf`));
    const cut = await walked(tree({ '.': [...files, new Temporary('cut')] }));
    expect(cut.error).toBeInstanceOf(Temporary);
    expect(cut.paths).toHaveLength(700);
    expect(cut.cursor.walked).toBeNull();
    const whole = tree({ '.': [...files, file('last.pdf')] });
    const rest = await walked(whole, { cursor: cut.cursor, known: cut.keys });
    expect(rest.paths).toEqual(['last.pdf']);
    expect(rest.cursor.walked).toBe(NOW.toISOString());
  });

  it.each([
    ['was changed a moment ago', new Date(NOW.getTime() - 5_000)],
    ['was, by a server whose clock is 14 minutes slow', new Date(NOW.getTime() - 14 * 60_000)],
    ['is dated in the future', new Date(NOW.getTime() + 300_000)],
    ['is, by a server that takes its own time for UTC', new Date(NOW.getTime() + 2 * 3_600_000)],
    ['has no time', undefined],
  ])('looks twice at a file that %s, and leaves it for the next walk when it changes', async (_, modifiedAt) => {
    const entries = ['done', 'grows', 'gone'].map((name) => file(`${name}.pdf`, { modifiedAt }));
    const later = { 'grows.pdf': file('grows.pdf', { modifiedAt, size: 20 }), 'gone.pdf': null };
    const { paths } = await walked(tree({ '.': [...entries, file('old.pdf')] }, later));
    expect(paths.sort()).toEqual(['done.pdf', 'old.pdf']);
  });

  it('looks at no file twice that is known, or was changed a quarter of an hour ago', async () => {
    const old = file('old.pdf', { modifiedAt: new Date(NOW.getTime() - 15 * 60_000) });
    const entries = [file('a.pdf', { modifiedAt: NOW }), file('b.pdf', { modifiedAt: undefined }), old];
    const source = tree({ '.': entries });
    const { keys } = await walked(source);
    expect(source.looked).toEqual(['a.pdf', 'b.pdf']);
    await walked(source, { known: keys });
    expect(source.looked).toHaveLength(2);
  });

  it('looks at many files of one folder by listing it again, however many they are', async () => {
    const young = Array.from({ length: 25_000 }, (_, n) => file(`neu/${n}.pdf`, { modifiedAt: undefined }));
    const source = tree({ '.': [folder('neu', '1')], neu: young }, { 'neu/0.pdf': null });
    const again = tree({ neu: young.slice(1).with(-1, { ...young.at(-1)!, size: 11 }) });
    const list = (path: string) => (source.listed.includes(path) ? again : source).list(path);
    const { paths, cursor } = await walked({ ...source, list });
    expect(new Set(paths).size).toBe(24_998);
    expect(source.looked).toEqual(['neu/0.pdf']);
    expect(again.listed).toHaveLength(3);
    expect(cursor.folders).toEqual({});
  });

  it('goes on past a file that cannot be looked at, and says so in the end', async () => {
    const fresh = ['a', 'b', 'c'].map((name) => file(`${name}.pdf`, { modifiedAt: NOW }));
    const fault = new Temporary('status 503');
    const source = tree({ '.': fresh });
    const look = (given: TreeFile) => (given.path === 'b.pdf' ? Promise.reject(fault) : Promise.resolve(given));
    const first = await walked({ ...source, look });
    expect(first).toMatchObject({ paths: ['a.pdf', 'c.pdf'], error: fault });
    const second = await walked(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ paths: ['b.pdf'], error: undefined });
  });

  it('goes through the other folders before it says that one is gone', async () => {
    const source = tree({ b: [file('b/1.pdf')], a: [file('a/2.pdf'), folder('a/closed')] });
    const { paths, error } = await walked(source, { step2: { folders: ['missing', 'a', 'b'] } });
    expect(paths.sort()).toEqual(['a/2.pdf', 'b/1.pdf']);
    expect(error).toBeInstanceOf(ConfigurationGone);
  });

  it.each([new Temporary('status 503'), new ContractBroken('no XML')])(
    'goes through all other folders before it says that one cannot be listed (%s), and lists that one again the next time',
    async (fault) => {
      const entries: Entries = {
        '.': [folder('a', '1'), folder('b', '1'), folder('c', '1')],
        a: [file('a/1.pdf')],
        b: [folder('b/extern', '1'), file('b/2.pdf')],
        'b/extern': [file('b/extern/3.pdf'), fault],
        c: [file('c/5.pdf'), file('c/6.exe')],
      };
      const first = await walked(tree(entries));
      expect(first.error).toBe(fault);
      expect(first.paths.sort()).toEqual(['a/1.pdf', 'b/2.pdf', 'b/extern/3.pdf', 'c/5.pdf']);

      const still = tree(entries);
      const second = await walked(still, { cursor: first.cursor, known: first.keys });
      expect(second).toMatchObject({ error: fault, paths: [], filtered: 0 });
      expect(still.listed).toEqual(['.', 'b', 'b/extern']);

      entries['b/extern'] = [file('b/extern/3.pdf'), file('b/extern/4.pdf')];
      const third = await walked(tree(entries), { cursor: second.cursor, known: first.keys });
      expect(third).toMatchObject({ paths: ['b/extern/4.pdf'], error: undefined });
    },
  );

  it('goes through the other chosen folders, and does not move its cursor, when one cannot be listed', async () => {
    const source = tree({ a: new Temporary('status 503'), b: [file('b/1.pdf'), file('b/2.exe')] });
    const { paths, error, cursor, filtered } = await walked(source, { step2: { folders: ['a', 'b'] } });
    expect(error).toBeInstanceOf(Temporary);
    expect(paths).toEqual(['b/1.pdf']);
    expect([cursor.walked, filtered]).toEqual([null, 0]);
  });

  it('passes by any number of folders that cannot be listed, as long as others can', async () => {
    const folders = Array.from({ length: 20 }, (_, n) => folder(`${n}`));
    const sick = Object.fromEntries(folders.map(({ path }) => [path, new Temporary('closed')]));
    const { paths, error } = await walked(tree({ '.': [folder('a'), ...folders], ...sick, a: [file('a/1.pdf')] }));
    expect(error).toBeInstanceOf(Temporary);
    expect(paths).toEqual(['a/1.pdf']);
  });

  it('hands on what is told of any number of folders with gaps, says so in the end, and opens them again the next time', async () => {
    const why = new ContractBroken('more than is listed');
    const names = ['a', 'b', 'c', 'd'];
    const gaps = Object.fromEntries(
      names.map((name) => [name, [file(`${name}/1.pdf`), { kind: 'gap', why } as const]]),
    );
    const source = tree({ '.': [{ kind: 'gap', why }, ...names.map((name) => folder(name, '1'))], ...gaps });
    const first = await walked(source);
    expect(first).toMatchObject({ error: why, cursor: { walked: NOW.toISOString() } });
    expect(first.paths.sort()).toEqual(names.map((name) => `${name}/1.pdf`));
    const second = await walked(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ error: why, paths: [] });
    expect(source.listed).toHaveLength(10);
  });

  it('gives up when the source is away, with what it has found', async () => {
    const folders = Array.from({ length: 20 }, (_, n) => folder(`${n}`));
    const entries: Entries = { '.': [file('a.pdf'), ...folders] };
    const source = tree(entries);
    const away = {
      ...source,
      async *list(path: string) {
        if (source.listed.length > 0) entries['.'] = new Temporary('away');
        entries[path] ??= new Temporary('away');
        yield* source.list(path);
      },
    };
    const { paths, error, cursor } = await walked(away);
    expect(error).toBeInstanceOf(Temporary);
    expect(paths).toEqual(['a.pdf']);
    expect(source.listed).toHaveLength(5);
    expect(cursor.walked).toBeNull();
  });

  it.each([new InvalidCredentials('refused'), new RateLimited('pause', 60)])(
    'goes no further when the whole account is concerned (%s)',
    async (fault) => {
      const source = tree({ '.': [folder('a'), folder('b')], a: [file('a/1.pdf')], b: fault });
      expect(await walked(source)).toMatchObject({ error: fault, paths: [] });
      expect(source.listed).toEqual(['.', 'b']);
    },
  );

  it('goes once through a folder that lies within another', async () => {
    const source = tree({ a: [folder('a/b')], 'a/b': [file('a/b/1.pdf')], ab: [] });
    await walked(source, { step2: { folders: ['a/b', 'a', 'ab'] } });
    expect(source.listed.sort()).toEqual(['a', 'a/b', 'ab']);
  });

  it('passes by folders whose version it knows, with all that is below', async () => {
    const entries: Entries = {
      '.': [folder('a', '1'), folder('b', '1')],
      a: [folder('a/x', '1'), file('a/1.pdf')],
      'a/x': [file('a/x/2.pdf')],
      b: [file('b/3.pdf')],
    };
    const first = await walked(tree(entries));
    const unchanged = tree(entries);
    const second = await walked(unchanged, { cursor: first.cursor, known: first.keys });
    expect(unchanged.listed).toEqual(['.']);
    // What lies below a folder that was passed by is still known when that one changes.
    entries['.'] = [folder('a', '2'), folder('b', '1')];
    const changed = tree(entries);
    await walked(changed, { cursor: second.cursor, known: first.keys });
    expect(changed.listed).toEqual(['.', 'a']);
    // Who wants other files has them looked for everywhere.
    const other = tree(entries);
    await walked(other, { cursor: second.cursor, known: first.keys, step2: { include: '*' } });
    expect(other.listed.sort()).toEqual(['.', 'a', 'a/x', 'b']);
  });

  it('opens every folder once a day, for versions do not tell of everything', async () => {
    const entries: Entries = { '.': [folder('extern', '1')], extern: [folder('extern/x', '1')], 'extern/x': [] };
    const first = await walked(tree(entries));
    // Put there past the server, which has not noticed.
    entries['extern/x'] = [file('extern/x/1.pdf')];
    const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
    const second = await walked(tree(entries), { cursor: first.cursor, now: hours(23) });
    expect(second.paths).toEqual([]);
    const third = await walked(tree(entries), { cursor: second.cursor, now: hours(24) });
    expect(third.paths).toEqual(['extern/x/1.pdf']);
    const unchanged = tree(entries);
    await walked(unchanged, { cursor: third.cursor, known: third.keys, now: hours(47) });
    expect(unchanged.listed).toEqual(['.']);
  });

  it('remembers no folder where there are more than two thousand', async () => {
    const folders = (count: number) => Array.from({ length: count }, (_, n) => folder(`${n}`, '1'));
    const source = (count: number) =>
      tree({ '.': folders(count), ...Object.fromEntries(folders(count).map(({ path }) => [path, []])) });
    const few = await walked(source(2_000));
    expect(Object.keys(few.cursor.folders)).toHaveLength(2_000);
    expect((await walked(source(2_000), { cursor: few.cursor })).cursor.folders).toEqual(few.cursor.folders);
    expect((await walked(source(2_001))).cursor.folders).toEqual({});
    expect((await walked(source(2_001), { cursor: few.cursor })).cursor.folders).toEqual({});
  });

  it('does not pass by a folder in which a file was left', async () => {
    const fresh = file('a/x/1.pdf', { modifiedAt: NOW });
    const entries: Entries = {
      '.': [folder('a', '1'), folder('b', '1')],
      a: [folder('a/x', '1')],
      'a/x': [fresh],
      b: [],
    };
    const first = await walked(tree(entries, { 'a/x/1.pdf': { ...fresh, size: 11 } }));
    const again = tree(entries);
    expect((await walked(again, { cursor: first.cursor })).paths).toEqual(['a/x/1.pdf']);
    expect(again.listed).toEqual(['.', 'a', 'a/x']);
  });

  it('begins at midnight where the user is', async () => {
    const at = (name: string, time: string) => file(name, { modifiedAt: new Date(time) });
    const source = tree({
      '.': [
        at('a.pdf', '2026-11-18T22:59:59Z'),
        at('b.pdf', '2026-11-18T23:00:00Z'),
        at('c.pdf', '2026-11-19T00:00:00Z'),
      ],
    });
    expect((await walked(source, { startdate: '2026-11-19', zone: 'Europe/Berlin' })).paths).toEqual([
      'b.pdf',
      'c.pdf',
    ]);
    expect((await walked(source, { startdate: '2026-11-19' })).paths).toEqual(['c.pdf']);
  });

  it('applies patterns to paths below the chosen folder, and takes the file types that were chosen', async () => {
    const source = tree({
      in: [file('in/a.pdf'), file('in/b.txt'), folder('in/alt')],
      'in/alt': [file('in/alt/c.pdf'), file('in/alt/.a.pdf.part')],
    });
    const names = async (step2: Record<string, unknown>) =>
      (await walked(source, { step2: { folders: ['in'], ...step2 } })).paths;
    expect(await names({})).toEqual(['in/a.pdf', 'in/alt/c.pdf']);
    expect(await names({ exclude: 'alt/**' })).toEqual(['in/a.pdf']);
    expect(await names({ include: 'alt/*' })).toEqual(['in/alt/c.pdf']);
    expect(await names({ file_types: ['office'] })).toEqual(['in/b.txt']);
    expect(await names({ file_types: ['all'] })).toEqual(['in/a.pdf', 'in/b.txt', 'in/alt/c.pdf']);
  });

  it('makes keys that fit of every name, however long or odd', async () => {
    const odd = [
      'line\nbreak.pdf',
      '🧾.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      `${'lang'.repeat(1000)}.pdf`,
      "'; drop--.pdf",
      ' .pdf',
    ];
    const { keys, paths } = await walked(tree({ '.': odd.map((name) => file(name)) }));
    expect(new Set(keys).size).toBe(odd.length);
    expect(paths).toHaveLength(odd.length);
    for (const key of keys) expect(key.length).toBeLessThan(50);
  });
});
