import { type Connection, disableConnection, enableConnection, fetchNow } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { type FlashMessage, successMessage } from '../../../../ui/src/components/flash-message';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { ModalDialog } from '../../../../ui/src/components/modal-dialog';
import { Confirm } from '../../components/confirm';
import { useConsoleMessages } from '../../messages/use-console-messages';
import { useConsole } from '../../session/console-session';
import { UserLink } from './user-link';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

/** The actions on a connection; the API decides whether they are possible. */
export function ConnectionActions({
  connection,
  onDone,
}: {
  readonly connection: Connection;
  readonly onDone: (message: FlashMessage) => void;
}) {
  const messages = useConnectionViewMessages();
  const { close } = useConsoleMessages();
  const { client } = useConsole();
  const [open, setOpen] = useState<'disable' | 'link' | null>(null);
  const mutation = useMutation();
  const path = { uuid: connection.uuid };
  const run = async (request: () => Promise<unknown>, text: string) => {
    const done = await mutation.mutate(request);
    if (!done) return;
    setOpen(null);
    onDone(successMessage(text));
  };
  const isDisabled = connection.status === 'DISABLED';
  return (
    <>
      {connection.status === 'ACTIVE' ? (
        <Action
          variant="primary"
          busy={mutation.busy && open === null}
          onPress={() => void run(() => fetchNow({ client, path }), messages.fetchRequested)}
        >
          {messages.fetchNow}
        </Action>
      ) : null}
      <Action onPress={() => setOpen('link')}>{messages.link}</Action>
      {isDisabled ? (
        <Action
          busy={mutation.busy}
          onPress={() => void run(() => enableConnection({ client, path }), messages.enabled)}
        >
          {messages.enable}
        </Action>
      ) : (
        <Action onPress={() => setOpen('disable')}>{messages.disable}</Action>
      )}
      {mutation.problem && open === null ? (
        <ModalDialog title={mutation.problem.detail ?? messages.fetchNow} open onClose={mutation.clear}>
          <ProblemNotice problem={mutation.problem} />
          <p className="actions end">
            <Action onPress={mutation.clear}>{close}</Action>
          </p>
        </ModalDialog>
      ) : null}
      <Confirm
        title={messages.disableTitle}
        submit={messages.disable}
        open={open === 'disable'}
        onClose={() => setOpen(null)}
        onConfirm={() => void run(() => disableConnection({ client, path }), messages.disabled)}
        mutation={mutation}
      >
        <p>{messages.disableText}</p>
      </Confirm>
      <ModalDialog title={messages.linkTitle} open={open === 'link'} onClose={() => setOpen(null)}>
        <UserLink connection={connection} onClose={() => setOpen(null)} />
      </ModalDialog>
    </>
  );
}
