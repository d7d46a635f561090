import { type Connection, updateConnection } from '@docfetch/sdk';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import { fieldMessagesOf } from '../../api/problem';
import { useMutation } from '../../api/use-mutation';
import { Action } from '../../components/action';
import { FormProblem } from '../../fields/setup/server-trust';
import { ModalDialog } from '../../components/modal-dialog';
import { useSession } from '../../session/session';
import { useMessages } from '../../messages/use-messages';

interface RenameDialogProps {
  readonly connection: Connection;
  readonly open: boolean;
  readonly close: () => void;
  readonly renamed: () => Promise<void>;
}

export function RenameDialog({ connection, open, close, renamed }: RenameDialogProps) {
  const { messages } = useMessages();
  return (
    <ModalDialog title={messages.rename.title} open={open} onClose={close}>
      <RenameForm connection={connection} close={close} renamed={renamed} />
    </ModalDialog>
  );
}

function RenameForm({ connection, close, renamed }: Omit<RenameDialogProps, 'open'>) {
  const { messages } = useMessages();
  const { client, recordSuccess } = useSession();
  const [name, setName] = useState(connection.name);
  const [submitted, setSubmitted] = useState(false);
  const { mutate, busy, problem } = useMutation();
  const empty = name.trim() === '';
  const submit = async () => {
    setSubmitted(true);
    if (empty) return;
    const saved = await mutate(() =>
      updateConnection({ client, path: { uuid: connection.uuid }, body: { name: name.trim() } }),
    );
    if (!saved) return;
    recordSuccess('updated', connection.uuid);
    close();
    await renamed();
  };
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        className="field"
        value={name}
        onChange={setName}
        maxLength={255}
        isInvalid={submitted && empty}
        validationBehavior="aria"
        isRequired
        autoFocus
      >
        <Label className="label">{messages.rename.label}</Label>
        <div className="box">
          <Input className="input" autoComplete="off" />
        </div>
        <FieldError className="field-error">{messages.fields.errors.REQUIRED}</FieldError>
      </TextField>
      {problem ? <FormProblem problem={problem} more={fieldMessagesOf(problem)} /> : null}
      <div className="actions end">
        <Action variant="quiet" onPress={close}>
          {messages.cancel}
        </Action>
        <Action type="submit" variant="primary" busy={busy}>
          {messages.rename.submit}
        </Action>
      </div>
    </Form>
  );
}
