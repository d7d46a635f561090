import { listConnectionTransactions } from '@docfetch/sdk';
import { usePages } from '../../api/use-pages';
import { Action } from '../../components/action';
import { DocumentList } from '../../components/list/document-list';
import { Loading } from '../../components/loading';
import { ProblemNotice } from '../../components/notice';
import { useDocumentMessages } from '../../messages/documents/use-document-messages';
import { useMessages } from '../../messages/use-messages';
import { useSession } from '../../session/session';

const PAGE_SIZE = 10;

interface ReceivedDocumentsProps {
  readonly uuid: string;
  /** Only those that this fetch has found. */
  readonly fetchUuid?: string;
  /** Counts changes of the connection: each loads the documents again, while the known ones stay. */
  readonly changes?: number;
}

/** The documents of a connection, newest first. */
export function ReceivedDocuments({ uuid, fetchUuid, changes = 0 }: ReceivedDocumentsProps) {
  const messages = useDocumentMessages();
  const { lang } = useMessages();
  const { client } = useSession();
  const pages = usePages(
    (cursor) =>
      listConnectionTransactions({
        client,
        path: { uuid },
        query: { limit: PAGE_SIZE, cursor, fetch_uuid: fetchUuid },
      }),
    `${uuid} ${fetchUuid ?? ''} ${lang} ${changes}`,
  );
  const { items, problem, moreProblem, loadMore, busy } = pages;
  return (
    <>
      {problem ? <ProblemNotice problem={problem} retry={pages.reload} /> : null}
      {!items && !problem ? <Loading /> : null}
      {items?.length === 0 ? <p className="help">{messages.none}</p> : null}
      {items && items.length > 0 ? <DocumentList documents={items} showsDelivery /> : null}
      {moreProblem ? <ProblemNotice problem={moreProblem} /> : null}
      {loadMore ? (
        <Action variant="quiet" onPress={loadMore} busy={busy}>
          {messages.more}
        </Action>
      ) : null}
    </>
  );
}
