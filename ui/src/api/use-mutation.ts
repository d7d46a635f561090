import { useCallback, useRef, useState } from 'react';
import { useSessionEnd } from '../session/session-end-context';
import { type Problem, problemOf } from './problem';

export interface Mutation {
  /** Resolves with the result of `request`, or with undefined if it failed; `problem` then has the reason. */
  readonly mutate: <T>(request: () => Promise<T>) => Promise<{ readonly data: T } | undefined>;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly clear: () => void;
}

/** Runs requests that change data, one at a time; calls during a running request are ignored. */
export function useMutation(onProblem?: (problem: Problem) => void): Mutation {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const handleSessionEnd = useSessionEnd();
  const running = useRef(false);

  const mutate = async <T>(request: () => Promise<T>) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      return { data: await request() };
    } catch (error) {
      const failure = problemOf(error);
      if (handleSessionEnd(failure)) return undefined;
      setProblem(failure);
      onProblem?.(failure);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { mutate, busy, problem, clear: useCallback(() => setProblem(null), []) };
}
