import { type Connection, createTokenV1 } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useConsole } from '../../session/console-session';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

const FIELDS = ['return_url'];

/** Creates a link to the repair of this connection in the hosted UI, which the developer sends to the user. */
export function UserLink({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const messages = useConnectionViewMessages();
  const { client, environment } = useConsole();
  const origin = environment?.return_origins[0];
  const [returnUrl, setReturnUrl] = useState<string | null>(null);
  const [link, setLink] = useState<{ readonly url: string; readonly until: string } | null>(null);
  const mutation = useMutation();
  const entered = returnUrl ?? (origin ? `${origin}/` : '');
  const create = async () => {
    setLink(null);
    const body = {
      identity_uuid: connection.identity_uuid,
      connection_uuid: connection.uuid,
      return_url: entered.trim(),
    };
    const created = await mutation.mutate(async () => (await createTokenV1({ client, body })).data);
    if (created) setLink({ url: created.data.ui_url, until: created.data.expires_at });
  };
  return (
    <Form
      fields={FIELDS}
      mutation={mutation}
      submit={messages.createLink}
      onSubmit={() => void create()}
      onCancel={onClose}
      closes
    >
      <p>{messages.linkText}</p>
      <TextField
        {...{ name: 'return_url', label: messages.returnUrl, help: messages.returnUrlHelp, type: 'url' }}
        value={entered}
        onChange={setReturnUrl}
      />
      <div role="status">
        {link ? (
          <>
            <p>
              {messages.linkReady} <Moment at={link.until} until />
            </p>
            <p className="long-code">
              <Copyable text={link.url} label={messages.linkName} />
            </p>
          </>
        ) : null}
      </div>
    </Form>
  );
}
