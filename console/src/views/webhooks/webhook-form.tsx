import { createWebhook, updateWebhook, type Webhook, type WebhookEventType, type WebhookSecret } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { ModalDialog } from '../../../../ui/src/components/modal-dialog';
import { ChecksField, SwitchField } from '../../form/check-fields';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useConsole } from '../../session/console-session';
import { useWebhookMessages } from './messages/use-webhook-messages';
import { eventTypesOf } from './webhook-types';

const FIELDS = ['url', 'events', 'enabled'];

interface WebhookFormProps {
  /** Null creates one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onSaved: (saved: WebhookSecret) => void;
}

export function WebhookDialog({ open, ...props }: WebhookFormProps & { readonly open: boolean }) {
  const messages = useWebhookMessages();
  return (
    <ModalDialog
      title={props.webhook ? messages.changeTitle : messages.createTitle}
      open={open}
      onClose={props.onClose}
    >
      <WebhookForm {...props} />
    </ModalDialog>
  );
}

function WebhookForm({ webhook, onClose, onSaved }: WebhookFormProps) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? ['document.available']);
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const mutation = useMutation();
  const submit = async () => {
    const body = { url: url.trim(), events: [...events] };
    const saved = await mutation.mutate(() =>
      webhook
        ? updateWebhook({ client, path: { uuid: webhook.uuid }, body: { ...body, enabled } })
        : createWebhook({ client, body }),
    );
    if (saved) onSaved(saved.data.data);
  };
  return (
    <Form
      fields={FIELDS}
      mutation={mutation}
      submit={webhook ? messages.save : messages.create}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <TextField
        {...{ name: 'url', label: messages.url, help: messages.urlHelp, type: 'url', autoFocus: true }}
        value={url}
        onChange={setUrl}
      />
      <ChecksField
        {...{ name: 'events', label: messages.events, help: messages.eventsHelp }}
        value={events}
        onChange={setEvents}
        options={eventTypesOf(webhook).map((type) => [type, type, messages.eventHelp[type]])}
      />
      {webhook ? (
        <SwitchField
          {...{ name: 'enabled', label: messages.enabled, help: messages.enabledHelp }}
          value={enabled}
          onChange={setEnabled}
        />
      ) : null}
    </Form>
  );
}
