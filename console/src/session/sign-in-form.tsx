import { type ConsoleSession, openConsoleSession } from '@docfetch/sdk';
import { useRef, useState } from 'react';
import { FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';
import { type Problem, problemOf } from '../../../ui/src/api/problem';
import { Action } from '../../../ui/src/components/action';
import { Notice, ProblemNotice } from '../../../ui/src/components/notice';
import { useMessages } from '../../../ui/src/messages/use-messages';
import { useConsoleMessages } from '../messages/use-console-messages';
import { clientFor } from './client';

/** Signs in with an API key. */
export function SignInForm({
  onOpen,
  autoFocus = false,
}: {
  readonly onOpen: (session: ConsoleSession) => void;
  readonly autoFocus?: boolean;
}) {
  const { lang } = useMessages();
  const { signIn } = useConsoleMessages();
  const [key, setKey] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const submit = async () => {
    setProblem(null);
    setMissing(key.trim() === '');
    if (key.trim() === '') return input.current?.focus();
    setBusy(true);
    try {
      const client = clientFor(null, null, lang);
      onOpen((await openConsoleSession({ client, body: { api_key: key.trim() } })).data);
    } catch (error) {
      setProblem(problemOf(error));
      input.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form
      className="form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      <TextField
        className="field"
        type="password"
        value={key}
        onChange={setKey}
        isInvalid={missing}
        isRequired
        autoFocus={autoFocus}
        autoComplete="off"
      >
        <Label className="label">{signIn.apiKey}</Label>
        <div className="box">
          <Input className="input" ref={input} spellCheck="false" autoCapitalize="none" />
        </div>
        <Text slot="description" className="help">
          {signIn.apiKeyHelp}
        </Text>
        <FieldError className="field-error">{signIn.missing}</FieldError>
      </TextField>
      {problem?.kind === 'invalid-token' ? (
        <Notice tone="bad" role="alert">
          <p>{problem.detail}</p>
        </Notice>
      ) : problem ? (
        <ProblemNotice problem={problem} />
      ) : null}
      <p className="actions">
        <Action type="submit" variant="primary" busy={busy}>
          {signIn.submit}
        </Action>
      </p>
    </Form>
  );
}
