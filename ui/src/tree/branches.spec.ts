import { type Branches, countRows, labelsOf, rowsBelow, search, unopened } from './branches';

const option = (value: string, has_children = false, selectable = true) => ({
  value,
  label: `Ordner ${value}`,
  has_children,
  selectable,
});
const branches: Branches = {
  '': { state: 'loaded', options: [option('a', true), option('Büro', true, false), option('c', true)] },
  a: { state: 'loaded', options: [option('a/x'), option('a/büro')] },
  Büro: { state: 'loading' },
  c: { state: 'loaded', options: [] },
};

describe('a tree that is loaded level by level', () => {
  it('has rows for what is open only', () => {
    expect(rowsBelow('', branches, new Set()).map(({ id }) => id)).toEqual(['a', 'Büro', 'c']);
    expect(countRows(rowsBelow('', branches, new Set()), new Set())).toBe(3);
    const open = new Set(['a', 'Büro', 'c']);
    const rows = rowsBelow('', branches, open);
    expect(rows.map(({ children }) => children.map(({ kind }) => kind))).toEqual([
      ['option', 'option'],
      ['loading'],
      ['empty'],
    ]);
    expect(countRows(rows, open)).toBe(7);
  });

  it('says that a level could not be loaded', () => {
    expect(rowsBelow('a', { a: { state: 'failed' } }, new Set())).toMatchObject([
      { kind: 'failed', parent: 'a', selectable: false },
    ]);
  });

  it('finds what has been loaded, whatever the case and the accents, and says where', () => {
    expect(search('BURO', branches).map(({ id, path }) => [id, path])).toEqual([
      ['a/büro', ['Ordner a']],
      ['Büro', []],
    ]);
    expect(search('nirgends', branches)).toEqual([]);
  });

  it('knows what has not been opened yet, the upper levels first', () => {
    expect(unopened(branches)).toEqual([]);
    const deeper: Branches = {
      '': { state: 'loaded', options: [option('a', true), option('b', true), option('c')] },
      a: { state: 'loaded', options: [option('a/x', true)] },
    };
    expect(unopened(deeper)).toEqual(['b', 'a/x']);
  });

  it('knows the names of everything loaded', () => {
    expect(labelsOf(branches)).toMatchObject({ a: 'Ordner a', 'a/x': 'Ordner a/x' });
  });

  it('copes with ten thousand folders in one level', () => {
    const many: Branches = {
      '': { state: 'loaded', options: Array.from({ length: 10_000 }, (_, at) => option(String(at))) },
    };
    expect(countRows(rowsBelow('', many, new Set()), new Set())).toBe(10_000);
    expect(search('9999', many)).toHaveLength(1);
  });
});
