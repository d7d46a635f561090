import { type Field, loadMoreOptions } from '@docfetch/sdk';
import { useCallback, useState } from 'react';
import { problemOf } from '../api/problem';
import { useEnded } from '../session/ended';
import { useSession } from '../session/session';
import { type Branches, ROOT } from './branches';

/** Loads the levels of a tree when they are opened (spec 4.10). */
export function useBranches(field: Field, connection: string | undefined) {
  const { client } = useSession();
  const ended = useEnded();
  const [branches, setBranches] = useState<Branches>(() => ({
    [ROOT]: { state: 'loaded', options: field.options ?? [] },
  }));

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
  return { branches, load };
}
