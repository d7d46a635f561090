import { createConnection, type Field, type Integration } from '@docfetch/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { startAuthorization } from '../authorize/start-authorization';
import { cacheStep2Fields } from '../api/step2-fields';
import { useMutation } from '../api/use-mutation';
import { useQuery } from '../api/use-query';
import { accountAddress } from '../fields/setup/account-address';
import { advancedFieldIds, deviceTimeZone } from '../fields/advanced-fields';
import { describeEncryption, EncryptionOffer, encryptionOffer } from '../fields/setup/encryption-offer';
import { FieldForm } from '../fields/field-form';
import { CredentialSteps, loadSetup } from '../fields/setup/load-setup';
import { type FormState, useForm } from '../fields/use-form';
import { withoutTrustQuestion, SetupProblem, useServerTrust } from '../fields/setup/server-trust';
import { filledValues, type FieldValues, isCredential } from '../fields/field-values';
import { Action } from '../components/action';
import { Breakable } from '../components/breakable';
import { Lock } from '../components/icons';
import { Loading } from '../components/loading';
import { Logo } from '../components/logo';
import { Notice, ProblemNotice } from '../components/notice';
import { Page } from '../components/page';
import { navigate, type Route } from '../route';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';

/** The field id of the name. No field of an integration has a colon in its id. */
const NAME_FIELD = ':name';

/** What is known about a source before its form is shown. */
export interface KnownSetup {
  readonly fields: FieldValues;
  /** Ids of fields that are folded because they are filled in. */
  readonly folded: readonly string[];
  /** The default name of the source, instead of that of the integration. */
  readonly name: string | null;
  readonly lead: (integration: string) => string;
  readonly back: Route;
}

/** Step 1 of a new connection: enter credentials, or start the authorization at the provider. */
export function Connect({ id, known }: { id: string; known?: KnownSetup }) {
  const { messages, lang } = useMessages();
  const { client, session, recordError } = useSession();
  const { data, problem, loading, reload } = useQuery(() => loadSetup(client, id), `${id} ${lang}`);
  const preselected = session.preselection.integration_id !== null;
  const back = known?.back ?? (preselected ? null : ({ view: 'choose' } as const));
  const isStuck = preselected && (problem !== null || (!loading && !data?.available));
  useEffect(() => {
    if (isStuck) recordError();
  }, [isStuck]);
  if (problem && !data)
    return (
      <Page title={messages.choose.title} back={back}>
        <ProblemNotice problem={problem} retry={() => void reload()} />
      </Page>
    );
  if (!data && loading) return <Loading />;
  if (!data?.available)
    return (
      <Page title={data?.name ?? messages.problem.unavailableTitle} back={back}>
        <Notice tone="warning" role="alert" title={messages.problem.unavailableTitle}>
          <p>{messages.choose.unavailableText}</p>
        </Notice>
      </Page>
    );
  return <ConnectForm integration={data} back={back} known={known} />;
}

interface ConnectFormProps {
  readonly integration: Integration;
  readonly back: Route | null;
  readonly known?: KnownSetup;
}

function ConnectForm({ integration, back, known }: ConnectFormProps) {
  const { messages } = useMessages();
  const { client, recordSuccess, recordError } = useSession();
  const { help_steps: steps } = integration;
  const oauth = integration.auth_type === 'OAUTH2';
  const hasLogin = oauth || integration.step1_fields.some(isCredential);
  const fields = useMemo<Field[]>(
    () => [...integration.step1_fields, nameField(messages.connect)],
    [integration, messages],
  );
  const name = known?.name ?? integration.name;
  const form = useForm(fields, { ...deviceTimeZone(fields), ...known?.fields, [NAME_FIELD]: name });
  useDefaultName(form, accountAddress(form.fields, form.values) ?? name);
  const [more, setMore] = useState<string[]>([]);
  const { mutate, busy, problem } = useMutation((failure) => {
    recordError();
    const errors = withoutTrustQuestion(failure.fieldErrors);
    setMore(form.setServerErrors(describeEncryption(errors, form, messages.fields.notEncrypted)));
  });
  const trust = useServerTrust(problem);
  const encryption = encryptionOffer(form, problem);

  const submit = async (changed: FieldValues = {}, trusted = trust.input) => {
    const { [NAME_FIELD]: name, ...input } = filledValues(fields, { ...form.values, ...changed });
    const body = { integration_id: integration.integration_id, name: String(name), fields: { ...input, ...trusted } };
    const created = await mutate(async () => (await createConnection({ client, body })).data);
    if (!created) return;
    const { uuid, authorization_url: authorization, step2_fields: step2 } = created.data;
    recordSuccess('created', uuid, step2 !== null || authorization !== null);
    if (authorization) return startAuthorization(authorization, uuid);
    if (step2) cacheStep2Fields(uuid, step2);
    navigate({ view: step2 ? 'content' : 'done', uuid }, 'replace');
  };

  return (
    <Page
      title={(hasLogin ? messages.connect.title : messages.connect.titleSetUp)(integration.name)}
      lead={
        known ? (
          <p>
            <Breakable>{known.lead(integration.name)}</Breakable>
          </p>
        ) : null
      }
      back={back}
      logo={<Logo url={integration.logo_url} size={52} />}
      step={{ at: 1, of: integration.has_step2 ? 2 : 1 }}
    >
      {oauth ? <p className="lead">{messages.connect.authorizeHint(integration.name)}</p> : null}
      {steps.length > 0 ? <CredentialSteps name={integration.name} steps={steps} url={integration.help_url} /> : null}
      <FieldForm
        form={form}
        onSubmit={() => void submit()}
        folded={{ title: messages.fields.advanced, ids: [...advancedFieldIds(fields), ...(known?.folded ?? [])] }}
        helpUrl={steps.length > 0 ? null : integration.help_url}
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
            {oauth
              ? messages.connect.authorize(integration.name)
              : hasLogin
                ? messages.connect.submit
                : messages.connect.setUp}
          </Action>
        </div>
        <p role="status" className="help">
          {busy && hasLogin && !oauth ? messages.connect.checking : ''}
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

/** Follows the default until the user types a name. */
function useDefaultName(form: FormState, name: string): void {
  const last = useRef(name);
  useEffect(() => {
    if (form.values[NAME_FIELD] === last.current) form.set(NAME_FIELD, name);
    last.current = name;
  }, [name]);
}

function nameField(messages: { name: string; nameHelp: string }): Field {
  return {
    ...{ id: NAME_FIELD, type: 'text', label: messages.name, help: messages.nameHelp, required: true, max: 255 },
    ...{ placeholder: null, secret: false, multiple: false, default: null, pattern: null, min: null },
    ...{ visible_when: null, options: null, has_more: false },
  };
}
