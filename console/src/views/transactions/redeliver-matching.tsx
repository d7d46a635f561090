import { previewRedelivery, type ProvisioningStatus, type Redelivery, requestRedelivery } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Confirm } from '../../components/confirm';
import { formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import { useTransactionMessages } from './messages/use-transaction-messages';
import { periodOf } from './period';

type Filters = Readonly<Record<string, string>>;

/** Whether the filters are those of a redelivery: it has a status and knows no search. */
export const canRedeliverAll = ({ status, q }: Filters): boolean => status !== undefined && q === undefined;

/** Redelivers all documents that match the filters, after it has counted them. The service does it: nobody has to wait. */
export function RedeliverMatching({
  filters,
  onRequested,
}: {
  readonly filters: Filters;
  readonly onRequested: () => void;
}) {
  const { redeliver } = useTransactionMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [preview, setPreview] = useState<Redelivery | null>(null);
  const counting = useMutation();
  const mutation = useMutation();
  const { status, from, to, ...others } = periodOf(filters);
  const body = { ...others, status: status as ProvisioningStatus, created_from: from, created_to: to };
  const number = (count: number) => formatNumber(count, lang);

  const count = async () => {
    const counted = await counting.mutate(async () => (await previewRedelivery({ client, body })).data);
    if (counted) setPreview(counted.data);
  };
  const submit = async () => {
    if (!(await mutation.mutate(() => requestRedelivery({ client, body })))) return;
    setPreview(null);
    onRequested();
  };
  return (
    <>
      <Action busy={counting.busy} onPress={() => void count()}>
        {redeliver.all}
      </Action>
      {counting.problem ? (
        <span role="alert" className="field-error">
          {counting.problem.detail}
        </span>
      ) : null}
      <Confirm
        title={redeliver.title}
        submit={redeliver.submit}
        open={preview !== null}
        onClose={() => setPreview(null)}
        onConfirm={() => void submit()}
        mutation={mutation}
      >
        {preview ? (
          <>
            <p>{preview.count === 1 ? redeliver.one : redeliver.count(number(preview.count))}</p>
            {preview.skipped > 0 ? <p>{redeliver.left(number(preview.skipped))}</p> : null}
            <p className="help">{redeliver.note}</p>
            <p className="help">{redeliver.leave}</p>
          </>
        ) : null}
      </Confirm>
    </>
  );
}
