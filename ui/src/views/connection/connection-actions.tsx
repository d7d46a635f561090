import { type Connection, disableConnection, enableConnection, type Integration } from '@docfetch/sdk';
import { useId, useState } from 'react';
import { useMutation } from '../../api/use-mutation';
import type { Problem } from '../../api/problem';
import { Action, RouteLink } from '../../components/action';
import { successMessage, type FlashMessage } from '../../components/flash-message';
import { useSession } from '../../session/session';
import { useMessages } from '../../messages/use-messages';
import { DeleteDialog } from './delete-dialog';
import { RenameDialog } from './rename-dialog';
import { useFetchNow } from './use-fetch-now';

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
  const { mutate, busy } = useMutation((problem) => void changed(null, problem));
  const fetch = useFetchNow(connection, changed);
  const quotaId = useId();
  const { uuid, status, setup_complete: complete } = connection;
  const path = { uuid };
  const hasLogin = integration?.auth_type !== 'OAUTH2' && connection.inbox_address === null;
  // Received e-mails are fetched as they arrive.
  const canFetch = status === 'ACTIVE' && isAllowed('FETCH_NOW') && connection.inbox_address === null;

  const setEnabled = async (enabled: boolean) => {
    const saved = await mutate(() => (enabled ? enableConnection : disableConnection)({ client, path }));
    if (!saved) return;
    recordSuccess('updated', uuid);
    const { enabled: resumed, disabled: paused } = messages.connection;
    await changed(enabled ? successMessage(resumed) : successMessage(paused, 'paused'));
  };

  return (
    <section aria-label={messages.connection.actions}>
      <div className="action-list">
        {canFetch ? (
          <Action onPress={fetch.start} busy={busy || fetch.busy} inactive={fetch.isUsedUp} describedBy={quotaId}>
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
            {hasLogin ? messages.connection.edit : messages.connection.editAuthorize}
          </RouteLink>
        ) : null}
        {isAllowed('UPDATE') && (integration?.has_step2 ?? true) && complete && status !== 'INVALID_CREDENTIALS' ? (
          <RouteLink to={{ view: 'content', uuid }} variant="plain">
            {messages.connection.selection}
          </RouteLink>
        ) : null}
      </div>
      {canFetch ? (
        <p className="help quota" id={quotaId}>
          {fetch.quota}
        </p>
      ) : null}
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
