import { type ManagedEnvironment, setProvisioning } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { Confirm } from '../../../components/confirm';
import { Section } from '../../../components/page';
import { ChoiceField, TextField } from '../../../form/fields';
import { Form } from '../../../form/form';
import { textOrNull } from '../../../form/form-context';
import { useConsole } from '../../../session/console-session';
import { ChangedElsewhere, withoutConflict } from '../changed-elsewhere';
import type { PartProps } from '../environment-view';
import { useEnvironmentViewMessages } from '../messages/use-environment-view-messages';
import { useDraft } from '../use-draft';

const FIELDS = ['strategy', 'url', 'auth', 'secret'];

/** Strategy, address and authentication. The secret can be set, never read. */
export function Provisioning({ environment, onSaved, onReload }: PartProps) {
  const messages = useEnvironmentViewMessages();
  const { client } = useConsole();
  const [draft, setDraft] = useDraft(environment, draftOf);
  const { strategy, url, auth, secret } = draft;
  const set = (values: Partial<typeof draft>) => setDraft({ ...draft, ...values });
  const [isAsking, setAsking] = useState(false);
  const mutation = useMutation(() => setAsking(false));
  const newSecret = auth === 'NONE' ? '' : secret;
  const submit = async () => {
    const path = { environment_uuid: environment.environment_uuid };
    const body = {
      ...{ strategy, url: textOrNull(url), auth, expected_updated_at: environment.updated_at },
      ...(newSecret !== '' && { secret: newSecret }),
    };
    if (!(await mutation.mutate(() => setProvisioning({ client, path, body })))) return;
    setAsking(false);
    onSaved();
  };
  const isKept = environment.has_auth_secret && auth === environment.auth;
  return (
    <Section title={messages.tabs.provisioning}>
      <p className="help">{messages.provisioningText}</p>
      <Form
        fields={FIELDS}
        mutation={withoutConflict(mutation)}
        submit={messages.save}
        onSubmit={() => setAsking(true)}
        isUnchanged={isSame(environment, { strategy, url, auth }) && newSecret === ''}
      >
        <ChoiceField
          {...{ name: 'strategy', label: messages.strategy }}
          value={strategy}
          onChange={(value) => set({ strategy: value })}
          options={(['PUSH', 'WEBHOOK', 'POLLING'] as const).map((id) => [id, messages.strategies[id]])}
        />
        <TextField
          {...{ name: 'url', label: messages.url, help: messages.urlHelp, type: 'url', optional: strategy !== 'PUSH' }}
          value={url}
          onChange={(value) => set({ url: value })}
        />
        <ChoiceField
          {...{ name: 'auth', label: messages.auth }}
          value={auth}
          onChange={(value) => set({ auth: value })}
          options={(['NONE', 'BEARER', 'QUERY', 'HEADER'] as const).map((id) => [id, messages.auths[id]])}
        />
        {auth === 'NONE' ? null : (
          <TextField
            {...{ name: 'secret', label: messages.secret, type: 'password', optional: isKept }}
            help={isKept ? messages.secretKept : messages.secretHelp}
            value={secret}
            onChange={(value) => set({ secret: value })}
          />
        )}
      </Form>
      <ChangedElsewhere mutation={mutation} onReload={onReload} />
      <Confirm
        title={messages.confirmTitle}
        submit={messages.confirm}
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void submit()}
        mutation={{ ...mutation, problem: null }}
      >
        <p>{messages.confirmText(environment.client_name)}</p>
      </Confirm>
    </Section>
  );
}

const draftOf = ({ strategy, provisioning_url: url, auth }: ManagedEnvironment) => ({
  ...{ strategy, url: url ?? '', auth, secret: '' },
});

const isSame = (
  environment: ManagedEnvironment,
  { strategy, url, auth }: Pick<ManagedEnvironment, 'strategy' | 'auth'> & { readonly url: string },
): boolean =>
  strategy === environment.strategy && url.trim() === (environment.provisioning_url ?? '') && auth === environment.auth;
