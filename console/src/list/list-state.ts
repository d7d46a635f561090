import type { Problem } from '../../../ui/src/api/problem';
import type { ListPage, ShownRows } from './live-list';
import { mergeRows, updateRows } from './merge-rows';

/** The rows and problems that a list shows. */
export interface ListState<T> {
  readonly shown: ShownRows<T> | null;
  readonly fresh: { readonly count: number; readonly more: boolean };
  readonly gone: ReadonlySet<string>;
  readonly problem: Problem | null;
  readonly moreProblem: Problem | null;
}

export const NOT_LOADED: ListState<never> = {
  ...{ shown: null, fresh: { count: 0, more: false }, gone: new Set(), problem: null, moreProblem: null },
};

/** @param key the list that the page belongs to */
export const afterFirst = <T>(page: ListPage<T>, key: string): ListState<T> => ({
  ...NOT_LOADED,
  shown: {
    key,
    rows: page.data,
    cursors: [null],
    next: page.meta.next_cursor,
    isTruncated: page.meta.truncated ?? false,
    loadedAt: new Date(),
  },
});

/** The rows stay when they could not be updated, but not those of another list, for example with other filters. */
export const afterFailure = <T>(before: ListState<T>, problem: Problem, key: string): ListState<T> =>
  before.shown?.key === key ? { ...before, problem } : { ...NOT_LOADED, problem };

/** New rows of an empty list are shown at once: there is nothing that could move. */
export function afterRefresh<T>(
  before: ListState<T>,
  page: ListPage<T>,
  other: readonly T[],
  keyOf: (row: T) => string,
): ListState<T> {
  const { shown } = before;
  if (!shown) return before;
  const isWhole = page.meta.next_cursor === null;
  if (shown.rows.length === 0) {
    // A search that has passed this page without a match continues where it is.
    const found = page.data.length > 0 || isWhole;
    return found
      ? afterFirst(page, shown.key)
      : { ...before, problem: null, shown: { ...shown, loadedAt: new Date() } };
  }
  const merged = mergeRows(shown.rows, page.data, keyOf, { isWhole, wasWhole: shown.next === null });
  return {
    shown: { ...shown, rows: updateRows(merged.rows, other, keyOf), loadedAt: new Date() },
    fresh: { count: merged.fresh, more: merged.more },
    gone: new Set(merged.gone),
    problem: null,
    moreProblem: before.moreProblem,
  };
}

export function afterMore<T>(
  before: ListState<T>,
  page: ListPage<T>,
  cursor: string,
  keyOf: (row: T) => string,
): ListState<T> {
  const { shown } = before;
  if (!shown) return before;
  const known = new Set(shown.rows.map(keyOf));
  return {
    ...before,
    moreProblem: null,
    shown: {
      ...shown,
      rows: [...shown.rows, ...page.data.filter((row) => !known.has(keyOf(row)))],
      cursors: [...shown.cursors, cursor],
      next: page.meta.next_cursor,
    },
  };
}
