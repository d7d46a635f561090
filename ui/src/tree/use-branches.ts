import { type Field, loadMoreOptions } from '@docfetch/sdk';
import { useCallback, useState } from 'react';
import { problemOf } from '../api/problem';
import { useEnded } from '../session/ended';
import { useSession } from '../session/session';
import { type Branches, ROOT, unopened } from './branches';

/** A provider is asked for each folder, and a token has 120 requests a minute. */
const FOLDERS_AT_ONCE = 40;
const IN_PARALLEL = 4;

/** Loads the levels of a tree when they are opened (spec 4.10). */
export function useBranches(field: Field, connection: string | undefined) {
  const { client } = useSession();
  const ended = useEnded();
  const [branches, setBranches] = useState<Branches>(() => ({
    [ROOT]: { state: 'loaded', options: field.options ?? [] },
  }));

  const [searchingOn, setSearchingOn] = useState(false);

  const load = useCallback(
    async (parent: string) => {
      const put = (branch: Branches[string]) => setBranches((before) => ({ ...before, [parent]: branch }));
      put({ state: 'loading' });
      try {
        const path = { uuid: connection!, field_id: field.id };
        const { data } = await loadMoreOptions({ client, path, body: { parent_id: parent } });
        put({ state: 'loaded', options: data.options });
      } catch (error) {
        if (!ended(problemOf(error))) put({ state: 'failed' });
      }
    },
    [client, connection, field.id, ended],
  );
  /** Loads some more of what nobody has opened, so that the search finds what lies there. */
  const loadOn = useCallback(async () => {
    setSearchingOn(true);
    const waiting = unopened(branches).slice(0, FOLDERS_AT_ONCE);
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await load(next);
    };
    await Promise.all(Array.from({ length: IN_PARALLEL }, work));
    setSearchingOn(false);
  }, [branches, load]);
  return { branches, load, loadOn, searchingOn };
}
