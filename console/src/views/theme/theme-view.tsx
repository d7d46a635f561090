import { type ManagedEnvironment, updateEnvironment } from '@docfetch/sdk';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { successMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { Page, Section } from '../../components/page';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useConsole } from '../../session/console-session';
import { ChangedElsewhere, withoutConflict } from '../environment/changed-elsewhere';
import { useDraft } from '../environment/use-draft';
import { useManagedEnvironment } from '../environment/use-managed-environment';
import type { ViewProps } from '../views';
import { ColorField } from './color-field';
import { useThemeViewMessages } from './messages/use-theme-view-messages';
import { draftOf, themeOf } from './theme-draft';
import { ThemePreview } from './theme-preview';

/** The theme of the hosted UI, with a preview of what is entered. */
export function ThemeView(_: ViewProps) {
  const messages = useThemeViewMessages();
  const [message, setMessage] = useFlash();
  const { data, problem, reload } = useManagedEnvironment();
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <LiveRegion message={message} />
      {data ? (
        <ThemeForm
          environment={data}
          onReload={() => void reload()}
          onSaved={() => {
            setMessage(successMessage(messages.saved));
            void reload();
          }}
        />
      ) : problem ? (
        <ProblemNotice problem={problem} retry={() => void reload()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function ThemeForm({
  environment,
  onSaved,
  onReload,
}: {
  readonly environment: ManagedEnvironment;
  readonly onSaved: () => void;
  readonly onReload: () => void;
}) {
  const messages = useThemeViewMessages();
  const { client } = useConsole();
  const [draft, setDraft] = useDraft(environment, draftOf);
  const mutation = useMutation();
  const theme = themeOf(draft);
  const before = themeOf(draftOf(environment));
  const submit = async () => {
    const path = { environment_uuid: environment.environment_uuid };
    const body = { ...theme, expected_updated_at: environment.updated_at };
    if (await mutation.mutate(() => updateEnvironment({ client, path, body }))) onSaved();
  };
  return (
    <>
      <Section title={messages.settings}>
        <Form
          fields={Object.keys(draft)}
          mutation={withoutConflict(mutation)}
          submit={messages.save}
          onSubmit={() => void submit()}
          isUnchanged={JSON.stringify(theme) === JSON.stringify(before)}
        >
          <TextField
            {...{ name: 'theme_name', label: messages.name, help: messages.nameHelp, optional: true }}
            value={draft.theme_name}
            onChange={(value) => setDraft({ ...draft, theme_name: value })}
          />
          <TextField
            {...{ name: 'theme_logo_url', label: messages.logo, help: messages.logoHelp, type: 'url', optional: true }}
            value={draft.theme_logo_url}
            onChange={(value) => setDraft({ ...draft, theme_logo_url: value })}
          />
          <ColorField
            value={draft.theme_primary_color}
            onChange={(value) => setDraft({ ...draft, theme_primary_color: value })}
          />
        </Form>
        <ChangedElsewhere mutation={mutation} onReload={onReload} />
      </Section>
      <ThemePreview environmentUuid={environment.environment_uuid} theme={theme} />
    </>
  );
}
