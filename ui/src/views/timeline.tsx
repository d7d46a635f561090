import { listTimeline, type TimelineEntry } from '@docfetch/sdk';
import { useState } from 'react';
import { useAct } from '../api/use-act';
import { useLoad } from '../api/use-load';
import { Action } from '../parts/action';
import { Loading } from '../parts/loading';
import { ProblemNotice } from '../parts/notice';
import { useSession } from '../session/session';
import { sayMoment } from '../words/moments';
import { useWords } from '../words/use-words';

const PAGE = 8;
const BAD: readonly TimelineEntry['type'][] = ['DELIVERY_FAILED', 'CONNECTION_OVERDUE'];

function toneOf(entry: TimelineEntry): 'bad' | 'good' | 'plain' {
  if (BAD.includes(entry.type) || entry.fetch_status === 'FAILED' || entry.status_to === 'INVALID_CREDENTIALS')
    return 'bad';
  if (entry.fetch_status === 'SUCCEEDED' || entry.type === 'CONNECTION_RECOVERED' || entry.status_to === 'ACTIVE')
    return 'good';
  return 'plain';
}

/** What has happened to a connection, newest first, in the service's own sentences. */
export function Timeline({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client } = useSession();
  const [older, setOlder] = useState<{ entries: readonly TimelineEntry[]; next: string | null } | null>(null);
  const page = async (cursor?: string) => listTimeline({ client, path: { uuid }, query: { limit: PAGE, cursor } });
  const { data, problem, reload } = useLoad(async () => {
    setOlder(null);
    return page();
  }, `${uuid} ${lang}`);
  const { act, busy, problem: stuck } = useAct();
  const next = older ? older.next : data?.meta.has_more ? data.meta.next_cursor : null;
  const more = async () => {
    const got = await act(() => page(next!));
    if (!got) return;
    const { data: entries, meta } = got.done;
    setOlder({ entries: [...(older?.entries ?? []), ...entries], next: meta.has_more ? meta.next_cursor : null });
  };
  const entries = [...(data?.data ?? []), ...(older?.entries ?? [])];
  return (
    <section className="timeline">
      <h2 className="group-title">{words.connection.timeline}</h2>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {!data && !problem ? <Loading /> : null}
      {data && entries.length === 0 ? <p className="help">{words.connection.timelineEmpty}</p> : null}
      <ol className="events">
        {entries.map((entry) => (
          <li key={`${entry.uuid} ${entry.type} ${entry.at}`} className={toneOf(entry)}>
            <p>{entry.message}</p>
            <time dateTime={entry.at}>{sayMoment(entry.at, lang, words.when)}</time>
          </li>
        ))}
      </ol>
      {stuck ? <ProblemNotice problem={stuck} /> : null}
      {next ? (
        <Action weight="quiet" onPress={() => void more()} busy={busy}>
          {words.connection.older}
        </Action>
      ) : null}
    </section>
  );
}
