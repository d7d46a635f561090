import { requestSource } from '@docfetch/sdk';
import { useEffect, useRef, useState } from 'react';
import { FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';
import { fieldMessagesOf } from '../api/problem';
import { useMutation } from '../api/use-mutation';
import { Notice } from '../components/notice';
import { FormActions } from '../fields/form-actions';
import { FormProblem } from '../fields/setup/server-trust';
import { useSession } from '../session/session';
import { useMessages } from '../messages/use-messages';

/** The limit of the service. */
const MAX_LENGTH = 500;

/** Passes the name of a missing source to the client application. */
export function MissingSourceForm({ initialText, cancel }: { initialText: string; cancel: () => void }) {
  const { messages } = useMessages();
  const { client, clientName } = useSession();
  const [text, setText] = useState(initialText);
  const [submitted, setSubmitted] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const { mutate, busy, problem } = useMutation();
  const { missing } = messages.choose;
  const line = text.replace(/\s+/g, ' ').trim();
  const submit = async () => {
    setSubmitted(true);
    if (line !== '' && (await mutate(() => requestSource({ client, body: { text: line } })))) setSent(line);
  };
  if (sent !== null) return <Sent text={missing.done(sent, clientName)} />;
  return (
    <Form
      className="form"
      aria-label={missing.title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        className="field"
        value={text}
        onChange={setText}
        maxLength={MAX_LENGTH}
        isInvalid={submitted && line === ''}
        validationBehavior="aria"
        isRequired
        autoFocus
      >
        <Label className="label">{missing.label}</Label>
        <div className="box">
          <Input className="input" autoComplete="off" />
        </div>
        <Text slot="description" className="help">
          {missing.help(clientName)}
        </Text>
        <FieldError className="field-error">{messages.fields.errors.REQUIRED}</FieldError>
      </TextField>
      {problem ? <FormProblem problem={problem} more={fieldMessagesOf(problem)} /> : null}
      <FormActions submit={missing.submit} busy={busy} other={{ label: messages.cancel, onPress: cancel }} />
    </Form>
  );
}

/** Takes the focus from the form that it replaces, so that screen readers read it. */
function Sent({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div ref={element} className="sent" tabIndex={-1}>
      <Notice tone="good">
        <p>{text}</p>
      </Notice>
    </div>
  );
}
