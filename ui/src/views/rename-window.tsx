import { type Connection, updateConnection } from '@docfetch/sdk';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import { useAct } from '../api/use-act';
import { Action } from '../parts/action';
import { ProblemNotice } from '../parts/notice';
import { Window } from '../parts/window';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';

interface RenameProps {
  readonly connection: Connection;
  readonly open: boolean;
  readonly close: () => void;
  readonly renamed: () => Promise<void>;
}

export function RenameWindow({ connection, open, close, renamed }: RenameProps) {
  const { words } = useWords();
  return (
    <Window title={words.rename.title} open={open} onClose={close}>
      <RenameForm connection={connection} close={close} renamed={renamed} />
    </Window>
  );
}

function RenameForm({ connection, close, renamed }: Omit<RenameProps, 'open'>) {
  const { words } = useWords();
  const { client, achieved } = useSession();
  const [name, setName] = useState(connection.name);
  const [tried, setTried] = useState(false);
  const { act, busy, problem } = useAct();
  const empty = name.trim() === '';
  const submit = async () => {
    setTried(true);
    if (empty) return;
    const done = await act(() =>
      updateConnection({ client, path: { uuid: connection.uuid }, body: { name: name.trim() } }),
    );
    if (!done) return;
    achieved('updated', connection.uuid);
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
        isInvalid={tried && empty}
        validationBehavior="aria"
        isRequired
        autoFocus
      >
        <Label className="label">{words.rename.label}</Label>
        <div className="box">
          <Input className="input" autoComplete="off" />
        </div>
        <FieldError className="field-error">{words.fields.fault.REQUIRED}</FieldError>
      </TextField>
      {problem ? <ProblemNotice problem={problem} more={problem.faults.map(({ message }) => message)} /> : null}
      <div className="actions end">
        <Action weight="quiet" onPress={close}>
          {words.cancel}
        </Action>
        <Action type="submit" weight="primary" busy={busy}>
          {words.rename.submit}
        </Action>
      </div>
    </Form>
  );
}
