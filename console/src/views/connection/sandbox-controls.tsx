import {
  type Connection,
  type DocumentType,
  placeSandboxDocuments,
  type SandboxFormat,
  type SandboxScenario,
  setSandboxScenario,
} from '@docfetch/sdk';
import { useState } from 'react';
import { fieldMessagesOf } from '../../../../ui/src/api/problem';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { type FlashMessage, successMessage } from '../../../../ui/src/components/flash-message';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { LIMITS } from '../../api/limits';
import { Section } from '../../components/page';
import { NumberField, SelectField } from '../../form/small-fields';
import { useConsole } from '../../session/console-session';
import { DOCUMENT_TYPES } from '../transactions/transaction-states';
import { useTransactionMessages } from '../transactions/messages/use-transaction-messages';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

const FORMATS: readonly SandboxFormat[] = ['PDF', 'XML', 'HYBRID'];

/** Controls the behavior of a source of the sandbox. */
export function SandboxControls({
  connection: { uuid },
  onDone,
}: {
  readonly connection: Connection;
  readonly onDone: (message: FlashMessage) => void;
}) {
  const messages = useConnectionViewMessages();
  const { documentTypes } = useTransactionMessages();
  const { client } = useConsole();
  const [scenario, setScenario] = useState<SandboxScenario>('normal');
  const [count, setCount] = useState(1);
  const [type, setType] = useState<DocumentType>('invoice');
  const [format, setFormat] = useState<SandboxFormat>('PDF');
  const { mutate, busy, problem } = useMutation();
  const path = { uuid };
  const run = async (request: () => Promise<unknown>, text: string) => {
    if (await mutate(request)) onDone(successMessage(text));
  };
  return (
    <Section title={messages.sandbox}>
      <p className="help">{messages.sandboxText}</p>
      <div className="small-form">
        <SelectField
          label={messages.scenario}
          value={scenario}
          options={Object.entries(messages.scenarios)}
          onChange={(value) => setScenario(value as SandboxScenario)}
        />
        <Action
          busy={busy}
          onPress={() =>
            void run(() => setSandboxScenario({ client, path, body: { scenario } }), messages.scenarioApplied)
          }
        >
          {messages.applyScenario}
        </Action>
      </div>
      <h3>{messages.place}</h3>
      <div className="small-form">
        <NumberField label={messages.placeCount} value={count} {...LIMITS.sandboxDocuments} onChange={setCount} />
        <SelectField
          label={messages.placeType}
          value={type}
          options={DOCUMENT_TYPES.map((id) => [id, documentTypes[id]])}
          onChange={(value) => setType(value as DocumentType)}
        />
        <SelectField
          label={messages.placeFormat}
          value={format}
          options={FORMATS.map((id) => [id, id])}
          onChange={(value) => setFormat(value as SandboxFormat)}
        />
        <Action
          busy={busy}
          onPress={() =>
            void run(
              () =>
                placeSandboxDocuments({
                  client,
                  path,
                  body: { count, document_type: type, format, external_id: true },
                }),
              messages.placed(count),
            )
          }
        >
          {messages.placeSubmit}
        </Action>
      </div>
      {problem ? <ProblemNotice problem={problem} more={fieldMessagesOf(problem)} /> : null}
    </Section>
  );
}
