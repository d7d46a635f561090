import { type Connection, deleteConnection } from '@docfetch/sdk';
import { useAct } from '../api/use-act';
import { problemOf } from '../api/problem';
import { Action } from '../parts/action';
import { flash } from '../parts/flash';
import { ProblemNotice } from '../parts/notice';
import { Window } from '../parts/window';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

interface DeleteProps {
  readonly connection: Connection;
  readonly open: boolean;
  readonly close: () => void;
}

/** Asks once more, with the consequences (spec 4.4: irreversible). */
export function DeleteWindow({ connection, open, close }: DeleteProps) {
  const { words } = useWords();
  const { client, session, achieved } = useSession();
  const { act, busy, problem } = useAct();
  const { uuid, name } = connection;
  const remove = async () => {
    const done = await act(() =>
      deleteConnection({ client, path: { uuid } }).catch((error: unknown) => {
        // Deleted elsewhere in the meantime: that is what was wanted.
        if (problemOf(error).kind !== 'gone') throw error;
      }),
    );
    if (!done) return;
    achieved('deleted', uuid);
    flash(words.remove.doneText(name));
    close();
    if (session.preselection.connection_uuid) go({ view: 'connection', uuid }, 'replace');
    else go({ view: 'home' }, 'replace');
  };
  return (
    <Window title={words.remove.title(name)} open={open} onClose={close} alert busy={busy}>
      <p>{words.remove.what}</p>
      <ul className="consequences">
        {words.remove.consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {connection.status === 'DISABLED' ? null : <p className="help">{words.remove.alternative}</p>}
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div className="actions end">
        <Action weight="quiet" onPress={close} disabled={busy} autoFocus>
          {words.cancel}
        </Action>
        <Action weight="danger" onPress={() => void remove()} busy={busy}>
          {words.remove.submit}
        </Action>
      </div>
    </Window>
  );
}
