import { useEffect, useRef } from 'react';
import type { Query } from '../../../ui/src/api/use-query';
import { useData } from './use-data';

const REFRESH_MS = 10_000;

/** Data that is loaded again regularly while the page is visible; the previous data stay until the response has arrived. */
export function useLiveData<T>(load: () => Promise<T>, key: string, refreshMs = REFRESH_MS): Query<T> {
  const query = useData(load, key);
  const latest = useRef(query);
  latest.current = query;
  useEffect(() => {
    const refresh = () => {
      const { reload, loading } = latest.current;
      if (document.visibilityState === 'visible' && !loading) void reload();
    };
    const timer = setInterval(refresh, refreshMs);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [refreshMs]);
  return query;
}
