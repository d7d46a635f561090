import { type Field, loadMoreOptions } from '@docfetch/sdk';
import { useCallback, useState } from 'react';
import { problemOf } from '../api/problem';
import { useSessionEnd } from '../session/session-end-context';
import { useSession } from '../session/session';
import { type TreeNodes, ROOT, unloadedParents } from './tree-nodes';

/** Each folder is one request to the provider, and a token may send 120 requests per minute. */
const MAX_FOLDERS_PER_SEARCH = 40;
const CONCURRENCY = 4;

/** Loads the levels of a tree when they are expanded (spec 4.10). */
export function useTreeNodes(field: Field, connection: string | undefined) {
  const { client } = useSession();
  const handleSessionEnd = useSessionEnd();
  const [nodes, setNodes] = useState<TreeNodes>(() => ({
    [ROOT]: { state: 'loaded', options: field.options ?? [] },
  }));

  const [loadingMore, setLoadingMore] = useState(false);

  const load = useCallback(
    async (parent: string) => {
      const setChildren = (children: TreeNodes[string]) => setNodes((before) => ({ ...before, [parent]: children }));
      setChildren({ state: 'loading' });
      try {
        const path = { uuid: connection!, field_id: field.id };
        const { data } = await loadMoreOptions({ client, path, body: { parent_id: parent } });
        setChildren({ state: 'loaded', options: data.options });
      } catch (error) {
        if (!handleSessionEnd(problemOf(error))) setChildren({ state: 'failed' });
      }
    },
    [client, connection, field.id, handleSessionEnd],
  );
  /** Loads further levels that have not been expanded, so that the search covers them. */
  const loadMore = useCallback(async () => {
    setLoadingMore(true);
    const queue = unloadedParents(nodes).slice(0, MAX_FOLDERS_PER_SEARCH);
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await load(next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    setLoadingMore(false);
  }, [nodes, load]);
  return { nodes, load, loadMore, loadingMore };
}
