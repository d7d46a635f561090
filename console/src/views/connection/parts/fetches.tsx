import { type Fetch, listFetches } from '@docfetch/sdk';
import type { Lang } from '../../../../../ui/src/messages/date-format';
import { useMessages } from '../../../../../ui/src/messages/use-messages';
import { Badge, type BadgeTone } from '../../../components/badge';
import { Copyable } from '../../../components/copyable';
import { Moment } from '../../../components/moment';
import { List } from '../../../list/list';
import type { Column } from '../../../list/table';
import { formatNumber } from '../../../messages/dates';
import { formatSeconds } from '../../../messages/durations';
import { useConsole } from '../../../session/console-session';
import { type ConnectionViewMessages } from '../messages/en';
import { useConnectionViewMessages } from '../messages/use-connection-view-messages';

const TONES: Readonly<Record<Fetch['status'], BadgeTone>> = {
  QUEUED: 'wait',
  RUNNING: 'wait',
  SUCCEEDED: 'good',
  PARTIAL: 'wait',
  FAILED: 'bad',
  CANCELLED: 'off',
};
const COUNTS = ['seen', 'new', 'duplicate', 'filtered', 'failed'] as const;

export function Fetches({ uuid }: { readonly uuid: string }) {
  const messages = useConnectionViewMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  return (
    <List
      name={`fetches ${uuid}`}
      caption={messages.fetches}
      empty={messages.fetchesEmpty}
      keyOf={(fetch) => fetch.uuid}
      load={(_, cursor) => listFetches({ client, path: { uuid }, query: { limit: 30, cursor } })}
      columns={columnsOf(messages, lang)}
    />
  );
}

const columnsOf = (messages: ConnectionViewMessages, lang: Lang): Column<Fetch>[] => [
  {
    ...{ id: 'at', label: messages.fetch, isName: true },
    cell: ({ started_at, created_at }) => <Moment at={started_at ?? created_at} />,
  },
  { id: 'trigger', label: messages.trigger, keepsWords: true, cell: ({ trigger }) => messages.triggers[trigger] },
  {
    ...{ id: 'status', label: messages.status },
    cell: ({ status, error }) => (
      <>
        <Badge tone={TONES[status]}>{messages.fetchStatuses[status]}</Badge>
        {error ? <span className="second">{error.message}</span> : null}
      </>
    ),
  },
  {
    ...{ id: 'counts', label: messages.counts },
    cell: ({ counts, filtered_by }) => (
      <>
        <span>
          {COUNTS.filter((name) => name === 'seen' || name === 'new' || counts[name] > 0)
            .map((name) => `${formatNumber(counts[name], lang)} ${messages.count[name]}`)
            .join(', ')}
        </span>
        {counts.filtered > 0 ? <span className="second">{describeFiltered(filtered_by, messages, lang)}</span> : null}
      </>
    ),
  },
  {
    ...{ id: 'duration', label: messages.duration },
    cell: ({ started_at, finished_at }) =>
      started_at && finished_at ? formatSeconds(Date.parse(finished_at) - Date.parse(started_at), lang) : null,
  },
  { id: 'uuid', label: 'UUID', cell: ({ uuid }) => <Copyable text={uuid} label="UUID" short /> },
];

/** `3 file type, 1 pattern`, the most frequent reason first. */
const describeFiltered = (reasons: Fetch['filtered_by'], { filtered }: ConnectionViewMessages, lang: Lang): string =>
  Object.entries(reasons as Readonly<Record<string, number | undefined>>)
    .filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${formatNumber(count, lang)} × ${filtered[reason] ?? reason}`)
    .join(', ');
