import { type Connection, getConnection, type Integration, updateConnection } from '@docfetch/sdk';
import { useEffect, useMemo, useState } from 'react';
import { authorizeAt } from '../authorize/authorize';
import { integration as findIntegration } from '../api/integrations';
import { keepStep2 } from '../api/step2-fields';
import { useAct } from '../api/use-act';
import { useLoad } from '../api/use-load';
import { FieldForm } from '../fields/field-form';
import { fieldFaults, SetupProblem, useServerTrust } from '../fields/server-trust';
import { useForm } from '../fields/use-form';
import { givenValues } from '../fields/values';
import { Action, Go } from '../parts/action';
import { flash } from '../parts/flash';
import { Lock } from '../parts/icons';
import { Loading } from '../parts/loading';
import { Logo } from '../parts/logo';
import { Notice, ProblemNotice } from '../parts/notice';
import { Page } from '../parts/page';
import { go } from '../route';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

/** Step 1 of a connection that exists: other access data, or the ones that work again. */
export function Access({ uuid }: { uuid: string }) {
  const { words, lang } = useWords();
  const { client, session, failed } = useSession();
  const { data, problem, reload } = useLoad(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    return { connection, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const back = session.preselection.connection_uuid ? null : ({ view: 'connection', uuid } as const);
  const isStuck = back === null && problem !== null;
  useEffect(() => {
    if (isStuck) failed();
  }, [isStuck]);
  if (problem && !data)
    return (
      <Page title={problem.kind === 'gone' ? words.problem.goneTitle : words.connection.edit} back={back}>
        <ProblemNotice problem={problem} retry={problem.kind === 'gone' ? undefined : () => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return <AccessForm {...data} />;
}

function AccessForm({ connection, integration }: { connection: Connection; integration: Integration | null }) {
  const { words } = useWords();
  const { client, session, achieved, failed } = useSession();
  const { uuid, name, reason, status } = connection;
  const fields = useMemo(() => integration?.step1_fields ?? [], [integration]);
  const oauth = integration?.auth_type === 'OAUTH2';
  const broken = status === 'INVALID_CREDENTIALS';
  // What was refused has to be entered again; otherwise a secret may stay as it is.
  const kept = useMemo(
    () => (broken ? [] : fields.filter((field) => field.secret).map(({ id }) => id)),
    [broken, fields],
  );
  const form = useForm(fields, connection.fields, kept);
  const [more, setMore] = useState<string[]>([]);
  const { act, busy, problem } = useAct((found) => {
    failed();
    setMore(form.refuse(fieldFaults(found.faults)));
  });
  const trust = useServerTrust(problem);
  const preselected = session.preselection.connection_uuid !== null;

  const submit = async (trusted = trust.input) => {
    const body = { fields: { ...givenValues(fields, form.values), ...trusted } };
    const saved = await act(() => updateConnection({ client, path: { uuid }, body }));
    if (!saved) return;
    achieved('updated', uuid);
    const setup = saved.done?.data;
    if (setup?.authorization_url) return authorizeAt(setup.authorization_url, uuid);
    if (setup?.step2_fields && !setup.setup_complete) {
      keepStep2(uuid, setup.step2_fields);
      return go({ view: 'content', uuid }, 'replace');
    }
    flash(broken ? words.edit.mended : words.edit.saved);
    go({ view: 'connection', uuid }, 'replace');
  };

  return (
    <Page
      title={oauth ? words.edit.titleAuthorize(name) : words.edit.title(name)}
      back={preselected ? null : { view: 'connection', uuid }}
      logo={<Logo url={integration?.logo_url} size={52} />}
    >
      {reason?.action === 'UPDATE_CREDENTIALS' || reason?.action === 'AUTHORIZE' ? (
        <Notice tone="warning">
          <p>{reason.message}</p>
        </Notice>
      ) : null}
      <FieldForm form={form} onSubmit={() => void submit()} kept={kept} connection={uuid}>
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
            {integration && reason?.action === 'AUTHORIZE'
              ? words.connect.authorize(integration.name)
              : words.edit.submit}
          </Action>
          {preselected ? (
            <Go to={{ view: 'connection', uuid }} weight="quiet">
              {words.edit.more}
            </Go>
          ) : null}
        </div>
        <p role="status" className="help">
          {busy ? words.connect.checking : ''}
        </p>
        <p className="trust">
          <Lock /> {oauth ? words.connect.trustAuthorize : words.connect.trust}
        </p>
      </FieldForm>
    </Page>
  );
}
