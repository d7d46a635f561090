import { createEnvironment, type CreatedEnvironment, type EnvironmentKind } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { ModalDialog } from '../../../../ui/src/components/modal-dialog';
import { SecretDialog } from '../../components/secret-dialog';
import { ChoiceField, LinesField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { linesOf } from '../../form/form-context';
import { hrefOf, navigate } from '../../route';
import { useConsole } from '../../session/console-session';
import { useEnvironmentsMessages } from './messages/use-environments-messages';

const FIELDS = ['client_name', 'name', 'kind', 'fetch_interval_minutes', 'return_origins'];

export function CreateEnvironment() {
  const messages = useEnvironmentsMessages();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedEnvironment | null>(null);
  return (
    <>
      <Action variant="primary" onPress={() => setOpen(true)}>
        {messages.create}
      </Action>
      <ModalDialog title={messages.create} open={isOpen} onClose={() => setOpen(false)}>
        <CreateForm
          onClose={() => setOpen(false)}
          onCreated={(environment) => {
            setOpen(false);
            setCreated(environment);
          }}
        />
      </ModalDialog>
      <SecretDialog
        title={messages.secretsTitle}
        secrets={
          created && [
            { label: messages.apiKey, value: created.api_key },
            { label: messages.signingSecret, value: created.signing_secret, help: messages.signingHelp },
          ]
        }
        onClose={() => navigate(hrefOf('settings', { tab: 'provisioning' }, created!.environment_uuid))}
      >
        <p>{messages.next}</p>
      </SecretDialog>
    </>
  );
}

function CreateForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (environment: CreatedEnvironment) => void;
}) {
  const messages = useEnvironmentsMessages();
  const { client } = useConsole();
  const [clientName, setClientName] = useState('');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<EnvironmentKind>('LIVE');
  const [interval, setInterval] = useState('');
  const [origins, setOrigins] = useState('');
  const mutation = useMutation();
  const submit = async () => {
    const body = {
      ...{ client_name: clientName.trim(), name: name.trim(), kind, return_origins: linesOf(origins) },
      ...(interval && { fetch_interval_minutes: Number(interval) }),
    };
    const created = await mutation.mutate(() => createEnvironment({ client, body }));
    if (created) onCreated(created.data.data);
  };
  return (
    <Form
      fields={FIELDS}
      mutation={mutation}
      submit={messages.create}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <p>{messages.createText}</p>
      <TextField
        {...{ name: 'client_name', label: messages.clientName, help: messages.clientNameHelp, autoFocus: true }}
        value={clientName}
        onChange={setClientName}
      />
      <TextField {...{ name: 'name', label: messages.name, help: messages.nameHelp }} value={name} onChange={setName} />
      <ChoiceField
        {...{ name: 'kind', label: messages.kind, help: messages.kindHelp }}
        value={kind}
        onChange={setKind}
        options={(['LIVE', 'TEST'] as const).map((id) => [id, messages.kindOptions[id]])}
      />
      <LinesField
        {...{ name: 'return_origins', label: messages.returnOrigins, help: messages.returnOriginsHelp, optional: true }}
        value={origins}
        onChange={setOrigins}
      />
      <TextField
        {...{ name: 'fetch_interval_minutes', label: messages.intervalField, help: messages.intervalHelp }}
        {...{ type: 'number', optional: true }}
        value={interval}
        onChange={setInterval}
      />
    </Form>
  );
}
