import { dismissFailure, type DocumentFailure, listFailures } from '@docfetch/sdk';
import { useState } from 'react';
import { problemOf } from '../../api/problem';
import { useMutation } from '../../api/use-mutation';
import { useQuery } from '../../api/use-query';
import { Action } from '../../components/action';
import { successMessage, type FlashMessage } from '../../components/flash-message';
import { ModalDialog } from '../../components/modal-dialog';
import { ProblemNotice } from '../../components/notice';
import { formatDateTime } from '../../messages/date-format';
import { useDocumentMessages } from '../../messages/documents/use-document-messages';
import { useMessages } from '../../messages/use-messages';
import { useSession } from '../../session/session';

const PAGE_SIZE = 10;

interface FailedDocumentsProps {
  readonly uuid: string;
  /** `failed_documents` of the connection. */
  readonly count: number;
  /** Called after a document was dismissed, with the message to show. */
  readonly changed: (message: FlashMessage) => Promise<void>;
}

/** The documents that could not be fetched, with the reason and an action that stops the attempts (decisions 9). */
export function FailedDocuments({ uuid, count, changed }: FailedDocumentsProps) {
  const { messages, lang } = useMessages();
  const { client, isAllowed } = useSession();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [chosen, setChosen] = useState<DocumentFailure | null>(null);
  const { data, problem, reload } = useQuery(
    () => listFailures({ client, path: { uuid }, query: { limit } }),
    `${uuid} ${lang} ${limit} ${count}`,
  );
  const documents = useDocumentMessages();
  const texts = documents.failures;
  return (
    <section>
      <h2 className="group-title">{texts.title(count)}</h2>
      <p className="help">{texts.text}</p>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      <ul className="failures">
        {data?.data.map((failure) => (
          <li key={failure.failure_uuid}>
            <p className="failure-name">{failure.filename}</p>
            <p>{failure.message}</p>
            <p className="about">{messages.fetched.since(formatDateTime(failure.since, lang, messages.when))}</p>
            {isAllowed('UPDATE') ? (
              <Action variant="quiet" onPress={() => setChosen(failure)}>
                {texts.dismiss}
                <span className="visually-hidden"> {failure.filename}</span>
              </Action>
            ) : null}
          </li>
        ))}
      </ul>
      {data?.meta.has_more ? (
        <Action variant="quiet" onPress={() => setLimit(limit + 5 * PAGE_SIZE)}>
          {documents.more}
        </Action>
      ) : null}
      {chosen ? (
        <DismissDialog
          uuid={uuid}
          failure={chosen}
          close={() => setChosen(null)}
          dismissed={() => changed(successMessage(texts.dismissed(chosen.filename)))}
        />
      ) : null}
    </section>
  );
}

/** Asks for confirmation, because a dismissed document can be restored only by a change in the source. */
function DismissDialog({
  uuid,
  failure: { failure_uuid, filename },
  close,
  dismissed,
}: {
  readonly uuid: string;
  readonly failure: DocumentFailure;
  readonly close: () => void;
  readonly dismissed: () => Promise<void>;
}) {
  const { messages } = useMessages();
  const { client, recordSuccess } = useSession();
  const { mutate, busy, problem } = useMutation();
  const texts = useDocumentMessages().failures;
  const dismiss = async () => {
    const done = await mutate(() =>
      dismissFailure({ client, path: { uuid, failure_uuid } }).catch((error: unknown) => {
        // It has been fetched in the meantime.
        if (problemOf(error).kind !== 'not-found') throw error;
      }),
    );
    if (!done) return;
    recordSuccess('updated', uuid);
    close();
    await dismissed();
  };
  return (
    <ModalDialog title={texts.confirmTitle(filename)} open onClose={close} alert busy={busy}>
      <p>{texts.confirmText}</p>
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div className="actions end">
        <Action variant="quiet" onPress={close} disabled={busy} autoFocus>
          {messages.cancel}
        </Action>
        <Action variant="primary" onPress={() => void dismiss()} busy={busy}>
          {texts.confirm}
        </Action>
      </div>
    </ModalDialog>
  );
}
