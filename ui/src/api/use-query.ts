import { useCallback, useEffect, useRef, useState } from 'react';
import { useSessionEnd } from '../session/session-end-context';
import { type Problem, problemOf } from './problem';

export interface Query<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
  readonly reload: () => Promise<void>;
}

/**
 * Loads data when the view is mounted and when `key` changes; an older response never replaces a newer one. The previous data
 * stays until the response arrives, so that switching the language keeps the user's input.
 */
export function useQuery<T>(load: () => Promise<T>, key: string): Query<T> {
  const [state, setState] = useState<{ data: T | null; problem: Problem | null; loading: boolean }>({
    data: null,
    problem: null,
    loading: true,
  });
  const handleSessionEnd = useSessionEnd();
  const latest = useRef(0);
  const loader = useRef(load);
  loader.current = load;

  const reload = useCallback(async () => {
    const current = ++latest.current;
    setState((before) => ({ ...before, loading: true }));
    try {
      const data = await loader.current();
      if (current === latest.current) setState({ data, problem: null, loading: false });
    } catch (error) {
      const problem = problemOf(error);
      if (handleSessionEnd(problem)) return;
      if (current === latest.current) setState((before) => ({ ...before, problem, loading: false }));
    }
  }, [handleSessionEnd]);

  useEffect(() => {
    void reload();
    return () => void latest.current++;
  }, [key, reload]);

  return { ...state, reload };
}
