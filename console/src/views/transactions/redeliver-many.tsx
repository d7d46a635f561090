import { type ConsoleRedeliveryRequest, previewRedelivery, type Redelivery, requestRedelivery } from '@docfetch/sdk';
import { useState } from 'react';
import { fieldMessagesOf } from '../../../../ui/src/api/problem';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action, type Variant } from '../../../../ui/src/components/action';
import { type FlashMessage, successMessage } from '../../../../ui/src/components/flash-message';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Confirm } from '../../components/confirm';
import { formatNumber } from '../../messages/dates';
import { useConsole, useStrategy } from '../../session/console-session';
import { useTransactionMessages } from './messages/use-transaction-messages';

/** Counts the documents of a request, and redelivers them in the background of the service after a confirmation. */
export function RedeliverMany({
  request,
  variant,
  children,
  onRequested,
}: {
  readonly request: ConsoleRedeliveryRequest;
  readonly variant?: Variant;
  readonly children: string;
  readonly onRequested: (message: FlashMessage) => void;
}) {
  const { redeliver } = useTransactionMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [preview, setPreview] = useState<Redelivery | null>(null);
  const counting = useMutation();
  const mutation = useMutation();

  const count = async () => {
    setPreview(null);
    mutation.clear();
    setOpen(true);
    const counted = await counting.mutate(async () => (await previewRedelivery({ client, body: request })).data);
    if (counted) setPreview(counted.data);
  };
  const submit = async () => {
    const requested = await mutation.mutate(async () => (await requestRedelivery({ client, body: request })).data);
    if (!requested) return;
    setOpen(false);
    const { count: found } = requested.data;
    onRequested(
      found > 0
        ? successMessage(redeliver.requested(found, formatNumber(found, lang)))
        : { text: redeliver.nothing, tone: 'warning' },
    );
  };
  return (
    <>
      <Action variant={variant} onPress={() => void count()}>
        {children}
      </Action>
      <Confirm
        title={redeliver.title}
        submit={redeliver.submit}
        open={isOpen}
        ready={preview !== null && preview.count > 0}
        onClose={() => setOpen(false)}
        onConfirm={() => void submit()}
        mutation={mutation}
      >
        {counting.problem ? (
          <ProblemNotice
            problem={counting.problem}
            more={fieldMessagesOf(counting.problem)}
            retry={() => void count()}
          />
        ) : null}
        {counting.busy ? <Loading /> : null}
        {preview ? <Preview {...preview} /> : null}
      </Confirm>
    </>
  );
}

function Preview({ count, skipped }: Pick<Redelivery, 'count' | 'skipped'>) {
  const { redeliver } = useTransactionMessages();
  const { lang } = useMessages();
  const strategy = useStrategy();
  if (count === 0) return <p role="status">{redeliver.nothing}</p>;
  return (
    <>
      <p role="status">{redeliver.count[strategy](count, formatNumber(count, lang))}</p>
      {skipped > 0 ? <p>{redeliver.skipped(formatNumber(skipped, lang))}</p> : null}
      <p className="help">{redeliver.note[strategy](count)}</p>
      <p className="help">{redeliver.background}</p>
    </>
  );
}
