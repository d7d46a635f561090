import { type Connection, type Integration, updateConnection } from '@docfetch/sdk';
import { useEffect, useMemo, useState } from 'react';
import { startAuthorization } from '../authorize/start-authorization';
import { loadConnection } from '../api/connections';
import { cacheStep2Fields } from '../api/step2-fields';
import { useMutation } from '../api/use-mutation';
import { useQuery } from '../api/use-query';
import { advancedFieldIds, hasAdvancedInput } from '../fields/advanced-fields';
import { describeEncryption, EncryptionOffer, encryptionOffer } from '../fields/setup/encryption-offer';
import { FieldForm } from '../fields/field-form';
import { CredentialSteps, loadSetup } from '../fields/setup/load-setup';
import { repairOf } from '../fields/setup/repair';
import { withoutTrustQuestion, SetupProblem, useServerTrust } from '../fields/setup/server-trust';
import { useForm } from '../fields/use-form';
import { type FieldValues, filledValues, isCredential } from '../fields/field-values';
import { Action, RouteLink } from '../components/action';
import { flash, successMessage } from '../components/flash-message';
import { Lock } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { navigate, parseRoute } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';

/**
 * The connections whose server was compared when the form was opened. The next time, the user decides: otherwise a check that
 * succeeds although fetches fail would always lead away from the form.
 */
const checkedConnections = new Set<string>();

/** Step 1 of an existing connection: change its credentials, or repair what the provider refused. */
export function EditCredentials({ uuid }: { uuid: string }) {
  const { messages, lang } = useMessages();
  const { client, session, recordError } = useSession();
  const { data, problem, reload } = useQuery(async () => {
    const connection = await loadConnection(client, uuid);
    return { connection, integration: await loadSetup(client, connection.integration_id) };
  }, `${uuid} ${lang}`);
  const back = session.preselection.connection_uuid ? null : ({ view: 'connection', uuid } as const);
  const isStuck = back === null && problem !== null;
  useEffect(() => {
    if (isStuck) recordError();
  }, [isStuck]);
  // Opened by the token, not by the user: when the selection is broken, its repair is in step 2.
  const isEntry = parseRoute(location.hash).view !== 'access';
  const isInStep2 = isEntry && data?.connection.setup_complete && data.connection.reason?.action === 'COMPLETE_SETUP';
  useEffect(() => {
    if (isInStep2) navigate({ view: 'content', uuid }, 'replace');
  }, [isInStep2, uuid]);
  if (problem && !data)
    return (
      <Page
        title={problem.kind === 'not-found' ? messages.problem.notFoundTitle : messages.connection.edit}
        back={back}
      >
        <ProblemNotice problem={problem} retry={problem.kind === 'not-found' ? undefined : () => void reload()} />
      </Page>
    );
  if (!data || isInStep2) return <Loading />;
  return <CredentialsForm {...data} />;
}

function CredentialsForm({ connection, integration }: { connection: Connection; integration: Integration | null }) {
  const { messages } = useMessages();
  const { client, session, recordSuccess, recordError } = useSession();
  const { uuid, name, reason, status } = connection;
  const fields = useMemo(() => integration?.step1_fields ?? [], [integration]);
  const oauth = integration?.auth_type === 'OAUTH2';
  const hasLogin = connection.inbox_address === null;
  const repair = useMemo(() => repairOf(connection, fields), [connection, fields]);
  const isPasswordRefused = fields.some((field) => isCredential(field) && repair?.fields.includes(field.id));
  const steps = isPasswordRefused ? (integration?.help_steps ?? []) : [];
  // Refused secrets must be entered again; otherwise an empty field keeps the stored secret.
  const storedSecrets = useMemo(
    () => fields.filter(({ secret, id }) => secret && !repair?.refused.includes(id)).map(({ id }) => id),
    [repair, fields],
  );
  const form = useForm(fields, connection.fields, storedSecrets);
  const [more, setMore] = useState<string[]>([]);
  const { mutate, busy, problem } = useMutation((failure) => {
    const errors = withoutTrustQuestion(failure.fieldErrors);
    if (errors.length === failure.fieldErrors.length) recordError();
    setMore(form.setServerErrors(describeEncryption(errors, form, messages.fields.notEncrypted)));
  });
  const trust = useServerTrust(problem);
  const preselected = session.preselection.connection_uuid !== null;

  const encryption = encryptionOffer(form, problem);

  const submit = async (changed: FieldValues = {}, trusted = trust.input) => {
    const body = { fields: { ...filledValues(fields, { ...form.values, ...changed }), ...trusted } };
    const saved = await mutate(() => updateConnection({ client, path: { uuid }, body }));
    if (!saved) return;
    const setup = saved.data?.data;
    const needsStep2 = setup?.step2_fields && !setup.setup_complete;
    recordSuccess('updated', uuid, !!setup?.authorization_url || !!needsStep2);
    if (setup?.authorization_url) return startAuthorization(setup.authorization_url, uuid);
    if (needsStep2) {
      cacheStep2Fields(uuid, setup.step2_fields!);
      return navigate({ view: 'content', uuid }, 'replace');
    }
    // Whatever was wrong, the next fetch shows whether it is fixed.
    if (reason && status !== 'DISABLED') return navigate({ view: 'recovery', uuid }, 'replace');
    flash(successMessage(messages.edit.saved));
    navigate({ view: 'connection', uuid }, 'replace');
  };

  // The service returns the fingerprint to accept when it compares it with the server, before it sends a password.
  useEffect(() => {
    if (!repair?.asksForTrust || checkedConnections.has(uuid)) return;
    checkedConnections.add(uuid);
    void submit();
  }, []);

  const title = repair
    ? messages.repair.title
    : oauth || !hasLogin
      ? messages.edit.titleAuthorize
      : messages.edit.title;
  const folded = repair
    ? {
        title: messages.repair.others,
        ids: fields.map(({ id }) => id).filter((id) => !repair.fields.includes(id)),
      }
    : {
        title: messages.fields.advanced,
        ids: advancedFieldIds(fields),
        initiallyOpen: hasAdvancedInput(fields, connection.fields),
      };
  return (
    <Page
      title={title(name)}
      back={preselected ? null : { view: 'connection', uuid }}
      logo={<Logo url={integration?.logo_url} size={52} />}
    >
      {repair && !problem ? (
        <Notice tone="warning">
          <p>{reason?.message}</p>
        </Notice>
      ) : null}
      {integration && steps.length > 0 ? (
        <CredentialSteps name={integration.name} steps={steps} url={integration.help_url} />
      ) : null}
      <FieldForm
        form={form}
        onSubmit={() => void submit()}
        storedSecrets={storedSecrets}
        connection={uuid}
        folded={folded}
        helpUrl={steps.length > 0 ? null : integration?.help_url}
        offers={
          encryption
            ? { security: <EncryptionOffer onAccept={() => void submit(form.apply(encryption))} /> }
            : undefined
        }
      >
        {problem ? (
          <SetupProblem
            problem={problem}
            more={more}
            trust={trust}
            onAccept={() => form.validate() && void submit({}, trust.accept())}
          />
        ) : null}
        <div className="actions">
          <Action type="submit" variant="primary" busy={busy}>
            {integration && reason?.action === 'AUTHORIZE'
              ? messages.connect.authorize(integration.name)
              : hasLogin
                ? messages.edit.submit
                : messages.edit.save}
          </Action>
          {preselected ? (
            <RouteLink to={{ view: 'connection', uuid }} variant="quiet">
              {messages.edit.more}
            </RouteLink>
          ) : null}
        </div>
        <p role="status" className="help">
          {busy && hasLogin ? (repair?.asksForTrust ? messages.repair.checkingServer : messages.connect.checking) : ''}
        </p>
        {hasLogin ? (
          <p className="trust">
            <Lock /> {oauth ? messages.connect.trustAuthorize : messages.connect.trust}
          </p>
        ) : null}
      </FieldForm>
    </Page>
  );
}
