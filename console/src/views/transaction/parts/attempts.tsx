import { type ConsoleAttempt, inspectAttempts, type Transaction } from '@docfetch/sdk';
import { Expandable } from '../../../../../ui/src/components/expandable';
import type { Lang } from '../../../../../ui/src/messages/date-format';
import { useMessages } from '../../../../../ui/src/messages/use-messages';
import { Badge } from '../../../components/badge';
import { Moment } from '../../../components/moment';
import { Section } from '../../../components/page';
import { List } from '../../../list/list';
import type { Column } from '../../../list/table';
import { formatMs } from '../../../messages/durations';
import { useConsole } from '../../../session/console-session';
import type { TransactionViewMessages } from '../messages/en';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

/** The attempts to push a document, with their requests and responses. */
export function Attempts({ transaction }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const { transaction_uuid, provisioning } = transaction;
  return (
    <Section title={messages.attempts}>
      <List
        name={`attempts ${transaction_uuid}`}
        caption={messages.attempts}
        empty={messages.attemptsEmpty[provisioning.strategy]}
        keyOf={({ number }) => String(number)}
        load={(_, cursor) => inspectAttempts({ client, path: { transaction_uuid }, query: { limit: 20, cursor } })}
        columns={columnsOf(messages, lang)}
      />
    </Section>
  );
}

const columnsOf = (messages: TransactionViewMessages, lang: Lang): Column<ConsoleAttempt>[] => [
  { id: 'at', label: messages.at, isName: true, cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    ...{ id: 'answer', label: messages.answer },
    cell: ({ number, status, error, response_excerpt, request }) => (
      <>
        <Badge tone={error ? 'bad' : 'good'}>{status === null ? messages.noAnswer : `HTTP ${status}`}</Badge>
        {error ? <span className="second">{error.message}</span> : null}
        {response_excerpt ? <pre className="excerpt">{response_excerpt}</pre> : null}
        {request ? <Request number={number} request={request} messages={messages} /> : null}
      </>
    ),
  },
  { id: 'duration', label: messages.duration, align: 'end', cell: ({ duration_ms }) => formatMs(duration_ms, lang) },
];

/** The request of an attempt. The service has masked credentials, signatures and the content. */
function Request({
  number,
  request: { method, url, headers, body },
  messages,
}: {
  readonly number: number;
  readonly request: NonNullable<ConsoleAttempt['request']>;
  readonly messages: TransactionViewMessages;
}) {
  return (
    <Expandable title={messages.showRequest(number)}>
      <p className="help">{messages.masked}</p>
      <pre className="excerpt" tabIndex={0} aria-label={messages.showRequest(number)} role="region">
        {`${method} ${url ?? ''}\n`}
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${String(value)}\n`)
          .join('')}
        {`\n${JSON.stringify(body, null, 2)}`}
      </pre>
    </Expandable>
  );
}
