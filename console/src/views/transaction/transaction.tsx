import { getTransaction } from '@docfetch/sdk';
import { useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { Badge } from '../../components/badge';
import { Page } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { useTransactionMessages } from '../transactions/messages/use-transaction-messages';
import { Remarks } from '../transactions/transaction-columns';
import { DELIVERY_TONES } from '../transactions/transaction-states';
import type { ViewProps } from '../views';
import { useTransactionViewMessages } from './messages/use-transaction-view-messages';
import { Attempts } from './parts/attempts';
import { DocumentContent } from './parts/document-content';
import { Metadata } from './parts/metadata';
import { Redeliver } from './parts/redeliver';
import { DeliveryDetails, TransactionDetails } from './parts/transaction-details';
import { ValidationReport } from './parts/validation-report';

/** One document with its metadata and its delivery. */
export function TransactionView({ params: { uuid } }: ViewProps) {
  const messages = useTransactionViewMessages();
  const list = useTransactionMessages();
  const { client } = useConsole();
  const [message, setMessage] = useFlash();
  const path = { transaction_uuid: uuid! };
  const {
    data: transaction,
    problem,
    reload,
  } = useLiveData(async () => (await getTransaction({ client, path })).data, uuid!);
  const back = { href: hrefOf('transactions'), text: messages.back };
  if (!transaction) {
    return (
      <Page title={messages.title} back={back}>
        {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : <Loading />}
      </Page>
    );
  }
  const { status } = transaction.provisioning;
  return (
    <Page
      key="loaded"
      title={transaction.document.filename}
      back={back}
      badge={
        <>
          <Badge tone={DELIVERY_TONES[status]}>{list.statuses[status]}</Badge>
          <Remarks transaction={transaction} messages={list} />
        </>
      }
      actions={
        <Redeliver
          uuid={uuid!}
          onDone={(done) => {
            setMessage(done);
            void reload();
          }}
        />
      }
    >
      <LiveRegion message={message} />
      <div className="side-by-side">
        <TransactionDetails transaction={transaction} />
        <div className="stack">
          <DeliveryDetails transaction={transaction} />
          <DocumentContent transaction={transaction} />
        </div>
      </div>
      <Attempts transaction={transaction} />
      {transaction.metadata.e_invoice ? <ValidationReport uuid={uuid!} /> : null}
      <Metadata transaction={transaction} />
    </Page>
  );
}
