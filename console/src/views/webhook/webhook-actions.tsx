import { deleteWebhook, testWebhook, updateWebhook, type Webhook } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { Breakable } from '../../../../ui/src/components/breakable';
import { flash, type FlashMessage, successMessage } from '../../../../ui/src/components/flash-message';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Confirm } from '../../components/confirm';
import { SecretDialog } from '../../components/secret-dialog';
import { formatMs } from '../../messages/durations';
import { hrefOf, navigate } from '../../route';
import { useConsole } from '../../session/console-session';
import { useWebhookMessages } from '../webhooks/messages/use-webhook-messages';
import { WebhookDialog } from '../webhooks/webhook-form';

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onDone: (message: FlashMessage) => void;
}

export function WebhookActions({ webhook, onDone }: WebhookActionsProps) {
  const messages = useWebhookMessages();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <TestEvent webhook={webhook} onDone={onDone} />
      <Action onPress={() => setChanging(true)}>{messages.change}</Action>
      <NewSecret webhook={webhook} onDone={onDone} />
      <RemoveWebhook webhook={webhook} />
      <WebhookDialog
        open={isChanging}
        webhook={webhook}
        onClose={() => setChanging(false)}
        onSaved={() => {
          setChanging(false);
          onDone(successMessage(messages.saved));
        }}
      />
    </>
  );
}

function TestEvent({ webhook: { uuid }, onDone }: WebhookActionsProps) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const { lang } = useMessages();
  const { mutate, busy, problem } = useMutation();
  const test = async () => {
    const result = await mutate(() => testWebhook({ client, path: { uuid } }));
    if (!result) return;
    const { delivered, status, duration_ms: duration, error } = result.data.data;
    if (delivered) return onDone(successMessage(messages.testSent(status!, formatMs(duration, lang))));
    onDone({ text: messages.testFailed(error!.message, status), tone: 'warning' });
  };
  return (
    <>
      <Action onPress={() => void test()} busy={busy}>
        {messages.test}
      </Action>
      {problem ? <ProblemNotice problem={problem} /> : null}
    </>
  );
}

function NewSecret({ webhook: { uuid }, onDone }: WebhookActionsProps) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const mutation = useMutation();
  const rotate = async () => {
    const result = await mutation.mutate(() =>
      updateWebhook({ client, path: { uuid }, body: { rotate_secret: true } }),
    );
    if (!result) return;
    setOpen(false);
    setSecret(result.data.data.secret);
  };
  return (
    <>
      <Action onPress={() => setOpen(true)}>{messages.rotate}</Action>
      <Confirm
        title={messages.rotateTitle}
        submit={messages.rotate}
        open={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => void rotate()}
        mutation={mutation}
      >
        <p>{messages.rotateText}</p>
      </Confirm>
      <SecretDialog
        title={messages.secretTitle}
        secrets={secret === null ? null : [{ label: messages.secret, value: secret, help: messages.secretHelp }]}
        onClose={() => {
          setSecret(null);
          onDone(successMessage(messages.saved));
        }}
      />
    </>
  );
}

function RemoveWebhook({ webhook: { uuid, url } }: { readonly webhook: Webhook }) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const mutation = useMutation();
  const remove = async () => {
    if (!(await mutation.mutate(() => deleteWebhook({ client, path: { uuid } })))) return;
    flash(successMessage(messages.removed));
    navigate(hrefOf('webhooks'), 'replace');
  };
  return (
    <>
      <Action variant="danger" onPress={() => setOpen(true)}>
        {messages.remove}
      </Action>
      <Confirm
        title={messages.removeTitle}
        submit={messages.remove}
        danger
        open={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => void remove()}
        mutation={mutation}
      >
        <p>
          <Breakable>{messages.removeText(url)}</Breakable>
        </p>
      </Confirm>
    </>
  );
}
