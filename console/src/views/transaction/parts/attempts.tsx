import { type Attempt, listAttempts } from '@docfetch/sdk';
import { Badge } from '../../../components/badge';
import { Moment } from '../../../components/moment';
import { Section } from '../../../components/page';
import { List } from '../../../list/list';
import type { Column } from '../../../list/table';
import { useConsole } from '../../../session/console-session';
import type { TransactionViewMessages } from '../messages/en';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

/** What was sent, and what the endpoint answered. */
export function Attempts({ uuid }: { readonly uuid: string }) {
  const messages = useTransactionViewMessages();
  const { client } = useConsole();
  return (
    <Section title={messages.attempts}>
      <List
        name={`attempts ${uuid}`}
        caption={messages.attempts}
        empty={messages.attemptsEmpty}
        keyOf={({ number }) => String(number)}
        load={(_, cursor) => listAttempts({ client, path: { transaction_uuid: uuid }, query: { limit: 20, cursor } })}
        columns={columnsOf(messages)}
      />
    </Section>
  );
}

const columnsOf = (messages: TransactionViewMessages): Column<Attempt>[] => [
  { id: 'at', label: messages.at, isName: true, cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    ...{ id: 'answer', label: messages.answer },
    cell: ({ status, error, response_excerpt }) => (
      <>
        <Badge tone={error ? 'bad' : 'good'}>{status === null ? messages.noAnswer : `HTTP ${status}`}</Badge>
        {error ? <span className="second">{error.message}</span> : null}
        {response_excerpt ? <pre className="excerpt">{response_excerpt}</pre> : null}
      </>
    ),
  },
  { id: 'duration', label: messages.duration, align: 'end', cell: ({ duration_ms }) => messages.ms(duration_ms) },
];
