import { type RotatedSigningSecret, rotateSigningSecret } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Action } from '../../../../../ui/src/components/action';
import { ModalDialog } from '../../../../../ui/src/components/modal-dialog';
import { LIMITS } from '../../../api/limits';
import { Moment } from '../../../components/moment';
import { Section } from '../../../components/page';
import { SecretDialog } from '../../../components/secret-dialog';
import { TextField } from '../../../form/fields';
import { Form } from '../../../form/form';
import { useConsole } from '../../../session/console-session';
import { ChangedElsewhere, withoutConflict } from '../changed-elsewhere';
import type { PartProps } from '../environment-view';
import { useEnvironmentViewMessages } from '../messages/use-environment-view-messages';

const FIELDS = ['grace_hours'];

/** Replaces the secret that signs messages and return addresses. */
export function SigningSecret({ environment, onSaved, onReload }: PartProps) {
  const messages = useEnvironmentViewMessages();
  const [isOpen, setOpen] = useState(false);
  const [rotated, setRotated] = useState<RotatedSigningSecret | null>(null);
  return (
    <Section title={messages.tabs.signing}>
      <p className="view-lead">{messages.signingText}</p>
      <p>
        {environment.previous_signing_secret_valid_until === null ? (
          messages.noTransition
        ) : (
          <>
            {messages.until} <Moment at={environment.previous_signing_secret_valid_until} until />
          </>
        )}
      </p>
      <p className="actions">
        <Action onPress={() => setOpen(true)}>{messages.rotate}</Action>
      </p>
      <ModalDialog title={messages.rotateTitle} open={isOpen} onClose={() => setOpen(false)}>
        <RotateForm
          environment={environment}
          onClose={() => setOpen(false)}
          onReload={() => {
            setOpen(false);
            onReload();
          }}
          onRotated={(secret) => {
            setOpen(false);
            setRotated(secret);
          }}
        />
      </ModalDialog>
      <SecretDialog
        title={messages.newSecret}
        secrets={rotated && [{ label: messages.secretLabel, value: rotated.signing_secret }]}
        onClose={() => {
          setRotated(null);
          onSaved();
        }}
      >
        <p>
          {messages.until} <Moment at={rotated?.former_retires_at} until />
        </p>
      </SecretDialog>
    </Section>
  );
}

function RotateForm({
  environment,
  onClose,
  onReload,
  onRotated,
}: Omit<PartProps, 'onSaved'> & {
  readonly onClose: () => void;
  readonly onRotated: (secret: RotatedSigningSecret) => void;
}) {
  const messages = useEnvironmentViewMessages();
  const { client } = useConsole();
  const [hours, setHours] = useState(String(LIMITS.graceHours.default));
  const mutation = useMutation();
  const submit = async () => {
    const path = { environment_uuid: environment.environment_uuid };
    // An empty text is no number either: the API says so at the field.
    const grace_hours = hours.trim() === '' ? (hours as unknown as number) : Number(hours);
    const body = { grace_hours, expected_updated_at: environment.updated_at };
    const rotated = await mutation.mutate(() => rotateSigningSecret({ client, path, body }));
    if (rotated) onRotated(rotated.data.data);
  };
  return (
    <>
      <ul className="consequences">
        {messages.rotateText.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ChangedElsewhere mutation={mutation} onReload={onReload} />
      <Form
        fields={FIELDS}
        mutation={withoutConflict(mutation)}
        submit={messages.rotate}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          {...{ name: 'grace_hours', label: messages.graceHours, type: 'number' }}
          help={messages.graceHelp(LIMITS.graceHours)}
          value={hours}
          onChange={setHours}
        />
      </Form>
    </>
  );
}
