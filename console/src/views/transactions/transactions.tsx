import { searchTransactions } from '@docfetch/sdk';
import { useState } from 'react';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Page } from '../../components/page';
import type { Filter } from '../../list/filters';
import { List } from '../../list/list';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import type { TransactionMessages } from './messages/en';
import { useTransactionMessages } from './messages/use-transaction-messages';
import { periodOf } from './period';
import { canRedeliverAll, RedeliverMatching } from './redeliver-matching';
import { RedeliverSelected } from './redeliver-selected';
import { Redeliveries } from './redeliveries';
import { transactionColumns } from './transaction-columns';
import { DELIVERY_STATUSES, DOCUMENT_TYPES } from './transaction-states';

/** All documents of the environment and their delivery. */
export function Transactions(_: ViewProps) {
  const messages = useTransactionMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [requested, setRequested] = useState(0);
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <Redeliveries version={requested} />
      <List
        name="transactions"
        caption={messages.title}
        filters={filtersOf(messages)}
        empty={messages.empty}
        keyOf={({ transaction_uuid }) => transaction_uuid}
        load={(values, cursor) => searchTransactions({ client, query: { ...periodOf(values), cursor, limit: 50 } })}
        columns={transactionColumns(messages, lang)}
        selection={{ selected, onChange: setSelected, nameOf: ({ document }) => document.filename }}
      >
        {(list, filters) => (
          <div className="actions list-actions">
            {selected.size > 0 ? (
              <RedeliverSelected
                selected={selected}
                onDone={() => {
                  setSelected(new Set());
                  list.refresh();
                }}
              />
            ) : null}
            {canRedeliverAll(filters) ? (
              <RedeliverMatching filters={filters} onRequested={() => setRequested(requested + 1)} />
            ) : null}
          </div>
        )}
      </List>
    </Page>
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
