import {
  type Connection,
  disableConnection,
  enableConnection,
  fetchNow,
  getFetch,
  type Integration,
} from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../api/use-mutation';
import type { Problem } from '../api/problem';
import { usePoll } from '../api/use-poll';
import { Action, RouteLink } from '../components/action';
import { successMessage, type FlashMessage } from '../components/flash-message';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';
import { DeleteDialog } from './delete-dialog';
import { RenameDialog } from './rename-dialog';

interface ConnectionActionsProps {
  readonly connection: Connection;
  readonly integration: Integration | null;
  /** Called after a change, with the message to show or with the problem. */
  readonly changed: (message: FlashMessage | null, problem?: Problem | null) => Promise<void>;
}

/** The actions on a connection that the token allows. */
export function ConnectionActions({ connection, integration, changed }: ConnectionActionsProps) {
  const { messages } = useMessages();
  const { client, isAllowed, recordSuccess } = useSession();
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const [fetching, setFetching] = useState<string | null>(null);
  const { mutate, busy } = useMutation((problem) => void changed(null, problem));
  const { uuid, status, setup_complete: complete } = connection;
  const path = { uuid };

  usePoll(
    async () => (await getFetch({ client, path: { uuid: fetching! } })).data,
    (fetch) => {
      if (!fetch.finished_at) return false;
      setFetching(null);
      const failed = fetch.status === 'FAILED' || fetch.status === 'CANCELLED';
      const text = `${messages.connection.fetchFailed} ${fetch.error?.message ?? ''}`.trim();
      void changed(
        failed ? { text, tone: 'warning' } : successMessage(messages.connection.fetchDone(fetch.counts.new)),
      );
      return true;
    },
    fetching !== null,
  );

  const startFetch = async () => {
    const queued = await mutate(() => fetchNow({ client, path }));
    if (!queued) return;
    setFetching(queued.data.uuid);
    await changed({ text: messages.connection.fetchStarted, tone: 'info' });
  };
  const setEnabled = async (enabled: boolean) => {
    const saved = await mutate(() => (enabled ? enableConnection : disableConnection)({ client, path }));
    if (!saved) return;
    recordSuccess('updated', uuid);
    await changed(successMessage(enabled ? messages.connection.enabled : messages.connection.disabled));
  };

  return (
    <section aria-label={messages.connection.actions}>
      <div className="action-list">
        {status === 'ACTIVE' && isAllowed('FETCH_NOW') ? (
          <Action onPress={() => void startFetch()} busy={busy || fetching !== null}>
            {messages.connection.fetchNow}
          </Action>
        ) : null}
        {status === 'DISABLED' && isAllowed('ENABLE') ? (
          <Action variant="primary" onPress={() => void setEnabled(true)} busy={busy}>
            {messages.connection.enable}
          </Action>
        ) : null}
        {isAllowed('UPDATE') ? (
          <RouteLink to={{ view: 'access', uuid }} variant="plain">
            {integration?.auth_type === 'OAUTH2' ? messages.connection.editAuthorize : messages.connection.edit}
          </RouteLink>
        ) : null}
        {isAllowed('UPDATE') && (integration?.has_step2 ?? true) && complete && status !== 'INVALID_CREDENTIALS' ? (
          <RouteLink to={{ view: 'content', uuid }} variant="plain">
            {messages.connection.selection}
          </RouteLink>
        ) : null}
      </div>
      <div className="action-list rare">
        {isAllowed('UPDATE') ? (
          <Action variant="quiet" onPress={() => setOpen('rename')}>
            {messages.connection.rename}
          </Action>
        ) : null}
        {status !== 'DISABLED' && complete && isAllowed('DISABLE') ? (
          <Action variant="quiet" onPress={() => void setEnabled(false)} busy={busy}>
            {messages.connection.disable}
          </Action>
        ) : null}
        {isAllowed('DELETE') ? (
          <Action variant="danger" onPress={() => setOpen('delete')}>
            {messages.connection.remove}
          </Action>
        ) : null}
      </div>
      <RenameDialog
        connection={connection}
        open={open === 'rename'}
        close={() => setOpen(null)}
        renamed={() => changed(successMessage(messages.connection.renamed))}
      />
      <DeleteDialog connection={connection} open={open === 'delete'} close={() => setOpen(null)} />
    </section>
  );
}
