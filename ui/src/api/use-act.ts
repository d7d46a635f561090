import { useCallback, useRef, useState } from 'react';
import { useEnded } from '../session/ended';
import { type Problem, problemOf } from './problem';

export interface Acting {
  /** Answers what `work` answers, or undefined when it failed; then `problem` says why. */
  readonly act: <T>(work: () => Promise<T>) => Promise<{ readonly done: T } | undefined>;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly clear: () => void;
}

/** One thing at a time that changes something. */
export function useAct(onProblem?: (problem: Problem) => void): Acting {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const ended = useEnded();
  const running = useRef(false);

  const act = async <T>(work: () => Promise<T>) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      return { done: await work() };
    } catch (error) {
      const found = problemOf(error);
      if (ended(found)) return undefined;
      setProblem(found);
      onProblem?.(found);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { act, busy, problem, clear: useCallback(() => setProblem(null), []) };
}
