import { searchTransactions } from '@docfetch/sdk';
import { useMessages } from '../../../../../ui/src/messages/use-messages';
import { List } from '../../../list/list';
import { useConsole } from '../../../session/console-session';
import { useTransactionMessages } from '../../transactions/messages/use-transaction-messages';
import { transactionColumns } from '../../transactions/transaction-columns';
import { useConnectionViewMessages } from '../messages/use-connection-view-messages';

/** The documents of a connection, newest first. */
export function ConnectionDocuments({ uuid }: { readonly uuid: string }) {
  const messages = useConnectionViewMessages();
  const transactions = useTransactionMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  return (
    <List
      name={`documents ${uuid}`}
      caption={messages.tabs.documents}
      empty={messages.documentsEmpty}
      keyOf={({ transaction_uuid }) => transaction_uuid}
      load={(_, cursor) => searchTransactions({ client, query: { connection_uuid: uuid, limit: 30, cursor } })}
      columns={transactionColumns(transactions, lang)}
    />
  );
}
