import { NOW, file, folder, fakeTree, listTree } from '../../../../test/harness/connectors/list-tree';
import { Transient } from '../../core/source-errors';
import type { TreeFile } from './files/tree';

describe('Synchronizing a tree', () => {
  it('yields every new selected file', async () => {
    const source = fakeTree({
      '.': [file('a.pdf'), folder('x')],
      x: [file('x/b.pdf'), file('x/c.exe'), file('x/d.pdf', { size: 0 })],
    });
    const first = await listTree(source);
    expect(first).toMatchObject({ paths: ['a.pdf', 'x/b.pdf'], filteredBy: { TYPE: 1, EMPTY: 1 } });
    const second = await listTree(source, { cursor: first.cursor, known: first.keys });
    expect(second).toMatchObject({ paths: [], filteredBy: {} });
    expect(await listTree(source, { cursor: first.cursor, known: first.keys.slice(1) })).toMatchObject({
      paths: ['a.pdf'],
    });
  });

  it('identifies a version by path, size and version', async () => {
    const key = async (given: TreeFile) => (await listTree(fakeTree({ '.': [given] }))).keys[0];
    const keys = [file('a.pdf'), file('b.pdf'), file('a.pdf', { size: 11 }), file('a.pdf', { version: '2' })].map(key);
    expect(new Set(await Promise.all(keys)).size).toBe(4);
    expect(await key(file('a.pdf', { modifiedAt: new Date(0) }))).toBe(await keys[0]);
  });

  it('lists 50,000 files of one folder with small pages, few lookups and a small cursor', async () => {
    const source = fakeTree({ '.': Array.from({ length: 50_000 }, (_, n) => file(`${n}.pdf`)) });
    const all = await listTree(source);
    expect(new Set(all.keys).size).toBe(50_000);
    expect(Math.max(...all.pages.map(({ documents }) => documents.length))).toBeLessThanOrEqual(100);
    expect(all.asked).toHaveLength(100);
    expect(JSON.stringify(all.cursor).length).toBeLessThan(200);
  });

  it('does not move its cursor before it is complete', async () => {
    const files = Array.from({ length: 700 }, (_, n) => file(`${n}.pdf`));
    const cut = await listTree(fakeTree({ '.': [...files, new Transient('cut')] }));
    expect(cut.error).toBeInstanceOf(Transient);
    expect(cut.paths).toHaveLength(700);
    expect(cut.cursor.syncedAt).toBeNull();
    const whole = fakeTree({ '.': [...files, file('last.pdf')] });
    const rest = await listTree(whole, { cursor: cut.cursor, known: cut.keys });
    expect(rest.paths).toEqual(['last.pdf']);
    expect(rest.cursor.syncedAt).toBe(NOW.toISOString());
  });

  it.each([
    ['was changed a moment ago', new Date(NOW.getTime() - 5_000)],
    ['was, by a server whose clock is 14 minutes slow', new Date(NOW.getTime() - 14 * 60_000)],
    ['is dated in the future', new Date(NOW.getTime() + 300_000)],
    ['is, by a server that takes its own time for UTC', new Date(NOW.getTime() + 2 * 3_600_000)],
    ['has no time', undefined],
  ])('checks a file that %s twice, and defers it when it changes', async (_, modifiedAt) => {
    const entries = ['done', 'grows', 'gone'].map((name) => file(`${name}.pdf`, { modifiedAt }));
    const later = { 'grows.pdf': file('grows.pdf', { modifiedAt, size: 20 }), 'gone.pdf': null };
    const { paths } = await listTree(fakeTree({ '.': [...entries, file('old.pdf')] }, later));
    expect(paths.sort()).toEqual(['done.pdf', 'old.pdf']);
  });

  it('checks no file twice that is known or unchanged for 15 minutes', async () => {
    const old = file('old.pdf', { modifiedAt: new Date(NOW.getTime() - 15 * 60_000) });
    const entries = [file('a.pdf', { modifiedAt: NOW }), file('b.pdf', { modifiedAt: undefined }), old];
    const source = fakeTree({ '.': entries });
    const { keys } = await listTree(source);
    expect(source.looked).toEqual(['a.pdf', 'b.pdf']);
    await listTree(source, { known: keys });
    expect(source.looked).toHaveLength(2);
  });

  it('checks many files of one folder by listing it again', async () => {
    const young = Array.from({ length: 25_000 }, (_, n) => file(`neu/${n}.pdf`, { modifiedAt: undefined }));
    const source = fakeTree({ '.': [folder('neu', '1')], neu: young }, { 'neu/0.pdf': null });
    const again = fakeTree({ neu: young.slice(1).with(-1, { ...young.at(-1)!, size: 11 }) });
    const list = (path: string) => (source.listed.includes(path) ? again : source).list(path);
    const { paths, cursor } = await listTree({ ...source, list });
    expect(new Set(paths).size).toBe(24_998);
    expect(source.looked).toEqual(['neu/0.pdf']);
    expect(again.listed).toHaveLength(3);
    expect(cursor.folders).toEqual({});
  });

  it('lists nested selected folders once', async () => {
    const source = fakeTree({ a: [folder('a/b')], 'a/b': [file('a/b/1.pdf')], ab: [] });
    await listTree(source, { step2: { folders: ['a/b', 'a', 'ab'] } });
    expect(source.listed.sort()).toEqual(['a', 'a/b', 'ab']);
  });

  it('starts at midnight in the user’s time zone', async () => {
    const at = (name: string, time: string) => file(name, { modifiedAt: new Date(time) });
    const source = fakeTree({
      '.': [
        at('a.pdf', '2026-11-18T22:59:59Z'),
        at('b.pdf', '2026-11-18T23:00:00Z'),
        at('c.pdf', '2026-11-19T00:00:00Z'),
      ],
    });
    expect((await listTree(source, { startdate: '2026-11-19', zone: 'Europe/Berlin' })).paths).toEqual([
      'b.pdf',
      'c.pdf',
    ]);
    expect((await listTree(source, { startdate: '2026-11-19' })).paths).toEqual(['c.pdf']);
  });

  it('applies patterns to paths below the selected folder, and the selected file types', async () => {
    const source = fakeTree({
      in: [file('in/a.pdf'), file('in/b.txt'), folder('in/alt')],
      'in/alt': [file('in/alt/c.pdf'), file('in/alt/.a.pdf.part')],
    });
    const names = async (step2: Record<string, unknown>) =>
      (await listTree(source, { step2: { folders: ['in'], ...step2 } })).paths;
    expect(await names({})).toEqual(['in/a.pdf', 'in/alt/c.pdf']);
    expect(await names({ exclude: 'alt/**' })).toEqual(['in/a.pdf']);
    expect(await names({ include: 'alt/*' })).toEqual(['in/alt/c.pdf']);
    expect(await names({ file_types: ['office'] })).toEqual(['in/b.txt']);
    const all = ['in/a.pdf', 'in/b.txt', 'in/alt/c.pdf', 'in/alt/.a.pdf.part'];
    expect(await names({ file_types: ['all'] })).toEqual(all);
  });

  it('generates valid keys for all names', async () => {
    const odd = [
      'line\nbreak.pdf',
      '🧾.pdf',
      'Bu\u0308ro.pdf',
      'B\u00fcro.pdf',
      `${'lang'.repeat(1000)}.pdf`,
      "'; drop--.pdf",
      ' .pdf',
    ];
    const { keys, paths } = await listTree(fakeTree({ '.': odd.map((name) => file(name)) }));
    expect(new Set(keys).size).toBe(odd.length);
    expect(paths).toHaveLength(odd.length);
    for (const key of keys) expect(key.length).toBeLessThan(50);
  });
});
