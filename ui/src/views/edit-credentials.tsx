import { type Connection, getConnection, type Integration, updateConnection } from '@docfetch/sdk';
import { useEffect, useMemo, useState } from 'react';
import { startAuthorization } from '../authorize/start-authorization';
import { loadIntegration as findIntegration } from '../api/integrations';
import { cacheStep2Fields } from '../api/step2-fields';
import { useMutation } from '../api/use-mutation';
import { useQuery } from '../api/use-query';
import { FieldForm } from '../fields/field-form';
import { withoutTrustQuestion, SetupProblem, useServerTrust } from '../fields/server-trust';
import { useForm } from '../fields/use-form';
import { filledValues } from '../fields/field-values';
import { Action, RouteLink } from '../components/action';
import { flash } from '../components/flash-message';
import { Lock } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { navigate } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';

/** Step 1 of an existing connection: change or correct its credentials. */
export function EditCredentials({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client, session, recordError } = useSession();
  const { data, problem, reload } = useQuery(async () => {
    const { data: connection } = await getConnection({ client, path: { uuid } });
    return { connection, integration: await findIntegration(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const back = session.preselection.connection_uuid ? null : ({ view: 'connection', uuid } as const);
  const isStuck = back === null && problem !== null;
  useEffect(() => {
    if (isStuck) recordError();
  }, [isStuck]);
  if (problem && !data)
    return (
      <Page
        title={problem.kind === 'not-found' ? messages.problem.notFoundTitle : messages.connection.edit}
        back={back}
      >
        <ProblemNotice problem={problem} retry={problem.kind === 'not-found' ? undefined : () => void reload()} />
      </Page>
    );
  if (!data) return <Loading />;
  return <CredentialsForm {...data} />;
}

function CredentialsForm({ connection, integration }: { connection: Connection; integration: Integration | null }) {
  const { messages } = useMessages();
  const { client, session, recordSuccess, recordError } = useSession();
  const { uuid, name, reason, status } = connection;
  const fields = useMemo(() => integration?.step1_fields ?? [], [integration]);
  const oauth = integration?.auth_type === 'OAUTH2';
  const rejected = status === 'INVALID_CREDENTIALS';
  // Rejected secrets must be entered again; otherwise an empty field keeps the stored secret.
  const storedSecrets = useMemo(
    () => (rejected ? [] : fields.filter((field) => field.secret).map(({ id }) => id)),
    [rejected, fields],
  );
  const form = useForm(fields, connection.fields, storedSecrets);
  const [more, setMore] = useState<string[]>([]);
  const { mutate, busy, problem } = useMutation((failure) => {
    recordError();
    setMore(form.setServerErrors(withoutTrustQuestion(failure.fieldErrors)));
  });
  const trust = useServerTrust(problem);
  const preselected = session.preselection.connection_uuid !== null;

  const submit = async (trusted = trust.input) => {
    const body = { fields: { ...filledValues(fields, form.values), ...trusted } };
    const saved = await mutate(() => updateConnection({ client, path: { uuid }, body }));
    if (!saved) return;
    recordSuccess('updated', uuid);
    const setup = saved.data?.data;
    if (setup?.authorization_url) return startAuthorization(setup.authorization_url, uuid);
    if (setup?.step2_fields && !setup.setup_complete) {
      cacheStep2Fields(uuid, setup.step2_fields);
      return navigate({ view: 'content', uuid }, 'replace');
    }
    flash(rejected ? messages.edit.recovered : messages.edit.saved);
    navigate({ view: 'connection', uuid }, 'replace');
  };

  return (
    <Page
      title={oauth ? messages.edit.titleAuthorize(name) : messages.edit.title(name)}
      back={preselected ? null : { view: 'connection', uuid }}
      logo={<Logo url={integration?.logo_url} size={52} />}
    >
      {reason?.action === 'UPDATE_CREDENTIALS' || reason?.action === 'AUTHORIZE' ? (
        <Notice tone="warning">
          <p>{reason.message}</p>
        </Notice>
      ) : null}
      <FieldForm form={form} onSubmit={() => void submit()} storedSecrets={storedSecrets} connection={uuid}>
        {problem ? (
          <SetupProblem
            problem={problem}
            more={more}
            trust={trust}
            onAccept={() => form.validate() && void submit(trust.accept())}
          />
        ) : null}
        <div className="actions">
          <Action type="submit" variant="primary" busy={busy}>
            {integration && reason?.action === 'AUTHORIZE'
              ? messages.connect.authorize(integration.name)
              : messages.edit.submit}
          </Action>
          {preselected ? (
            <RouteLink to={{ view: 'connection', uuid }} variant="quiet">
              {messages.edit.more}
            </RouteLink>
          ) : null}
        </div>
        <p role="status" className="help">
          {busy ? messages.connect.checking : ''}
        </p>
        <p className="trust">
          <Lock /> {oauth ? messages.connect.trustAuthorize : messages.connect.trust}
        </p>
      </FieldForm>
    </Page>
  );
}
