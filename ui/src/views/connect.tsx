import { createConnection, type Field, type Integration } from '@docfetch/sdk';
import { useEffect, useMemo, useState } from 'react';
import { authorizeAt } from '../authorize/authorize';
import { integration as findIntegration } from '../api/integrations';
import { keepStep2 } from '../api/step2-fields';
import { useAct } from '../api/use-act';
import { useLoad } from '../api/use-load';
import { FieldForm } from '../fields/field-form';
import { useForm } from '../fields/use-form';
import { fieldFaults, SetupProblem, useServerTrust } from '../fields/server-trust';
import { givenValues, type Values } from '../fields/values';
import { Action } from '../parts/action';
import { Lock } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { Notice, ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

/** The id of the name among the fields; no integration has one with a colon. */
const NAME = ':name';

/** Step 1 of a new connection: the access data, or the way to the provider. */
export function Connect({ id }: { id: string }) {
  const { words, lang } = useWords();
  const { client, session, failed } = useSession();
  const { data, problem, loading, reload } = useLoad(() => findIntegration(client, id), `${id} ${lang}`);
  const back = session.preselection.integration_id ? null : ({ view: 'choose' } as const);
  const isStuck = back === null && (problem !== null || (!loading && !data?.available));
  useEffect(() => {
    if (isStuck) failed();
  }, [isStuck]);
  if (problem && !data)
    return (
      <Page title={words.choose.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data && loading) return <Loading />;
  if (!data?.available)
    return (
      <Page title={data?.name ?? words.problem.unavailableTitle} back={back}>
        <Notice tone="warning" role="alert" title={words.problem.unavailableTitle}>
          <p>{words.choose.unavailableText}</p>
        </Notice>
      </Page>
    );
  return <ConnectForm integration={data} back={back !== null} />;
}

function ConnectForm({ integration, back }: { integration: Integration; back: boolean }) {
  const { words } = useWords();
  const { client, achieved, failed } = useSession();
  const oauth = integration.auth_type === 'OAUTH2';
  const fields = useMemo<Field[]>(() => [...integration.step1_fields, nameField(words.connect)], [integration, words]);
  const form = useForm(fields, { ...ownTimeZone(fields), [NAME]: integration.name });
  const [more, setMore] = useState<string[]>([]);
  const { act, busy, problem } = useAct((found) => {
    failed();
    setMore(form.refuse(fieldFaults(found.faults)));
  });
  const trust = useServerTrust(problem);

  const submit = async (trusted = trust.input) => {
    const { [NAME]: name, ...input } = givenValues(fields, form.values);
    const body = { integration_id: integration.integration_id, name: String(name), fields: { ...input, ...trusted } };
    const made = await act(async () => (await createConnection({ client, body })).data);
    if (!made) return;
    const { uuid, authorization_url: authorization, step2_fields: step2 } = made.done;
    achieved('created', uuid, step2 !== null || authorization !== null);
    if (authorization) return authorizeAt(authorization, uuid);
    if (step2) keepStep2(uuid, step2);
    go({ view: step2 ? 'content' : 'done', uuid }, 'replace');
  };

  return (
    <Page
      title={words.connect.title(integration.name)}
      back={back ? { view: 'choose' } : null}
      logo={<Logo url={integration.logo_url} size={52} />}
      step={{ at: 1, of: integration.has_step2 ? 2 : 1 }}
    >
      {oauth ? <p className="lead">{words.connect.authorizeHint(integration.name)}</p> : null}
      <FieldForm form={form} onSubmit={() => void submit()}>
        {problem ? (
          <SetupProblem
            problem={problem}
            more={more}
            trust={trust}
            onAccept={() => form.check() && void submit(trust.accept())}
          />
        ) : null}
        <div className="actions">
          <Action type="submit" weight="primary" busy={busy}>
            {oauth ? words.connect.authorize(integration.name) : words.connect.submit}
          </Action>
        </div>
        <p role="status" className="help">
          {busy && !oauth ? words.connect.checking : ''}
        </p>
        <p className="trust">
          <Lock /> {oauth ? words.connect.trustAuthorize : words.connect.trust}
        </p>
      </FieldForm>
    </Page>
  );
}

/** Where an integration asks for a time zone: that of the reader's device, when it is among those to choose from. */
function ownTimeZone(fields: readonly Field[]): Values {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const field = fields.find(({ id, options }) => id === 'time_zone' && options?.some(({ value }) => value === own));
  return field ? { [field.id]: own } : {};
}

function nameField(words: { name: string; nameHelp: string }): Field {
  return {
    ...{ id: NAME, type: 'text', label: words.name, help: words.nameHelp, required: true, max: 255 },
    ...{ placeholder: null, secret: false, multiple: false, default: null, pattern: null, min: null },
    ...{ visible_when: null, options: null, has_more: false },
  };
}
