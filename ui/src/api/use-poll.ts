import { useEffect, useRef, useState } from 'react';
import { useSessionEnd } from '../session/session-end-context';
import { problemOf } from './problem';

const FIRST_INTERVAL_MS = 1_200;
const MAX_INTERVAL_MS = 6_000;
/** Factor by which the interval grows: a token may send 120 requests per minute. */
const GROWTH = 1.15;

/** Polls until `isDone` or until the view is unmounted. A failed request is repeated at the next interval. */
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
