import { type FilteredReason, listTimeline, type TimelineEntry } from '@docfetch/sdk';
import { useState } from 'react';
import { usePages } from '../../api/use-pages';
import { Action } from '../../components/action';
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

function toneOf(entry: TimelineEntry): 'bad' | 'good' | 'plain' {
  if (
    FAILURE_TYPES.includes(entry.type) ||
    entry.fetch_status === 'FAILED' ||
    entry.status_to === 'INVALID_CREDENTIALS'
  )
    return 'bad';
  if (entry.fetch_status === 'SUCCEEDED' || entry.type === 'CONNECTION_RECOVERED') return 'good';
  return 'plain';
}

/** The timeline of a connection, newest entry first; the service provides the texts. */
export function Timeline({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client } = useSession();
  const pages = usePages(
    (cursor) => listTimeline({ client, path: { uuid }, query: { limit: PAGE_SIZE, cursor } }),
    `${uuid} ${lang}`,
  );
  const { items, problem, moreProblem, loadMore, busy } = pages;
  return (
    <section className="timeline">
      <h2 className="group-title">{messages.connection.timeline}</h2>
      {problem ? <ProblemNotice problem={problem} retry={pages.reload} /> : null}
      {!items && !problem ? <Loading /> : null}
      {items?.length === 0 ? <p className="help">{messages.connection.timelineEmpty}</p> : null}
      <ol className="events">
        {items?.map((entry) => (
          <li key={`${entry.uuid} ${entry.type} ${entry.at}`} className={toneOf(entry)}>
            <p>{entry.message}</p>
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
          <li key={reason}>{message}</li>
        ))}
      </ul>
    </Expandable>
  );
}
