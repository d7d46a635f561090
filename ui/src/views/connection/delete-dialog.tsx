import { type Connection, deleteConnection } from '@docfetch/sdk';
import { useMutation } from '../../api/use-mutation';
import { problemOf } from '../../api/problem';
import { Action } from '../../components/action';
import { flash, successMessage } from '../../components/flash-message';
import { ProblemNotice } from '../../components/notice';
import { ModalDialog } from '../../components/modal-dialog';
import { navigate } from '../../route';
import { useSession } from '../../session/session';
import { useMessages } from '../../messages/use-messages';

interface DeleteDialogProps {
  readonly connection: Connection;
  readonly open: boolean;
  readonly close: () => void;
}

/** Asks for confirmation and lists the consequences (spec 4.4: irreversible). */
export function DeleteDialog({ connection, open, close }: DeleteDialogProps) {
  const { messages } = useMessages();
  const { client, clientName, session, recordSuccess } = useSession();
  const { mutate, busy, problem } = useMutation();
  const { uuid, name } = connection;
  const remove = async () => {
    const deleted = await mutate(() =>
      deleteConnection({ client, path: { uuid } }).catch((error: unknown) => {
        // It has already been deleted elsewhere.
        if (problemOf(error).kind !== 'not-found') throw error;
      }),
    );
    if (!deleted) return;
    recordSuccess('deleted', uuid);
    flash(successMessage(messages.remove.doneText(name)));
    close();
    if (session.preselection.connection_uuid) navigate({ view: 'connection', uuid }, 'replace');
    else navigate({ view: 'home' }, 'replace');
  };
  return (
    <ModalDialog title={messages.remove.title(name)} open={open} onClose={close} alert busy={busy}>
      <p>{messages.remove.what}</p>
      <ul className="consequences">
        {messages.remove.consequences(clientName).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {connection.status === 'DISABLED' ? null : <p className="help">{messages.remove.alternative}</p>}
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div className="actions end">
        <Action variant="quiet" onPress={close} disabled={busy} autoFocus>
          {messages.cancel}
        </Action>
        <Action variant="danger" onPress={() => void remove()} busy={busy}>
          {messages.remove.submit}
        </Action>
      </div>
    </ModalDialog>
  );
}
