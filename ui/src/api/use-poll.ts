import { useEffect, useRef, useState } from 'react';
import { useEnded } from '../session/ended';
import { problemOf } from './problem';

const FIRST_MS = 1_200;
const LONGEST_MS = 6_000;
/** Slower and slower: what takes long is not watched second by second, and a token has 120 requests a minute. */
const GROWTH = 1.15;

/** Asks again and again until it is over or the view is gone. A failure is only a reason to ask later. */
export function usePoll<T>(
  ask: (before: T | null) => Promise<T>,
  isOver: (seen: T) => boolean,
  enabled = true,
): T | null {
  const [seen, setSeen] = useState<T | null>(null);
  const ended = useEnded();
  const latest = useRef({ ask, isOver });
  latest.current = { ask, isOver };
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    let last: T | null = null;
    const look = async (wait: number) => {
      try {
        last = await latest.current.ask(last);
        if (stopped) return;
        setSeen(last);
        if (latest.current.isOver(last)) return;
      } catch (error) {
        if (stopped || ended(problemOf(error))) return;
      }
      timer = setTimeout(() => void look(Math.min(LONGEST_MS, wait * GROWTH)), wait);
    };
    void look(FIRST_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [enabled, ended]);
  return seen;
}
