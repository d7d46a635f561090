import { useCallback, useRef, useState } from 'react';
import { useSessionEnd } from '../session/session-end-context';
import { type Problem, problemOf } from './problem';

export interface Mutation {
  /** Answers what `request` answers, or undefined when it failed; then `problem` says why. */
  readonly mutate: <T>(request: () => Promise<T>) => Promise<{ readonly data: T } | undefined>;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly clear: () => void;
}

/** One thing at a time that changes something. */
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
