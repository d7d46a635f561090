import { useState } from 'react';
import type { Problem } from './problem';
import { useMutation } from './use-mutation';
import { useQuery } from './use-query';

interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly next_cursor: string | null };
}

export interface Pages<T> {
  /** The items loaded so far; null until the first page has arrived. */
  readonly items: readonly T[] | null;
  readonly problem: Problem | null;
  readonly reload: () => void;
  /** Loads the next page; null on the last one. */
  readonly loadMore: (() => void) | null;
  readonly busy: boolean;
  /** Why the next page could not be loaded. */
  readonly moreProblem: Problem | null;
}

/** A list that is loaded page by page, and from the beginning when `key` changes. */
export function usePages<T>(load: (cursor?: string) => Promise<Page<T>>, key: string): Pages<T> {
  const [more, setMore] = useState<Page<T> | null>(null);
  const { data, problem, reload } = useQuery(async () => {
    setMore(null);
    return load();
  }, key);
  const { mutate, busy, problem: moreProblem } = useMutation();
  const next = (more ?? data)?.meta.next_cursor ?? null;
  const loadNext = async (cursor: string) => {
    const loaded = await mutate(() => load(cursor));
    if (loaded) setMore({ data: [...(more?.data ?? []), ...loaded.data.data], meta: loaded.data.meta });
  };
  return {
    items: data && [...data.data, ...(more?.data ?? [])],
    problem,
    reload: () => void reload(),
    loadMore: next === null ? null : () => void loadNext(next),
    busy,
    moreProblem,
  };
}
