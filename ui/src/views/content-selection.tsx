import { type Connection, type Field, getConnection, getConnectionInformation, saveStep2 } from '@docfetch/sdk';
import { useMemo, useState } from 'react';
import { startAuthorization } from '../authorize/start-authorization';
import { loadIntegration as findIntegration } from '../api/integrations';
import { loadStep2Fields } from '../api/step2-fields';
import { useMutation } from '../api/use-mutation';
import { useQuery } from '../api/use-query';
import { FieldForm } from '../fields/field-form';
import { FormProblem } from '../fields/setup/server-trust';
import { useForm } from '../fields/use-form';
import { filledValues, type FieldValues } from '../fields/field-values';
import { Action } from '../components/action';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { navigate } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';
import { flash, successMessage } from '../components/flash-message';

interface SelectionData {
  readonly connection: Connection;
  readonly fields: readonly Field[];
  readonly labels: Record<string, Record<string, string>>;
  readonly logo: string | undefined;
}

/** Step 2: selects what is fetched from the source. */
export function ContentSelection({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client } = useSession();
  const { data, problem, reload } = useQuery<SelectionData>(async () => {
    const path = { uuid };
    const [{ data: connection }, fields, { data: information }] = await Promise.all([
      getConnection({ client, path }),
      loadStep2Fields(client, uuid),
      getConnectionInformation({ client, path }),
    ]);
    const integration = await findIntegration(client, connection.integration_id);
    return {
      connection,
      fields,
      logo: integration?.logo_url,
      labels: labelsOf(information.steps.flatMap((step) => step.fields)),
    };
  }, `${uuid} ${lang}`);
  const back = { view: 'connection', uuid } as const;
  if (problem && !data)
    return (
      <Page title={messages.content.titleEdit} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading text={messages.content.loading} />;
  return <SelectionForm {...data} />;
}

function SelectionForm({ connection, fields, labels, logo }: SelectionData) {
  const { messages } = useMessages();
  const { client, recordSuccess, outcome, recordError } = useSession();
  const { uuid, setup_complete: existing, reason, status } = connection;
  const isBroken = existing && status === 'ACTIVE' && reason?.action === 'COMPLETE_SETUP';
  const stored = useMemo(() => (existing ? (connection.fields as FieldValues) : {}), [existing, connection]);
  const form = useForm(fields, stored);
  const [more, setMore] = useState<string[]>([]);
  const { mutate, busy, problem } = useMutation((failure) => {
    recordError();
    setMore(form.setServerErrors(failure.fieldErrors));
  });

  const submit = async () => {
    const body = { fields: filledValues(fields, form.values), isUpdateFlow: existing };
    const saved = await mutate(async () => (await saveStep2({ client, path: { uuid }, body })) as unknown);
    if (!saved) return;
    const isNew = outcome.action === 'created' && outcome.connection === uuid;
    recordSuccess(isNew || !existing ? 'created' : 'updated', uuid);
    const authorization = (saved.data as { data?: { authorization_url?: string | null } } | null)?.data
      ?.authorization_url;
    if (authorization) return startAuthorization(authorization, uuid);
    if (isBroken) return navigate({ view: 'recovery', uuid }, 'replace');
    if (existing) flash(successMessage(messages.content.saved));
    navigate({ view: existing ? 'connection' : 'done', uuid }, 'replace');
  };

  return (
    <Page
      title={existing ? messages.content.titleEdit : messages.content.title}
      lead={<p>{connection.name}</p>}
      back={existing ? { view: 'connection', uuid } : null}
      logo={<Logo url={logo} size={52} />}
      step={existing ? undefined : { at: 2, of: 2 }}
    >
      {isBroken ? (
        <Notice tone="warning">
          <p>{reason.message}</p>
        </Notice>
      ) : null}
      <FieldForm form={form} onSubmit={() => void submit()} connection={uuid} labels={labels}>
        {problem ? <FormProblem problem={problem} more={more} /> : null}
        <div className="actions">
          <Action type="submit" variant="primary" busy={busy}>
            {existing ? messages.content.submitEdit : messages.content.submit}
          </Action>
        </div>
        <p role="status" className="visually-hidden">
          {busy ? messages.content.saving : ''}
        </p>
      </FieldForm>
    </Page>
  );
}

/** The labels of stored selections. The service joins them with commas, in the order of the values. */
function labelsOf(
  fields: readonly { id: string; value: unknown; display_value: string | null }[],
): SelectionData['labels'] {
  const labels: SelectionData['labels'] = {};
  for (const { id, value, display_value: shown } of fields) {
    const values = Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
    const names = values.length === 1 ? [shown] : (shown?.split(', ') ?? []);
    if (names.length !== values.length) continue;
    labels[id] = Object.fromEntries(values.map((each, at) => [each, names[at] ?? each]));
  }
  return labels;
}
