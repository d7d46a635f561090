import { type ConsoleEndpointTest, testEndpoint } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { Notice, ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Section } from '../../components/page';
import { formatMs } from '../../messages/durations';
import { useConsole } from '../../session/console-session';
import { useEndpointMessages } from './messages/use-endpoint-messages';

/** Sends a test push, and shows its request and response. */
export function TestPush({ onDone }: { readonly onDone: () => void }) {
  const messages = useEndpointMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [result, setResult] = useState<ConsoleEndpointTest | null>(null);
  const { mutate, busy, problem } = useMutation();
  const send = async () => {
    const answer = await mutate(() => testEndpoint({ client }));
    setResult(answer?.data.data ?? null);
    onDone();
  };
  const duration = formatMs(result?.duration_ms ?? 0, lang);
  return (
    <Section title={messages.test}>
      <p className="view-lead">{messages.testText}</p>
      <p className="actions">
        <Action busy={busy} onPress={() => void send()}>
          {messages.send}
        </Action>
      </p>
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div role="status">
        {result ? (
          <Notice tone={result.error ? 'warning' : 'good'}>
            <p>{result.error ? result.error.message : messages.accepts(duration)}</p>
          </Notice>
        ) : null}
      </div>
      {result ? <Exchange result={result} duration={duration} /> : null}
    </Section>
  );
}

function Exchange({
  result: { request, response },
  duration,
}: {
  readonly result: ConsoleEndpointTest;
  readonly duration: string;
}) {
  const messages = useEndpointMessages();
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`${request.method} ${request.url ?? ''}`, ...headers, '', JSON.stringify(request.body, null, 2)];
  return (
    <>
      <div className="exchange">
        <div>
          <h3 id="test-request">{messages.request}</h3>
          <pre className="code-block" tabIndex={0} role="region" aria-labelledby="test-request">
            {text.join('\n')}
          </pre>
        </div>
        <div>
          <h3 id="test-response">
            {messages.response} <span className="soft">{messages.duration(duration)}</span>
          </h3>
          <pre className="code-block" tabIndex={0} role="region" aria-labelledby="test-response">
            {response ? `${response.status}\n\n${response.excerpt}` : messages.noResponse}
          </pre>
        </div>
      </div>
      <p className="help">{messages.masked}</p>
    </>
  );
}
