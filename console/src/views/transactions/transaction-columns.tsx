import type { Transaction } from '@docfetch/sdk';
import { formatAmount, formatDay, type Lang } from '../../../../ui/src/messages/date-format';
import { Breakable } from '../../../../ui/src/components/breakable';
import { Facts } from '../../../../ui/src/components/list/facts';
import { Badge } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import type { Column } from '../../list/table';
import { hrefOf } from '../../route';
import type { TransactionMessages } from './messages/use-transaction-messages';
import { DELIVERY_TONES } from './transaction-states';

/** The columns of every list of transactions. */
export const transactionColumns = (messages: TransactionMessages, lang: Lang): Column<Transaction>[] => [
  {
    ...{ id: 'document', label: messages.document, isName: true },
    cell: ({ transaction_uuid, document, metadata, document_type }) => (
      <>
        <ConsoleLink href={hrefOf(`transactions/${transaction_uuid}`)}>
          <Breakable>{document.filename}</Breakable>
        </ConsoleLink>
        <span className="second">
          <Facts facts={[messages.documentTypes[document_type], metadata.supplier?.name, metadata.number]} />
        </span>
      </>
    ),
  },
  {
    ...{ id: 'amount', label: messages.amount },
    cell: ({ metadata }) => (
      <span className="pair">
        {metadata.amount ? <span>{formatAmount(metadata.amount, metadata.currency ?? null, lang)}</span> : null}
        {metadata.date ? <span className="second">{formatDay(metadata.date, lang)}</span> : null}
      </span>
    ),
  },
  {
    ...{ id: 'status', label: messages.status },
    cell: (transaction) => (
      <>
        <Badge tone={DELIVERY_TONES[transaction.provisioning.status]}>
          {messages.statuses[transaction.provisioning.status]}
        </Badge>
        {transaction.provisioning.last_error ? (
          <span className="second">{transaction.provisioning.last_error.message}</span>
        ) : null}
        <Remarks transaction={transaction} messages={messages} />
      </>
    ),
  },
  { id: 'created', label: messages.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    ...{ id: 'uuid', label: messages.uuid, isMinor: true },
    cell: ({ transaction_uuid }) => <Copyable text={transaction_uuid} label={messages.uuid} short />,
  },
];

/** Properties of a document that deserve attention, as tags. */
export function Remarks({ transaction, messages }: { transaction: Transaction; messages: TransactionMessages }) {
  const { metadata, renditions } = transaction;
  const { e_invoice: invoice } = metadata;
  const remarks = [
    metadata.damaged && messages.damaged,
    metadata.encrypted && messages.encrypted,
    metadata.same_as && metadata.same_as.length > 0 && messages.duplicate,
    renditions.length > 0 && messages.renditions(renditions.length),
    invoice?.valid === true && messages.valid,
    invoice?.valid === false && messages.invalid(invoice.errors ?? 1),
  ].filter((text): text is string => Boolean(text));
  if (remarks.length === 0) return null;
  return (
    <span className="remarks">
      {remarks.map((text) => (
        <span key={text} className="tag">
          {text}
        </span>
      ))}
    </span>
  );
}
