import { mergeRows } from './merge-rows';

interface Row {
  readonly id: string;
  readonly state?: string;
}
const rows = (ids: string): Row[] =>
  ids
    .split(' ')
    .filter(Boolean)
    .map((id) => ({ id }));
const merge = (shown: string, page: string, { isWhole = false, wasWhole = false } = {}) => {
  const merged = mergeRows(rows(shown), rows(page), ({ id }) => id, { isWhole, wasWhole });
  return { ...merged, rows: merged.rows.map(({ id }) => id).join(' ') };
};

describe('a list that is refreshed', () => {
  it('updates rows in place', () => {
    const merged = mergeRows<Row>(rows('a b'), [{ id: 'b', state: 'new' }], ({ id }) => id, {
      isWhole: false,
      wasWhole: false,
    });
    expect(merged.rows).toEqual([{ id: 'a' }, { id: 'b', state: 'new' }]);
  });

  it('counts new rows and leaves the shown ones where they are', () => {
    expect(merge('c d e f', 'a b c d')).toEqual({ rows: 'c d e f', fresh: 2, more: false, gone: [] });
  });

  it('says that there may be more when a whole page is new', () => {
    expect(merge('x y z', 'a b c')).toMatchObject({ rows: 'x y z', fresh: 3, more: true });
  });

  it('does not count rows that have moved up from the next page', () => {
    expect(merge('a b c', 'a c d')).toEqual({ rows: 'a b c', fresh: 0, more: false, gone: ['b'] });
  });

  it('counts a row at the end when the whole list was shown', () => {
    expect(merge('a b', 'a b c', { isWhole: true, wasWhole: true })).toMatchObject({ fresh: 1, gone: [] });
  });

  it('names rows that are not in the list any more', () => {
    expect(merge('a b c d', 'b d', { isWhole: true, wasWhole: true })).toMatchObject({
      rows: 'a b c d',
      gone: ['a', 'c'],
    });
    expect(merge('a b', '', { isWhole: true, wasWhole: true }).gone).toEqual(['a', 'b']);
  });

  it('does not name rows of later pages', () => {
    expect(merge('a b c d e f', 'a b c').gone).toEqual([]);
    expect(merge('a b c d e f', 'x y a b c')).toMatchObject({ fresh: 2, gone: [] });
  });
});
