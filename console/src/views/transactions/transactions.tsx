import { searchTransactions } from '@docfetch/sdk';
import { useState } from 'react';
import { type FlashMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { LIMITS } from '../../api/limits';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import { periodOf } from '../../list/period';
import { formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { type TransactionMessages, useTransactionMessages } from './messages/use-transaction-messages';
import { RedeliverMany } from './redeliver-many';
import { redeliveryRequestOf } from './redelivery-request';
import { Redeliveries } from './redeliveries';
import { transactionColumns } from './transaction-columns';
import { DELIVERY_STATUSES, DOCUMENT_TYPES } from './transaction-states';

const NOTHING: ReadonlySet<string> = new Set();
const MAX_SELECTED = LIMITS.redeliveredDocuments.max;

/** All documents of the environment and their delivery. */
export function Transactions(_: ViewProps) {
  const messages = useTransactionMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [message, setMessage] = useFlash();
  const [selected, setSelected] = useState(NOTHING);
  const [requests, setRequests] = useState(0);
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <LiveRegion message={message} />
      <Redeliveries requests={requests} />
      <List
        name="transactions"
        caption={messages.title}
        filters={filtersOf(messages)}
        empty={messages.empty}
        keyOf={({ transaction_uuid }) => transaction_uuid}
        load={(values, cursor) => searchTransactions({ client, query: { ...periodOf(values), cursor, limit: 50 } })}
        columns={transactionColumns(messages, lang)}
        selection={{ selected, onChange: setSelected, nameOf: ({ document }) => document.filename, max: MAX_SELECTED }}
      >
        {(list, filters) => (
          <RedeliverActions
            {...{ selected, filters }}
            onRequested={(done) => {
              setMessage(done);
              setSelected(NOTHING);
              setRequests(requests + 1);
              list.refresh();
            }}
          />
        )}
      </List>
    </Page>
  );
}

function RedeliverActions({
  selected,
  filters,
  onRequested,
}: {
  readonly selected: ReadonlySet<string>;
  readonly filters: Readonly<Record<string, string>>;
  readonly onRequested: (message: FlashMessage) => void;
}) {
  const { redeliver } = useTransactionMessages();
  const { lang } = useMessages();
  const matching = redeliveryRequestOf(filters);
  return (
    <div className="actions list-actions">
      {selected.size > 0 ? (
        <RedeliverMany variant="primary" request={{ transaction_uuids: [...selected] }} onRequested={onRequested}>
          {redeliver.selected(selected.size)}
        </RedeliverMany>
      ) : null}
      {matching ? (
        <RedeliverMany request={matching} onRequested={onRequested}>
          {redeliver.all}
        </RedeliverMany>
      ) : null}
      {selected.size >= MAX_SELECTED ? (
        <p role="status" className="help">
          {redeliver.maxSelected(formatNumber(MAX_SELECTED, lang))}
        </p>
      ) : null}
    </div>
  );
}

const filtersOf = (messages: TransactionMessages): Filter[] => [
  { name: 'q', kind: 'search', label: messages.search },
  {
    ...{ name: 'status', kind: 'choice', label: messages.status },
    options: DELIVERY_STATUSES.map((id) => [id, messages.statuses[id]]),
  },
  {
    ...{ name: 'document_type', kind: 'choice', label: messages.type },
    options: DOCUMENT_TYPES.map((id) => [id, messages.documentTypes[id]]),
  },
  { name: 'from', kind: 'date', label: messages.from },
  { name: 'to', kind: 'date', label: messages.to },
  { name: 'connection_uuid', kind: 'uuid', label: messages.connection },
  { name: 'identity_uuid', kind: 'uuid', label: messages.identity },
];
