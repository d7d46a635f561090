import { type ConsoleHour, type Environment, getEnvironment, getOverview } from '@docfetch/sdk';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import type { Lang } from '../../../../ui/src/messages/date-format';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { ConsoleLink } from '../../components/console-link';
import { Page, Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { formatNumber } from '../../messages/dates';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { EndpointState } from './endpoint-state';
import { useEndpointMessages } from './messages/use-endpoint-messages';

type Messages = ReturnType<typeof useEndpointMessages>;

/** Whether documents reach the application of the client, and how. */
export function Endpoint(_: ViewProps) {
  const messages = useEndpointMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const { data, problem, reload } = useLiveData(async () => {
    const [environment, overview] = await Promise.all([getEnvironment({ client }), getOverview({ client })]);
    return { environment: environment.data, deliveries: overview.data.deliveries };
  }, 'endpoint');
  return (
    <Page title={messages.title}>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {data ? (
        <>
          <EndpointState environment={data.environment} />
          {data.environment.provisioning.strategy === 'PUSH' ? (
            <Attempts hours={data.deliveries} lang={lang} messages={messages} />
          ) : null}
          <Documents strategy={data.environment.provisioning.strategy} messages={messages} />
        </>
      ) : problem ? null : (
        <Loading />
      )}
    </Page>
  );
}

function Attempts({ hours, lang, messages }: { hours: readonly ConsoleHour[]; lang: Lang; messages: Messages }) {
  const sum = (of: readonly ConsoleHour[], what: 'ok' | 'failed') => of.reduce((all, hour) => all + hour[what], 0);
  const current = hours.slice(-1);
  const rows = [
    [`${messages.ok}, ${messages.lastHour}`, sum(current, 'ok')],
    [`${messages.failed}, ${messages.lastHour}`, sum(current, 'failed')],
    [`${messages.ok}, ${messages.lastDay}`, sum(hours, 'ok')],
    [`${messages.failed}, ${messages.lastDay}`, sum(hours, 'failed')],
  ] as const;
  return (
    <Section title={messages.attempts}>
      <dl className="numbers">
        {rows.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatNumber(count, lang)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Documents({
  strategy,
  messages,
}: {
  readonly strategy: Environment['provisioning']['strategy'];
  readonly messages: Messages;
}) {
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
