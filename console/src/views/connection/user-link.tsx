import { type Connection, createTokenV1 } from '@docfetch/sdk';
import { useState } from 'react';
import { Form, Input, Label, Text, TextField } from 'react-aria-components';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { useConsoleMessages } from '../../messages/use-console-messages';
import { useConsole } from '../../session/console-session';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

/** Creates a link to the repair of this connection in the hosted UI, which the developer sends to the user. */
export function UserLink({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const messages = useConnectionViewMessages();
  const { close } = useConsoleMessages();
  const { client, environment } = useConsole();
  const origin = environment?.return_origins[0];
  const [returnUrl, setReturnUrl] = useState(origin ? `${origin}/` : '');
  const [link, setLink] = useState<{ readonly url: string; readonly until: string } | null>(null);
  const { mutate, busy, problem } = useMutation();
  const create = async () => {
    const body = {
      identity_uuid: connection.identity_uuid,
      connection_uuid: connection.uuid,
      return_url: returnUrl.trim(),
    };
    const created = await mutate(async () => (await createTokenV1({ client, body })).data);
    if (created) setLink({ url: created.data.ui_url, until: created.data.expires_at });
  };
  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <p>{messages.linkText}</p>
      <TextField className="field" value={returnUrl} onChange={setReturnUrl} type="url" isRequired>
        <Label className="label">{messages.returnUrl}</Label>
        <div className="box">
          <Input className="input" spellCheck="false" />
        </div>
        <Text slot="description" className="help">
          {messages.returnUrlHelp}
        </Text>
      </TextField>
      {problem ? <ProblemNotice problem={problem} more={problem.fieldErrors.map(({ message }) => message)} /> : null}
      <div role="status">
        {link ? (
          <>
            <p>
              {messages.linkReady} <Moment at={link.until} inline />
            </p>
            <p className="long-code">
              <Copyable text={link.url} what={messages.linkName} />
            </p>
          </>
        ) : null}
      </div>
      <p className="actions end">
        <Action variant="quiet" onPress={onClose}>
          {close}
        </Action>
        <Action type="submit" variant="primary" busy={busy}>
          {messages.createLink}
        </Action>
      </p>
    </Form>
  );
}
