import { listTimeline, type TimelineEntry } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../api/use-mutation';
import { useQuery } from '../api/use-query';
import { Action } from '../components/action';
import { Loading } from '../components/loading';
import { ProblemNotice } from '../components/notice';
import { useSession } from '../session/session';
import { formatDateTime } from '../messages/date-format';
import { useMessages } from '../messages/use-messages';

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
  const [older, setOlder] = useState<{ entries: readonly TimelineEntry[]; next: string | null } | null>(null);
  const page = async (cursor?: string) => listTimeline({ client, path: { uuid }, query: { limit: PAGE_SIZE, cursor } });
  const { data, problem, reload } = useQuery(async () => {
    setOlder(null);
    return page();
  }, `${uuid} ${lang}`);
  const { mutate, busy, problem: moreProblem } = useMutation();
  const next = older ? older.next : data?.meta.has_more ? data.meta.next_cursor : null;
  const more = async () => {
    const loaded = await mutate(() => page(next!));
    if (!loaded) return;
    const { data: entries, meta } = loaded.data;
    setOlder({ entries: [...(older?.entries ?? []), ...entries], next: meta.has_more ? meta.next_cursor : null });
  };
  const entries = [...(data?.data ?? []), ...(older?.entries ?? [])];
  return (
    <section className="timeline">
      <h2 className="group-title">{messages.connection.timeline}</h2>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {!data && !problem ? <Loading /> : null}
      {data && entries.length === 0 ? <p className="help">{messages.connection.timelineEmpty}</p> : null}
      <ol className="events">
        {entries.map((entry) => (
          <li key={`${entry.uuid} ${entry.type} ${entry.at}`} className={toneOf(entry)}>
            <p>{entry.message}</p>
            <time dateTime={entry.at}>{formatDateTime(entry.at, lang, messages.when)}</time>
          </li>
        ))}
      </ol>
      {moreProblem ? <ProblemNotice problem={moreProblem} /> : null}
      {next ? (
        <Action variant="quiet" onPress={() => void more()} busy={busy}>
          {messages.connection.older}
        </Action>
      ) : null}
    </section>
  );
}
