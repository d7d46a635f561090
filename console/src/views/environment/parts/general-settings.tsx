import { updateEnvironment } from '@docfetch/sdk';
import { useMutation } from '../../../../../ui/src/api/use-mutation';
import { LIMITS } from '../../../api/limits';
import { Section } from '../../../components/page';
import { SwitchField } from '../../../form/check-fields';
import { ChoiceField, LinesField, TextField } from '../../../form/fields';
import { Form } from '../../../form/form';
import { useConsole } from '../../../session/console-session';
import { ChangedElsewhere, withoutConflict } from '../changed-elsewhere';
import type { PartProps } from '../environment-view';
import { useEnvironmentViewMessages } from '../messages/use-environment-view-messages';
import { useDraft } from '../use-draft';
import { changeOf, draftOf, type SettingsDraft } from '../settings-draft';

type Messages = ReturnType<typeof useEnvironmentViewMessages>;

/** Name, schedule, origins, switches, retention and limits. Only what was changed is sent. */
export function GeneralSettings({ environment, onSaved, onReload }: PartProps) {
  const messages = useEnvironmentViewMessages();
  const { client } = useConsole();
  const [draft, setDraft] = useDraft(environment, draftOf);
  const mutation = useMutation();
  const change = changeOf(draft, environment);
  const submit = async () => {
    const path = { environment_uuid: environment.environment_uuid };
    const body = { ...change, expected_updated_at: environment.updated_at };
    if (await mutation.mutate(() => updateEnvironment({ client, path, body }))) onSaved();
  };
  const part = { draft, set: (value: Partial<SettingsDraft>) => setDraft({ ...draft, ...value }), messages };
  return (
    <Section title={messages.tabs.general}>
      <Form
        fields={Object.keys(draft)}
        mutation={withoutConflict(mutation)}
        submit={messages.save}
        onSubmit={() => void submit()}
        isUnchanged={Object.keys(change).length === 0}
      >
        <Group title={messages.naming}>
          <Text {...part} name="name" label={messages.name} />
          <Text
            {...{ ...part, name: 'fetch_interval_minutes' }}
            {...{ label: messages.interval, help: messages.intervalHelp(LIMITS.fetchIntervalMinutes.min) }}
          />
        </Group>
        <Group title={messages.origins}>
          <Lines {...part} name="return_origins" label={messages.returnOrigins} help={messages.returnOriginsHelp} />
          <Lines
            {...{ ...part, name: 'embedding_origins' }}
            {...{ label: messages.embeddingOrigins, help: messages.embeddingOriginsHelp }}
          />
          <Lines {...part} name="browser_origins" label={messages.browserOrigins} help={messages.browserOriginsHelp} />
        </Group>
        <Group title={messages.switches}>
          <Switch {...part} name="text_extraction" label={messages.textExtraction} help={messages.textExtractionHelp} />
          <Switch {...part} name="hold_duplicates" label={messages.holdDuplicates} help={messages.holdDuplicatesHelp} />
          <Switch
            {...{ ...part, name: 'expected_documents' }}
            {...{ label: messages.expectedDocuments, help: messages.expectedDocumentsHelp }}
          />
          <Switch {...part} name="console_content" label={messages.consoleContent} help={messages.consoleContentHelp} />
          <ChoiceField
            {...{ name: 'mail_policy', label: messages.mailPolicy, help: messages.mailPolicyHelp }}
            value={draft.mail_policy}
            onChange={(mail_policy) => part.set({ mail_policy })}
            options={(['RECORD', 'DMARC', 'REQUIRE'] as const).map((id) => [id, messages.mailPolicies[id]])}
          />
        </Group>
        <Retention {...part} />
      </Form>
      <ChangedElsewhere mutation={mutation} onReload={onReload} />
    </Section>
  );
}

interface DraftProps {
  readonly draft: SettingsDraft;
  readonly set: (value: Partial<SettingsDraft>) => void;
  readonly messages: Messages;
}

function Retention(part: DraftProps) {
  const { messages, draft, set } = part;
  const daysHelp = messages.daysHelp(LIMITS.retentionDays);
  const pushLimitHelp = messages.pushLimitHelp(LIMITS.pushLimitMib);
  return (
    <Group title={messages.limits}>
      <Text {...part} name="retention_days" label={messages.retentionDays} help={daysHelp} />
      <Text {...part} name="retention_delivered_days" label={messages.retentionDelivered} help={daysHelp} />
      <ChoiceField
        {...{ name: 'retention_class', label: messages.retentionClass, help: messages.retentionClassHelp }}
        value={draft.retention_class}
        onChange={(retention_class) => set({ retention_class })}
        options={(['SHORT', 'STANDARD', 'LONG'] as const).map((id) => [id, messages.retentionClasses[id]])}
      />
      <Text {...part} name="push_limit_bytes" label={messages.pushLimit} help={pushLimitHelp} />
    </Group>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <fieldset className="fieldset">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

type NameOf<Value> = {
  [Name in keyof SettingsDraft]: SettingsDraft[Name] extends Value ? Name : never;
}[keyof SettingsDraft];

interface InputProps<Value> extends DraftProps {
  readonly name: NameOf<Value>;
  readonly label: string;
  readonly help?: string;
}

function Text({ draft, set, name, label, help }: InputProps<string>) {
  return (
    <TextField
      {...{ name, label, help, type: name === 'name' ? 'text' : 'number' }}
      value={draft[name]}
      onChange={(value) => set({ [name]: value })}
    />
  );
}

function Lines({ draft, set, name, label, help }: InputProps<string>) {
  return <LinesField {...{ name, label, help }} value={draft[name]} onChange={(value) => set({ [name]: value })} />;
}

function Switch({ draft, set, name, label, help }: InputProps<boolean>) {
  return <SwitchField {...{ name, label, help }} value={draft[name]} onChange={(value) => set({ [name]: value })} />;
}
