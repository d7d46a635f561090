import { type ApiKeyScope, issueApiKey } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { ModalDialog } from '../../../../ui/src/components/modal-dialog';
import { SecretDialog } from '../../components/secret-dialog';
import { ChecksField } from '../../form/check-fields';
import { LinesField, TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { linesOf, textOrNull } from '../../form/form-context';
import { useConsole } from '../../session/console-session';
import { useKeyMessages } from './messages/use-key-messages';

const FIELDS = ['scopes', 'allowed_ips', 'expires_at'];
export const SCOPES: readonly ApiKeyScope[] = ['read', 'write', 'admin'];

/** Only for the support team. */
export function IssueKey({ onIssued }: { readonly onIssued: () => void }) {
  const messages = useKeyMessages();
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <Action variant="primary" onPress={() => setOpen(true)}>
        {messages.issue}
      </Action>
      <ModalDialog title={messages.issueTitle} open={isOpen} onClose={() => setOpen(false)}>
        <IssueForm
          onClose={() => setOpen(false)}
          onIssued={(issued) => {
            setOpen(false);
            setKey(issued);
          }}
        />
      </ModalDialog>
      <SecretDialog
        title={messages.issued}
        secrets={key === null ? null : [{ label: messages.key, value: key }]}
        onClose={() => {
          setKey(null);
          onIssued();
        }}
      />
    </>
  );
}

function IssueForm({ onClose, onIssued }: { readonly onClose: () => void; readonly onIssued: (key: string) => void }) {
  const messages = useKeyMessages();
  const { client } = useConsole();
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(SCOPES);
  const [ips, setIps] = useState('');
  const [expiresAt, setExpiresAt] = useState('');
  const mutation = useMutation();
  const submit = async () => {
    const body = {
      expires_at: textOrNull(expiresAt),
      // A key with all of them also has the scopes that are added later.
      scopes: scopes.length === SCOPES.length ? null : [...scopes],
      allowed_ips: linesOf(ips),
    };
    const issued = await mutation.mutate(() => issueApiKey({ client, body }));
    if (issued) onIssued(issued.data.data.api_key);
  };
  return (
    <Form fields={FIELDS} mutation={mutation} submit={messages.issue} onSubmit={() => void submit()} onCancel={onClose}>
      <p>{messages.issueText}</p>
      <ChecksField
        {...{ name: 'scopes', label: messages.scopes }}
        value={scopes}
        onChange={setScopes}
        options={SCOPES.map((scope) => [scope, messages.scopeNames[scope], messages.scopeHelp[scope]] as const)}
      />
      <LinesField
        {...{ name: 'allowed_ips', label: messages.allowedIps, help: messages.allowedIpsHelp, optional: true }}
        value={ips}
        onChange={setIps}
      />
      <TextField
        {...{ name: 'expires_at', label: messages.expiresAt, help: messages.expiresHelp, type: 'date', optional: true }}
        value={expiresAt}
        onChange={setExpiresAt}
      />
    </Form>
  );
}
