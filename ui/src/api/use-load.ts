import { useCallback, useEffect, useRef, useState } from 'react';
import { useEnded } from '../session/ended';
import { type Problem, problemOf } from './problem';

export interface Loaded<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly reload: () => Promise<void>;
}

/**
 * Loads when the view appears and when `key` changes; an older answer never overtakes a newer one. What is there stays until
 * the answer comes: who switches the language keeps what has been typed.
 */
export function useLoad<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; problem: Problem | null; loading: boolean }>({
    data: null,
    problem: null,
    loading: true,
  });
  const ended = useEnded();
  const latest = useRef(0);
  const loader = useRef(load);
  loader.current = load;

  const reload = useCallback(async () => {
    const mine = ++latest.current;
    setState((before) => ({ ...before, loading: true }));
    try {
      const data = await loader.current();
      if (mine === latest.current) setState({ data, problem: null, loading: false });
    } catch (error) {
      const problem = problemOf(error);
      if (ended(problem)) return;
      if (mine === latest.current) setState((before) => ({ ...before, problem, loading: false }));
    }
  }, [ended]);

  useEffect(() => {
    void reload();
    return () => void latest.current++;
  }, [key, reload]);

  return { ...state, reload };
}
