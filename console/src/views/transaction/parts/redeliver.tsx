import { redeliverTransaction } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Action } from '../../../../../ui/src/components/action';
import { type FlashMessage, successMessage } from '../../../../../ui/src/components/flash-message';
import { Confirm } from '../../../components/confirm';
import { useConsole, useStrategy } from '../../../session/console-session';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

export function Redeliver({
  uuid,
  onDone,
}: {
  readonly uuid: string;
  readonly onDone: (message: FlashMessage) => void;
}) {
  const messages = useTransactionViewMessages();
  const { client } = useConsole();
  const strategy = useStrategy();
  const [open, setOpen] = useState(false);
  const mutation = useMutation();
  const submit = async () => {
    const path = { transaction_uuid: uuid };
    if (!(await mutation.mutate(() => redeliverTransaction({ client, path })))) return;
    setOpen(false);
    onDone(successMessage(messages.redelivered[strategy]));
  };
  return (
    <>
      <Action onPress={() => setOpen(true)}>{messages.redeliver}</Action>
      <Confirm
        title={messages.redeliverTitle}
        submit={messages.redeliver}
        open={open}
        onClose={() => setOpen(false)}
        onConfirm={() => void submit()}
        mutation={mutation}
      >
        <p>{messages.redeliverText[strategy]}</p>
      </Confirm>
    </>
  );
}
