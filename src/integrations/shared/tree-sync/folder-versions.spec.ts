import {
  NOW,
  file,
  folder,
  fakeTree,
  listTree,
  type FolderEntries,
} from '../../../../test/harness/connectors/list-tree';

describe('Synchronizing folders with versions', () => {
  it('skips folders with an unchanged version, including all below', async () => {
    const entries: FolderEntries = {
      '.': [folder('a', '1'), folder('b', '1')],
      a: [folder('a/x', '1'), file('a/1.pdf')],
      'a/x': [file('a/x/2.pdf')],
      b: [file('b/3.pdf')],
    };
    const first = await listTree(fakeTree(entries));
    const unchanged = fakeTree(entries);
    const second = await listTree(unchanged, { cursor: first.cursor, known: first.keys });
    expect(unchanged.listed).toEqual(['.']);
    // The versions below a skipped folder are still known when that one changes.
    entries['.'] = [folder('a', '2'), folder('b', '1')];
    const changed = fakeTree(entries);
    await listTree(changed, { cursor: second.cursor, known: first.keys });
    expect(changed.listed).toEqual(['.', 'a']);
    // After a change of the selection all folders are listed.
    const other = fakeTree(entries);
    await listTree(other, { cursor: second.cursor, known: first.keys, step2: { include: '*' } });
    expect(other.listed.sort()).toEqual(['.', 'a', 'a/x', 'b']);
  });

  it('lists every folder once a day', async () => {
    const entries: FolderEntries = { '.': [folder('extern', '1')], extern: [folder('extern/x', '1')], 'extern/x': [] };
    const first = await listTree(fakeTree(entries));
    // Added without the server's knowledge.
    entries['extern/x'] = [file('extern/x/1.pdf')];
    const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
    const second = await listTree(fakeTree(entries), { cursor: first.cursor, now: hours(23) });
    expect(second.paths).toEqual([]);
    const third = await listTree(fakeTree(entries), { cursor: second.cursor, now: hours(24) });
    expect(third.paths).toEqual(['extern/x/1.pdf']);
    const unchanged = fakeTree(entries);
    await listTree(unchanged, { cursor: third.cursor, known: third.keys, now: hours(47) });
    expect(unchanged.listed).toEqual(['.']);
  });

  it('stores no versions of more than two thousand folders', async () => {
    const folders = (count: number) => Array.from({ length: count }, (_, n) => folder(`${n}`, '1'));
    const source = (count: number) =>
      fakeTree({ '.': folders(count), ...Object.fromEntries(folders(count).map(({ path }) => [path, []])) });
    const few = await listTree(source(2_000));
    expect(Object.keys(few.cursor.folders)).toHaveLength(2_000);
    expect((await listTree(source(2_000), { cursor: few.cursor })).cursor.folders).toEqual(few.cursor.folders);
    expect((await listTree(source(2_001))).cursor.folders).toEqual({});
    expect((await listTree(source(2_001), { cursor: few.cursor })).cursor.folders).toEqual({});
  });

  it('lists a folder with a deferred file again', async () => {
    const fresh = file('a/x/1.pdf', { modifiedAt: NOW });
    const entries: FolderEntries = {
      '.': [folder('a', '1'), folder('b', '1')],
      a: [folder('a/x', '1')],
      'a/x': [fresh],
      b: [],
    };
    const first = await listTree(fakeTree(entries, { 'a/x/1.pdf': { ...fresh, size: 11 } }));
    const again = fakeTree(entries);
    expect((await listTree(again, { cursor: first.cursor })).paths).toEqual(['a/x/1.pdf']);
    expect(again.listed).toEqual(['.', 'a', 'a/x']);
  });
});
