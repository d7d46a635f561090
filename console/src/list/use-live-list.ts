import { useCallback, useEffect, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { useSessionEnd } from '../../../ui/src/session/session-end-context';
import { type ListPage, loadRows, type ShownRows, takeLeft } from './live-list';
import { mergeRows, updateRows } from './merge-rows';
import { wasReachedBack } from '../route';

const REFRESH_MS = 10_000;

export interface LiveList<T> {
  /** Null until the first page has arrived. */
  readonly shown: ShownRows<T> | null;
  readonly fresh: { readonly count: number; readonly more: boolean };
  readonly gone: ReadonlySet<string>;
  /** Why the rows could not be loaded; those on the screen stay. */
  readonly problem: Problem | null;
  readonly moreProblem: Problem | null;
  readonly loadMore: (() => void) | null;
  readonly busy: boolean;
  readonly live: boolean;
  readonly setLive: (live: boolean) => void;
  /** Loads the list from its beginning. */
  readonly reload: () => Promise<void>;
  /** Updates the rows on the screen now. */
  readonly refresh: () => void;
}

interface State<T> {
  readonly shown: ShownRows<T> | null;
  readonly fresh: { readonly count: number; readonly more: boolean };
  readonly gone: ReadonlySet<string>;
  readonly problem: Problem | null;
  readonly moreProblem: Problem | null;
}

const NOTHING: State<never> = {
  ...{ shown: null, fresh: { count: 0, more: false }, gone: new Set(), problem: null, moreProblem: null },
};

/**
 * A list that refreshes itself while the page is visible: the first page each time, and one of the others in turn.
 * @param key the list: it is loaded from its beginning when that changes
 */
export function useLiveList<T>(
  load: (cursor: string | undefined) => Promise<ListPage<T>>,
  keyOf: (row: T) => string,
  key: string,
): LiveList<T> {
  const handleSessionEnd = useSessionEnd();
  const [state, setState] = useState<State<T>>(() => {
    const left = wasReachedBack() ? takeLeft(key) : null;
    return left ? { ...NOTHING, shown: left.shown as ShownRows<T> } : NOTHING;
  });
  const [busy, setBusy] = useState(false);
  const [live, setLive] = useState(true);
  const latest = useRef({ load, keyOf, state, turn: 0, generation: 0, isRefreshing: false });
  Object.assign(latest.current, { load, keyOf, state });

  /** The error, unless the session has ended or the list is another one by now. */
  const failureOf = useCallback(
    (error: unknown, generation: number): Problem | null => {
      const problem = problemOf(error);
      return handleSessionEnd(problem) || generation !== latest.current.generation ? null : problem;
    },
    [handleSessionEnd],
  );

  const reload = useCallback(async () => {
    const generation = ++latest.current.generation;
    try {
      const page = await loadRows(latest.current.load, undefined);
      if (generation !== latest.current.generation) return;
      setState({ ...NOTHING, shown: firstOf(page) });
    } catch (error) {
      const problem = failureOf(error, generation);
      if (problem) setState((before) => ({ ...before, problem }));
    }
  }, [failureOf]);

  const refresh = useCallback(async () => {
    const { current } = latest;
    const { shown } = current.state;
    if (!shown || current.isRefreshing) return shown || current.state.problem === null ? undefined : reload();
    current.isRefreshing = true;
    const { generation } = current;
    try {
      const page = await loadRows(current.load, undefined);
      const others = shown.cursors.slice(1);
      const cursor = others.length > 0 ? others[current.turn++ % others.length] : null;
      const other = cursor ? (await current.load(cursor)).data : [];
      if (generation !== current.generation) return;
      setState((before) => afterRefresh(before, page, other, current.keyOf));
    } catch (error) {
      const problem = failureOf(error, generation);
      if (problem) setState((before) => ({ ...before, problem }));
    } finally {
      current.isRefreshing = false;
    }
  }, [failureOf, reload]);

  const loadMore = async (cursor: string) => {
    const { generation } = latest.current;
    setBusy(true);
    try {
      const page = await loadRows(load, cursor);
      if (generation === latest.current.generation) setState((before) => afterMore(before, page, cursor, keyOf));
    } catch (error) {
      const moreProblem = failureOf(error, generation);
      if (moreProblem) setState((before) => ({ ...before, moreProblem }));
    } finally {
      setBusy(false);
    }
  };

  const isFirst = useRef(true);
  useEffect(() => {
    // Rows that were kept are only refreshed.
    const isKept = isFirst.current && latest.current.state.shown !== null;
    isFirst.current = false;
    void (isKept ? refresh() : reload());
    return () => void latest.current.generation++;
  }, [key, reload, refresh]);

  useEffect(() => {
    if (!live) return;
    const isVisible = () => document.visibilityState === 'visible';
    const timer = setInterval(() => isVisible() && void refresh(), REFRESH_MS);
    const onChange = () => isVisible() && void refresh();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onChange);
    };
  }, [live, refresh]);

  const next = state.shown?.next ?? null;
  return {
    ...state,
    loadMore: next === null ? null : () => void loadMore(next),
    ...{ busy, live, setLive, reload },
    refresh: () => void refresh(),
  };
}

const firstOf = <T>(page: ListPage<T>): ShownRows<T> => ({
  rows: page.data,
  cursors: [null],
  next: page.meta.next_cursor,
  isTruncated: page.meta.truncated ?? false,
  loadedAt: new Date(),
});

/** New rows of an empty list are shown at once: there is nothing that could move. */
function afterRefresh<T>(
  before: State<T>,
  page: ListPage<T>,
  other: readonly T[],
  keyOf: (row: T) => string,
): State<T> {
  const { shown } = before;
  if (!shown || shown.rows.length === 0) return { ...NOTHING, shown: firstOf(page) };
  const merged = mergeRows(shown.rows, page.data, keyOf, {
    isWhole: page.meta.next_cursor === null,
    wasWhole: shown.next === null,
  });
  return {
    shown: { ...shown, rows: updateRows(merged.rows, other, keyOf), loadedAt: new Date() },
    fresh: { count: merged.fresh, more: merged.more },
    gone: new Set(merged.gone),
    problem: null,
    moreProblem: before.moreProblem,
  };
}

function afterMore<T>(before: State<T>, page: ListPage<T>, cursor: string, keyOf: (row: T) => string): State<T> {
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
