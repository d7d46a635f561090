import { type Event, resendEvent } from '@docfetch/sdk';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { type FlashMessage, successMessage } from '../../../../ui/src/components/flash-message';
import { Confirm } from '../../components/confirm';
import { useConsole } from '../../session/console-session';
import { useEventMessages } from './messages/use-event-messages';

export function ResendEvent({
  event,
  onClose,
  onResent,
}: {
  readonly event: Event | null;
  readonly onClose: () => void;
  readonly onResent: (message: FlashMessage) => void;
}) {
  const messages = useEventMessages();
  const { client } = useConsole();
  const mutation = useMutation();
  const resend = async () => {
    const path = { event_uuid: event!.event_uuid };
    const result = await mutation.mutate(() => resendEvent({ client, path }));
    if (!result) return;
    const { webhooks } = result.data.data;
    onResent(
      webhooks > 0 ? successMessage(messages.resent(webhooks)) : { text: messages.resentToNone, tone: 'warning' },
    );
  };
  return (
    <Confirm
      title={messages.resendTitle}
      submit={messages.resend}
      open={event !== null}
      onClose={onClose}
      onConfirm={() => void resend()}
      mutation={mutation}
    >
      <p>{messages.resendText}</p>
    </Confirm>
  );
}
