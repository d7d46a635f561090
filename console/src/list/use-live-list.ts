import { useCallback, useEffect, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { useSessionEnd } from '../../../ui/src/session/session-end-context';
import { wasReachedBack } from '../route';
import { afterFailure, afterFirst, afterMore, afterRefresh, type ListState, NOT_LOADED } from './list-state';
import { keptPlaceOf, type ListPage, loadRows, type ShownRows } from './live-list';

const REFRESH_MS = 10_000;

export interface LiveList<T> extends ListState<T> {
  readonly loadMore: (() => void) | null;
  readonly busy: boolean;
  readonly live: boolean;
  readonly setLive: (live: boolean) => void;
  /** Loads the list from its beginning. */
  readonly reload: () => Promise<void>;
  /** Updates the rows on the screen now. */
  readonly refresh: () => void;
}

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
  const [state, setState] = useState<ListState<T>>(() => {
    const kept = wasReachedBack() ? keptPlaceOf(key) : null;
    return kept ? { ...NOT_LOADED, shown: kept.shown as ShownRows<T> } : NOT_LOADED;
  });
  const [busy, setBusy] = useState(false);
  const [live, setLive] = useState(true);
  const latest = useRef({ load, keyOf, key, state, turn: 0, generation: 0, isRefreshing: false });
  Object.assign(latest.current, { load, keyOf, key, state });

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
    const { key: loaded } = latest.current;
    try {
      const page = await loadRows(latest.current.load, undefined);
      if (generation !== latest.current.generation) return;
      setState(afterFirst(page, loaded));
    } catch (error) {
      const problem = failureOf(error, generation);
      if (problem) setState((before) => afterFailure(before, problem, loaded));
    }
  }, [failureOf]);

  const refresh = useCallback(async () => {
    const { current } = latest;
    const { shown } = current.state;
    if (!shown) return current.state.problem ? reload() : undefined;
    if (current.isRefreshing || shown.key !== current.key) return;
    current.isRefreshing = true;
    const { generation } = current;
    try {
      const isSearching = shown.rows.length === 0 && shown.next !== null;
      const page = isSearching ? await current.load(undefined) : await loadRows(current.load, undefined);
      const others = shown.cursors.slice(1);
      const cursor = others.length > 0 ? others[current.turn++ % others.length] : null;
      const other = cursor ? (await current.load(cursor)).data : [];
      if (generation !== current.generation) return;
      setState((before) => afterRefresh(before, page, other, current.keyOf));
    } catch (error) {
      const problem = failureOf(error, generation);
      if (problem) setState((before) => afterFailure(before, problem, shown.key));
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

  const next = state.shown?.key === key ? state.shown.next : null;
  return {
    ...state,
    loadMore: next === null ? null : () => void loadMore(next),
    ...{ busy, live, setLive, reload },
    refresh: () => void refresh(),
  };
}
