import { useEffect, useRef, useState } from 'react';
import { useSessionEnd } from '../session/session-end-context';
import { problemOf } from './problem';

const FIRST_INTERVAL_MS = 1_200;
const MAX_INTERVAL_MS = 6_000;
/** Slower and slower: what takes long is not watched second by second, and a token has 120 requests a minute. */
const GROWTH = 1.15;

/** Asks again and again until it is over or the view is gone. A failure is only a reason to request later. */
export function usePoll<T>(
  request: (before: T | null) => Promise<T>,
  isDone: (latestData: T) => boolean,
  enabled = true,
): T | null {
  const [latestData, setLatestData] = useState<T | null>(null);
  const handleSessionEnd = useSessionEnd();
  const latest = useRef({ request, isDone });
  latest.current = { request, isDone };
  useEffect(() => {
    if (!enabled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    let last: T | null = null;
    const poll = async (wait: number) => {
      try {
        last = await latest.current.request(last);
        if (stopped) return;
        setLatestData(last);
        if (latest.current.isDone(last)) return;
      } catch (error) {
        if (stopped || handleSessionEnd(problemOf(error))) return;
      }
      timer = setTimeout(() => void poll(Math.min(MAX_INTERVAL_MS, wait * GROWTH)), wait);
    };
    void poll(FIRST_INTERVAL_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [enabled, handleSessionEnd]);
  return latestData;
}
