import { listTimeline, type TimelineEntry } from '@docfetch/sdk';
import { ConsoleLink } from '../../../components/console-link';
import { Moment } from '../../../components/moment';
import { List } from '../../../list/list';
import type { Column } from '../../../list/table';
import { hrefOf } from '../../../route';
import { useConsole } from '../../../session/console-session';
import { type ConnectionViewMessages } from '../messages/en';
import { useConnectionViewMessages } from '../messages/use-connection-view-messages';

export function Timeline({ uuid }: { readonly uuid: string }) {
  const messages = useConnectionViewMessages();
  const { client } = useConsole();
  return (
    <List
      name={`timeline ${uuid}`}
      caption={messages.timeline}
      empty={messages.timelineEmpty}
      keyOf={(entry) => `${entry.uuid} ${entry.type} ${entry.at}`}
      load={(_, cursor) => listTimeline({ client, path: { uuid }, query: { limit: 30, cursor } })}
      columns={columnsOf(messages)}
    />
  );
}

/** Reasons and errors remain codes: the message explains them. */
function causeOf(cause: string | null, { causes, triggers }: ConnectionViewMessages): React.ReactNode {
  if (!cause) return null;
  const names: Readonly<Record<string, string>> = { ...triggers, ...causes };
  return names[cause] ?? <code>{cause}</code>;
}

const columnsOf = (messages: ConnectionViewMessages): Column<TimelineEntry>[] => [
  {
    ...{ id: 'event', label: messages.event, isName: true },
    cell: ({ message, filtered, transaction_uuid, filename }) => (
      <>
        <span>{message}</span>
        {transaction_uuid ? (
          <span className="second">
            <ConsoleLink href={hrefOf(`transactions/${transaction_uuid}`)}>{filename ?? transaction_uuid}</ConsoleLink>
          </span>
        ) : null}
        {filtered?.map((reason) => (
          <span key={reason.reason} className="second">
            {reason.message}
          </span>
        ))}
      </>
    ),
  },
  { id: 'cause', label: messages.cause, keepsWords: true, cell: ({ cause }) => causeOf(cause, messages) },
  { id: 'at', label: messages.at, cell: ({ at }) => <Moment at={at} /> },
];
