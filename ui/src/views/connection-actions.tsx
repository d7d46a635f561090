import {
  type Connection,
  disableConnection,
  enableConnection,
  fetchNow,
  getFetch,
  type Integration,
} from '@docfetch/sdk';
import { useState } from 'react';
import { useAct } from '../api/use-act';
import type { Problem } from '../api/problem';
import { usePoll } from '../api/use-poll';
import { Action, Go } from '../parts/action';
import { good, type Said } from '../parts/flash';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { DeleteWindow } from './delete-window';
import { RenameWindow } from './rename-window';

interface ActionsProps {
  readonly connection: Connection;
  readonly integration: Integration | null;
  /** Something has changed: what to say about it, or what went wrong. */
  readonly changed: (said: Said | null, problem?: Problem | null) => Promise<void>;
}

/** What can be done with a connection, as far as the token allows it. */
export function ConnectionActions({ connection, integration, changed }: ActionsProps) {
  const { words } = useWords();
  const { client, may, achieved } = useSession();
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const [fetching, setFetching] = useState<string | null>(null);
  const { act, busy } = useAct((problem) => void changed(null, problem));
  const { uuid, status, setup_complete: complete } = connection;
  const path = { uuid };

  usePoll(
    async () => (await getFetch({ client, path: { uuid: fetching! } })).data,
    (fetch) => {
      if (!fetch.finished_at) return false;
      setFetching(null);
      const failed = fetch.status === 'FAILED' || fetch.status === 'CANCELLED';
      const why = `${words.connection.fetchFailed} ${fetch.error?.message ?? ''}`.trim();
      void changed(failed ? { text: why, tone: 'warning' } : good(words.connection.fetchDone(fetch.counts.new)));
      return true;
    },
    fetching !== null,
  );

  const begin = async () => {
    const queued = await act(() => fetchNow({ client, path }));
    if (!queued) return;
    setFetching(queued.done.uuid);
    await changed({ text: words.connection.fetchStarted, tone: 'info' });
  };
  const turn = async (on: boolean) => {
    const done = await act(() => (on ? enableConnection : disableConnection)({ client, path }));
    if (!done) return;
    achieved('updated', uuid);
    await changed(good(on ? words.connection.enabled : words.connection.disabled));
  };

  return (
    <section aria-label={words.connection.actions}>
      <div className="deeds">
        {status === 'ACTIVE' && may('FETCH_NOW') ? (
          <Action onPress={() => void begin()} busy={busy || fetching !== null}>
            {words.connection.fetchNow}
          </Action>
        ) : null}
        {status === 'DISABLED' && may('ENABLE') ? (
          <Action weight="primary" onPress={() => void turn(true)} busy={busy}>
            {words.connection.enable}
          </Action>
        ) : null}
        {may('UPDATE') ? (
          <Go to={{ view: 'access', uuid }} weight="plain">
            {integration?.auth_type === 'OAUTH2' ? words.connection.editAuthorize : words.connection.edit}
          </Go>
        ) : null}
        {may('UPDATE') && (integration?.has_step2 ?? true) && complete && status !== 'INVALID_CREDENTIALS' ? (
          <Go to={{ view: 'content', uuid }} weight="plain">
            {words.connection.selection}
          </Go>
        ) : null}
      </div>
      <div className="deeds rare">
        {may('UPDATE') ? (
          <Action weight="quiet" onPress={() => setOpen('rename')}>
            {words.connection.rename}
          </Action>
        ) : null}
        {status !== 'DISABLED' && complete && may('DISABLE') ? (
          <Action weight="quiet" onPress={() => void turn(false)} busy={busy}>
            {words.connection.disable}
          </Action>
        ) : null}
        {may('DELETE') ? (
          <Action weight="danger" onPress={() => setOpen('delete')}>
            {words.connection.remove}
          </Action>
        ) : null}
      </div>
      <RenameWindow
        connection={connection}
        open={open === 'rename'}
        close={() => setOpen(null)}
        renamed={() => changed(good(words.connection.renamed))}
      />
      <DeleteWindow connection={connection} open={open === 'delete'} close={() => setOpen(null)} />
    </section>
  );
}
