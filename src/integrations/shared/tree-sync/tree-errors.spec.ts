import {
  NOW,
  file,
  folder,
  fakeTree,
  listTree,
  type FolderEntries,
} from '../../../../test/harness/connectors/list-tree';
import {
  SelectionNotFound,
  UnexpectedResponse,
  InvalidCredentials,
  RateLimited,
  Transient,
} from '../../core/source-errors';
import type { TreeFile } from './files/tree';

describe('Synchronizing folders of which some fail', () => {
  it('continues after a file that cannot be checked, and reports it at the end', async () => {
    const fresh = ['a', 'b', 'c'].map((name) => file(`${name}.pdf`, { modifiedAt: NOW }));
    const fault = new Transient('status 503');
    const source = fakeTree({ '.': fresh });
    const stat = (given: TreeFile) => (given.path === 'b.pdf' ? Promise.reject(fault) : Promise.resolve(given));
    const first = await listTree({ ...source, stat });
    expect(first).toMatchObject({ paths: ['a.pdf', 'c.pdf'], error: fault });
    const second = await listTree(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ paths: ['b.pdf'], error: undefined });
  });

  it('processes the other folders before it reports a missing one', async () => {
    const source = fakeTree({ b: [file('b/1.pdf')], a: [file('a/2.pdf'), folder('a/closed')] });
    const { paths, error } = await listTree(source, { step2: { folders: ['missing', 'a', 'b'] } });
    expect(paths.sort()).toEqual(['a/2.pdf', 'b/1.pdf']);
    expect(error).toBeInstanceOf(SelectionNotFound);
  });

  it.each([new Transient('status 503'), new UnexpectedResponse('no XML')])(
    'processes all other folders before it reports that one cannot be listed (%s), and lists that one again the next time',
    async (fault) => {
      const entries: FolderEntries = {
        '.': [folder('a', '1'), folder('b', '1'), folder('c', '1')],
        a: [file('a/1.pdf')],
        b: [folder('b/extern', '1'), file('b/2.pdf')],
        'b/extern': [file('b/extern/3.pdf'), fault],
        c: [file('c/5.pdf'), file('c/6.exe')],
      };
      const first = await listTree(fakeTree(entries));
      expect(first.error).toBe(fault);
      expect(first.paths.sort()).toEqual(['a/1.pdf', 'b/2.pdf', 'b/extern/3.pdf', 'c/5.pdf']);

      const still = fakeTree(entries);
      const second = await listTree(still, { cursor: first.cursor, known: first.keys });
      expect(second).toMatchObject({ error: fault, paths: [], filteredBy: {} });
      expect(still.listed).toEqual(['.', 'b', 'b/extern']);

      entries['b/extern'] = [file('b/extern/3.pdf'), file('b/extern/4.pdf')];
      const third = await listTree(fakeTree(entries), { cursor: second.cursor, known: first.keys });
      expect(third).toMatchObject({ paths: ['b/extern/4.pdf'], error: undefined });
    },
  );

  it('processes the other selected folders without moving the cursor when one fails', async () => {
    const source = fakeTree({ a: new Transient('status 503'), b: [file('b/1.pdf'), file('b/2.exe')] });
    const { paths, error, cursor, filteredBy } = await listTree(source, { step2: { folders: ['a', 'b'] } });
    expect(error).toBeInstanceOf(Transient);
    expect(paths).toEqual(['b/1.pdf']);
    expect([cursor.syncedAt, filteredBy]).toEqual([null, {}]);
  });

  it('skips any number of failing folders as long as others succeed', async () => {
    const folders = Array.from({ length: 20 }, (_, n) => folder(`${n}`));
    const sick = Object.fromEntries(folders.map(({ path }) => [path, new Transient('closed')]));
    const { paths, error } = await listTree(
      fakeTree({ '.': [folder('a'), ...folders], ...sick, a: [file('a/1.pdf')] }),
    );
    expect(error).toBeInstanceOf(Transient);
    expect(paths).toEqual(['a/1.pdf']);
  });

  it('yields the files of folders with unreadable entries, reports these at the end, and lists the folders again', async () => {
    const why = new UnexpectedResponse('more than is listed');
    const names = ['a', 'b', 'c', 'd'];
    const gaps = Object.fromEntries(
      names.map((name) => [name, [file(`${name}/1.pdf`), { kind: 'unreadable', why } as const]]),
    );
    const source = fakeTree({
      '.': [{ kind: 'unreadable', error: why }, ...names.map((name) => folder(name, '1'))],
      ...gaps,
    });
    const first = await listTree(source);
    expect(first).toMatchObject({ error: why, cursor: { syncedAt: NOW.toISOString() } });
    expect(first.paths.sort()).toEqual(names.map((name) => `${name}/1.pdf`));
    const second = await listTree(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ error: why, paths: [] });
    expect(source.listed).toHaveLength(10);
  });

  it('stops when the source is down, after yielding its files', async () => {
    const folders = Array.from({ length: 20 }, (_, n) => folder(`${n}`));
    const entries: FolderEntries = { '.': [file('a.pdf'), ...folders] };
    const source = fakeTree(entries);
    const away = {
      ...source,
      async *list(path: string) {
        if (source.listed.length > 0) entries['.'] = new Transient('away');
        entries[path] ??= new Transient('away');
        yield* source.list(path);
      },
    };
    const { paths, error, cursor } = await listTree(away);
    expect(error).toBeInstanceOf(Transient);
    expect(paths).toEqual(['a.pdf']);
    expect(source.listed).toHaveLength(5);
    expect(cursor.syncedAt).toBeNull();
  });

  it.each([new InvalidCredentials('refused'), new RateLimited('pause', 60)])(
    'stops when the whole account is affected (%s)',
    async (fault) => {
      const source = fakeTree({ '.': [folder('a'), folder('b')], a: [file('a/1.pdf')], b: fault });
      expect(await listTree(source)).toMatchObject({ error: fault, paths: [] });
      expect(source.listed).toEqual(['.', 'b']);
    },
  );
});
