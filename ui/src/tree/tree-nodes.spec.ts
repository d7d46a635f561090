import {
  type TreeNodes,
  countVisibleRows,
  isWhole,
  labelsOf,
  treeRows,
  searchNodes,
  unloadedParents,
} from './tree-nodes';

const option = (value: string, has_children = false, selectable = true) => ({
  value,
  label: `Ordner ${value}`,
  has_children,
  selectable,
});
const nodes: TreeNodes = {
  '': { state: 'loaded', options: [option('a', true), option('Büro', true, false), option('c', true)] },
  a: { state: 'loaded', options: [option('a/x'), option('a/büro')] },
  Büro: { state: 'loading' },
  c: { state: 'loaded', options: [] },
};

describe('a tree that is loaded level by level', () => {
  it('has rows for expanded nodes only', () => {
    expect(treeRows('', nodes, new Set()).map(({ id }) => id)).toEqual(['a', 'Büro', 'c']);
    expect(countVisibleRows(treeRows('', nodes, new Set()), new Set())).toBe(3);
    const open = new Set(['a', 'Büro', 'c']);
    const rows = treeRows('', nodes, open);
    expect(rows.map(({ children }) => children.map(({ kind }) => kind))).toEqual([
      ['option', 'option'],
      ['loading'],
      ['empty'],
    ]);
    expect(countVisibleRows(rows, open)).toBe(7);
  });

  it('has a placeholder for a level that failed to load', () => {
    expect(treeRows('a', { a: { state: 'failed' } }, new Set())).toMatchObject([
      { kind: 'failed', parent: 'a', selectable: false },
    ]);
  });

  it('searches loaded nodes, ignoring case and accents, and returns their path', () => {
    expect(searchNodes('BURO', nodes).map(({ id, path }) => [id, path])).toEqual([
      ['a/büro', ['Ordner a']],
      ['Büro', []],
    ]);
    expect(searchNodes('nirgends', nodes)).toEqual([]);
  });

  it('lists nodes whose children are not loaded, upper levels first', () => {
    expect(unloadedParents(nodes)).toEqual([]);
    const deeper: TreeNodes = {
      '': { state: 'loaded', options: [option('a', true), option('b', true), option('c')] },
      a: { state: 'loaded', options: [option('a/x', true)] },
    };
    expect(unloadedParents(deeper)).toEqual(['b', 'a/x']);
  });

  it('is whole when no level is missing, still being loaded, or could not be loaded', () => {
    const [root, children] = [nodes['']!, nodes['c']!];
    expect(isWhole({ '': root, a: children, Büro: children, c: children })).toBe(true);
    expect(isWhole({ '': root, a: children, c: children })).toBe(false);
    expect(isWhole(nodes)).toBe(false);
    expect(isWhole({ '': root, a: children, Büro: { state: 'failed' }, c: children })).toBe(false);
  });

  it('has the labels of all loaded nodes', () => {
    expect(labelsOf(nodes)).toMatchObject({ a: 'Ordner a', 'a/x': 'Ordner a/x' });
  });

  it('handles ten thousand folders in one level', () => {
    const many: TreeNodes = {
      '': { state: 'loaded', options: Array.from({ length: 10_000 }, (_, at) => option(String(at))) },
    };
    expect(countVisibleRows(treeRows('', many, new Set()), new Set())).toBe(10_000);
    expect(searchNodes('9999', many)).toHaveLength(1);
  });
});
