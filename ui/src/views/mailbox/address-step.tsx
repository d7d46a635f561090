import { discoverMailAccount, type Field } from '@docfetch/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMutation } from '../../api/use-mutation';
import { Breakable } from '../../components/breakable';
import { Notice } from '../../components/notice';
import { Page } from '../../components/page';
import { FormActions } from '../../fields/form-actions';
import { FieldForm } from '../../fields/field-form';
import { FormProblem } from '../../fields/setup/server-trust';
import { useForm } from '../../fields/use-form';
import { useMailboxMessages } from '../../messages/mailbox/use-mailbox-messages';
import { useSession } from '../../session/session';
import type { FoundMailbox } from './mailbox';

interface AddressStepProps {
  readonly address: string;
  /** The address was typed elsewhere: it is looked up without another press. */
  readonly startsAtOnce: boolean;
  readonly onFound: (mailbox: FoundMailbox) => void;
  /** The user enters the server without an address. */
  readonly onManual: () => void;
}

/** Asks for the address of a mailbox, and finds out how it is connected. */
export function AddressStep({ address, startsAtOnce, onFound, onManual }: AddressStepProps) {
  const texts = useMailboxMessages();
  const { client, session, recordError } = useSession();
  const fields = useMemo(() => [addressField(texts)], [texts]);
  const form = useForm(fields, { email: address });
  const [more, setMore] = useState<string[]>([]);
  const [isRefused, setRefused] = useState(false);
  const { mutate, busy, problem } = useMutation((failure) => {
    if (failure.fieldErrors.length === 0) recordError();
    setMore(form.setServerErrors(failure.fieldErrors));
  });
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => void (mounted.current = false);
  }, []);

  const submit = async () => {
    setRefused(false);
    const email = String(form.values['email']).trim();
    const answer = await mutate(async () => (await discoverMailAccount({ client, body: { email } })).data);
    // Meanwhile the user may have gone elsewhere.
    if (!answer || !mounted.current) return;
    const { integration_id: id, ...account } = answer.data;
    if (id === null) return setRefused(true);
    onFound({ address: email, account: { ...account, integration_id: id } });
  };
  useEffect(() => {
    if (startsAtOnce) void submit();
  }, []);

  return (
    <Page
      title={texts.title}
      lead={
        <p>
          <Breakable>{texts.lead}</Breakable>
        </p>
      }
      back={session.preselection.integration_id ? null : { view: 'choose' }}
    >
      <FieldForm form={form} onSubmit={() => void submit()}>
        {problem ? <FormProblem problem={problem} more={more} /> : null}
        {isRefused ? (
          <Notice tone="warning" role="alert">
            <p>{texts.notAllowed}</p>
          </Notice>
        ) : null}
        {/* The server of a provider whose mailboxes are not allowed cannot be entered by hand either. */}
        <FormActions
          submit={texts.submit}
          busy={busy}
          other={isRefused ? null : { label: texts.manually, onPress: onManual }}
        />
        <p role="status" className="help">
          {busy ? texts.searching : ''}
        </p>
      </FieldForm>
    </Page>
  );
}

function addressField({ address, placeholder }: { address: string; placeholder: string }): Field {
  return {
    ...{ id: 'email', type: 'email', label: address, placeholder, required: true, max: 254 },
    ...{ help: null, secret: false, multiple: false, default: null, pattern: null, min: null },
    ...{ visible_when: null, options: null, has_more: false },
  };
}
