/** The rows on the screen after a comparison with the new first page of their list. */
export interface Merged<T> {
  /** The shown rows in their order, with their new values. */
  readonly rows: readonly T[];
  /** New rows that are not shown. */
  readonly fresh: number;
  /** Whether there may be more new rows than one page holds. */
  readonly more: boolean;
  /** Shown rows that are not in the list any more, for example because they no longer match its filters. */
  readonly gone: readonly string[];
}

/**
 * Compares the rows on the screen with the first page of the list as it is now. Nothing moves: rows are updated in place, and new
 * ones are only counted.
 * @param isWhole whether `page` is the whole list
 * @param wasWhole whether `shown` was the whole list
 */
export function mergeRows<T>(
  shown: readonly T[],
  page: readonly T[],
  keyOf: (row: T) => string,
  { isWhole, wasWhole }: { readonly isWhole: boolean; readonly wasWhole: boolean },
): Merged<T> {
  const current = new Map(page.map((row) => [keyOf(row), row]));
  const known = new Set(shown.map(keyOf));
  const lastKnown = page.findLastIndex((row) => known.has(keyOf(row)));
  // Unknown rows at the end have moved up from the next page, unless there was none.
  const fresh = page.filter(
    (row, index) => !known.has(keyOf(row)) && (index < lastKnown || lastKnown === -1 || wasWhole),
  ).length;
  const lastShown = isWhole ? shown.length : shown.findLastIndex((row) => current.has(keyOf(row)));
  return {
    rows: updateRows(shown, page, keyOf),
    fresh,
    more: lastKnown === -1 && !isWhole && fresh > 0,
    gone: shown.filter((row, index) => index < lastShown && !current.has(keyOf(row))).map(keyOf),
  };
}

/** The shown rows with the newer state of those that are in `page`. */
export function updateRows<T>(shown: readonly T[], page: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const current = new Map(page.map((row) => [keyOf(row), row]));
  return shown.map((row) => current.get(keyOf(row)) ?? row);
}
