import { type FilteredReason, listTimeline, type TimelineEntry } from '@docfetch/sdk';
import { useState } from 'react';
import { usePages } from '../../api/use-pages';
import { Action } from '../../components/action';
import { Breakable } from '../../components/breakable';
import { Expandable } from '../../components/expandable';
import { Loading } from '../../components/loading';
import { ProblemNotice } from '../../components/notice';
import { useSession } from '../../session/session';
import { formatDateTime } from '../../messages/date-format';
import { useMessages } from '../../messages/use-messages';
import { useDocumentMessages } from '../../messages/documents/use-document-messages';
import { useFilteredMessages } from '../../messages/filtered/use-filtered-messages';
import { ReceivedDocuments } from './received-documents';

const PAGE_SIZE = 8;
const FAILURE_TYPES: readonly TimelineEntry['type'][] = ['DELIVERY_FAILED', 'CONNECTION_OVERDUE'];

function toneOf(entry: TimelineEntry): 'bad' | 'wait' | 'good' | 'plain' {
  if (
    FAILURE_TYPES.includes(entry.type) ||
    entry.fetch_status === 'FAILED' ||
    entry.status_to === 'INVALID_CREDENTIALS'
  )
    return 'bad';
  if (entry.fetch_status === 'PARTIAL') return 'wait';
  if (entry.fetch_status === 'SUCCEEDED' || entry.type === 'CONNECTION_RECOVERED') return 'good';
  return 'plain';
}

/** A fetch that has found nothing. */
const isEmptyFetch = ({ fetch_status: status, documents_new: count, filtered }: TimelineEntry): boolean =>
  status === 'SUCCEEDED' && count === 0 && !filtered?.length;

/** The timeline of a connection, newest entry first; the service provides the texts. */
export function Timeline({
  uuid,
  changes,
  isInbox,
}: {
  uuid: string;
  /** Counts changes of the connection: each loads the entries again, while the known ones stay. */
  changes: number;
  /** Its mails are fetched as they arrive: nobody expects a document of a fetch that has found none. */
  isInbox: boolean;
}) {
  const { messages, lang } = useMessages();
  const { client } = useSession();
  const pages = usePages(
    (cursor) => listTimeline({ client, path: { uuid }, query: { limit: PAGE_SIZE, cursor } }),
    `${uuid} ${lang} ${changes}`,
  );
  const { items, problem, moreProblem, loadMore, busy } = pages;
  const shown = isInbox ? items?.filter((entry) => !isEmptyFetch(entry)) : items;
  return (
    <section className="timeline">
      <h2 className="group-title">{messages.connection.timeline}</h2>
      {problem ? <ProblemNotice problem={problem} retry={pages.reload} /> : null}
      {!items && !problem ? <Loading /> : null}
      {items?.length === 0 ? <p className="help">{messages.connection.timelineEmpty}</p> : null}
      <ol className="events">
        {shown?.map((entry) => (
          <li key={`${entry.uuid} ${entry.type} ${entry.at}`} className={toneOf(entry)}>
            <p>
              <Breakable>{entry.message}</Breakable>
            </p>
            <time dateTime={entry.at}>{formatDateTime(entry.at, lang, messages.when)}</time>
            {entry.fetch_uuid && entry.documents_new ? (
              <FetchDocuments uuid={uuid} fetchUuid={entry.fetch_uuid} count={entry.documents_new} />
            ) : null}
            {entry.filtered && entry.filtered.length > 0 ? <FilteredDocuments reasons={entry.filtered} /> : null}
          </li>
        ))}
      </ol>
      {moreProblem ? <ProblemNotice problem={moreProblem} /> : null}
      {loadMore ? (
        <Action variant="quiet" onPress={loadMore} busy={busy}>
          {messages.connection.older}
        </Action>
      ) : null}
    </section>
  );
}

/** The documents that came with a fetch; loaded when they are opened. */
function FetchDocuments({ uuid, fetchUuid, count }: { uuid: string; fetchUuid: string; count: number }) {
  const messages = useDocumentMessages();
  const [opened, setOpened] = useState(false);
  return (
    <Expandable
      className="fetch-documents"
      title={messages.ofFetch(count)}
      onExpandedChange={(expanded) => expanded && setOpened(true)}
    >
      {opened ? <ReceivedDocuments uuid={uuid} fetchUuid={fetchUuid} /> : null}
    </Expandable>
  );
}

/** What a fetch left out, and why; the service provides the sentences. */
function FilteredDocuments({ reasons }: { reasons: readonly FilteredReason[] }) {
  const messages = useFilteredMessages();
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Expandable className="fetch-documents" title={messages.title(total)}>
      <ul className="help filtered-reasons">
        {reasons.map(({ reason, message }) => (
          <li key={reason}>
            <Breakable>{message}</Breakable>
          </li>
        ))}
      </ul>
    </Expandable>
  );
}
