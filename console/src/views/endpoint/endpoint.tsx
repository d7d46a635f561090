import { type ConsoleEndpoint, getEndpoint } from '@docfetch/sdk';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { ConsoleLink } from '../../components/console-link';
import { Page, Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { EndpointState } from './endpoint-state';
import { LastFailures } from './last-failures';
import { LastHour } from './last-hour';
import { useEndpointMessages } from './messages/use-endpoint-messages';
import { TestPush } from './test-push';

/** Whether documents reach the application of the client, and how. */
export function Endpoint(_: ViewProps) {
  const messages = useEndpointMessages();
  const { client } = useConsole();
  const { data, problem, reload } = useLiveData(async () => (await getEndpoint({ client })).data, 'endpoint');
  const isPush = data?.strategy === 'PUSH';
  return (
    <Page title={messages.title}>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {data ? (
        <>
          <EndpointState endpoint={data} />
          {isPush ? (
            <>
              <LastHour endpoint={data} />
              <TestPush onDone={() => void reload()} />
              <LastFailures failures={data.last_failures} />
            </>
          ) : null}
          <Documents strategy={data.strategy} />
        </>
      ) : problem ? null : (
        <Loading />
      )}
    </Page>
  );
}

function Documents({ strategy }: Pick<ConsoleEndpoint, 'strategy'>) {
  const messages = useEndpointMessages();
  const waiting = strategy === 'PUSH' ? 'PENDING' : 'AVAILABLE';
  return (
    <Section title={messages.documents}>
      <ul className="link-list">
        <li>
          <ConsoleLink href={hrefOf('transactions', { status: waiting })}>{messages.waiting}</ConsoleLink>
        </li>
        <li>
          <ConsoleLink href={hrefOf('transactions', { status: 'FAILED' })}>{messages.failedDocuments}</ConsoleLink>
        </li>
        {strategy === 'WEBHOOK' ? (
          <li>
            <ConsoleLink href={hrefOf('webhooks')}>{messages.webhooks}</ConsoleLink>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}
