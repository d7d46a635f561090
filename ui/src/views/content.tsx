import { type Connection, type Field, getConnection, getConnectionInformation, saveStep2 } from '@docfetch/sdk';
import { useMemo, useState } from 'react';
import { authorizeAt } from '../authorize/authorize';
import { integration as findIntegration } from '../api/integrations';
import { step2Fields } from '../api/step2-fields';
import { useAct } from '../api/use-act';
import { useLoad } from '../api/use-load';
import { FieldForm } from '../fields/field-form';
import { useForm } from '../fields/use-form';
import { givenValues, type Values } from '../fields/values';
import { Action } from '../parts/action';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { flash } from '../parts/flash';

interface Loaded {
  readonly connection: Connection;
  readonly fields: readonly Field[];
  readonly labels: Record<string, Record<string, string>>;
  readonly logo: string | undefined;
}

/** Step 2: what is fetched from the source. */
export function Content({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client } = useSession();
  const { data, problem, reload } = useLoad<Loaded>(async () => {
    const path = { uuid };
    const [{ data: connection }, fields, { data: known }] = await Promise.all([
      getConnection({ client, path }),
      step2Fields(client, uuid),
      getConnectionInformation({ client, path }),
    ]);
    const about = await findIntegration(client, connection.integration_id);
    return { connection, fields, logo: about?.logo_url, labels: labelsOf(known.steps.flatMap((step) => step.fields)) };
  }, `${uuid} ${lang}`);
  const back = { view: 'connection', uuid } as const;
  if (problem && !data)
    return (
      <Page title={words.content.titleEdit} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data) return <Loading text={words.content.loading} />;
  return <ContentForm {...data} />;
}

function ContentForm({ connection, fields, labels, logo }: Loaded) {
  const { words } = useWords();
  const { client, achieved, outcome, failed } = useSession();
  const { uuid, setup_complete: existing } = connection;
  const stored = useMemo(() => (existing ? (connection.fields as Values) : {}), [existing, connection]);
  const form = useForm(fields, stored);
  const [more, setMore] = useState<string[]>([]);
  const { act, busy, problem } = useAct((found) => {
    failed();
    setMore(form.refuse(found.faults));
  });

  const submit = async () => {
    const body = { fields: givenValues(fields, form.values), isUpdateFlow: existing };
    const saved = await act(async () => (await saveStep2({ client, path: { uuid }, body })) as unknown);
    if (!saved) return;
    const made = outcome.action === 'created' && outcome.connection === uuid;
    achieved(made || !existing ? 'created' : 'updated', uuid);
    const authorization = (saved.done as { data?: { authorization_url?: string | null } } | null)?.data
      ?.authorization_url;
    if (authorization) return authorizeAt(authorization, uuid);
    if (existing) flash(words.content.saved);
    go({ view: existing ? 'connection' : 'done', uuid }, 'replace');
  };

  return (
    <Page
      title={existing ? words.content.titleEdit : words.content.title}
      lead={<p>{connection.name}</p>}
      back={existing ? { view: 'connection', uuid } : null}
      logo={<Logo url={logo} size={52} />}
      step={existing ? undefined : { at: 2, of: 2 }}
    >
      <FieldForm form={form} onSubmit={() => void submit()} connection={uuid} labels={labels}>
        {problem ? <ProblemNotice problem={problem} more={more} /> : null}
        <div className="actions">
          <Action type="submit" weight="primary" busy={busy}>
            {existing ? words.content.submitEdit : words.content.submit}
          </Action>
        </div>
        <p role="status" className="visually-hidden">
          {busy ? words.content.saving : ''}
        </p>
      </FieldForm>
    </Page>
  );
}

/** What stored choices are called: one label per choice, joined by the service in the same order. */
function labelsOf(fields: readonly { id: string; value: unknown; display_value: string | null }[]): Loaded['labels'] {
  const known: Loaded['labels'] = {};
  for (const { id, value, display_value: shown } of fields) {
    const values = Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
    const names = values.length === 1 ? [shown] : (shown?.split(', ') ?? []);
    if (names.length !== values.length) continue;
    known[id] = Object.fromEntries(values.map((each, at) => [each, names[at] ?? each]));
  }
  return known;
}
