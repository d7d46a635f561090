import { type ConnectionHealth, type ConnectionStatus, type ConsoleOverview, getOverview } from '@docfetch/sdk';
import { useEffect } from 'react';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Badge } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { Page, Section } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { formatNumber } from '../../messages/dates';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import { HEALTH_TONES, STATUS_TONES } from '../connections/connection-states';
import { useConnectionMessages } from '../connections/messages/use-connection-messages';
import type { ViewProps } from '../views';
import { Attention } from './attention';
import { HourChart } from './hour-chart';
import { useOverviewMessages } from './messages/use-overview-messages';

const REFRESH_MS = 30_000;
const COUNTING_MS = 3_000;

/** Problems that need attention, the numbers of connections, and the last 24 hours. */
export function Overview(_: ViewProps) {
  const messages = useOverviewMessages();
  const { client } = useConsole();
  const { data, problem, reload } = useLiveData(
    async () => (await getOverview({ client })).data,
    'overview',
    REFRESH_MS,
  );
  return (
    <Page title={messages.title}>
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {!data && !problem ? <Loading /> : null}
      {data ? (
        <>
          <Attention entries={data.attention} />
          {data.connections ? <ConnectionCounts connections={data.connections} /> : <Counting reload={reload} />}
          <div className="side-by-side">
            <HourChart title={messages.fetches} hours={data.fetches} />
            <HourChart title={messages.deliveries} hours={data.deliveries} />
          </div>
        </>
      ) : null}
    </Page>
  );
}

/** The service counts very many connections in the background. */
function Counting({ reload }: { readonly reload: () => Promise<void> }) {
  const messages = useOverviewMessages();
  useEffect(() => {
    const timer = setInterval(() => void reload(), COUNTING_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <Section title={messages.connections}>
      <p className="soft">{messages.counting}</p>
    </Section>
  );
}

type Counts = NonNullable<ConsoleOverview['connections']>;

function ConnectionCounts({ connections }: { readonly connections: Counts }) {
  const messages = useOverviewMessages();
  const list = useConnectionMessages();
  const { lang } = useMessages();
  const { by_status: byStatus, by_health: byHealth } = connections;
  return (
    <Section title={messages.connections}>
      <div className="counts">
        <Count text={messages.total} count={formatNumber(connections.total, lang)} href={hrefOf('connections')} />
        {(Object.keys(STATUS_TONES) as ConnectionStatus[]).map((status) => (
          <Count
            key={status}
            text={<Badge tone={byStatus[status] ? STATUS_TONES[status] : 'off'}>{list.statuses[status]}</Badge>}
            count={formatNumber(byStatus[status] ?? 0, lang)}
            href={hrefOf('connections', { status })}
          />
        ))}
      </div>
      <h3>{messages.byHealth}</h3>
      <div className="counts">
        {(Object.keys(HEALTH_TONES) as ConnectionHealth[]).map((health) => (
          <Count
            key={health}
            text={<Badge tone={byHealth[health] ? HEALTH_TONES[health] : 'off'}>{list.healths[health]}</Badge>}
            count={formatNumber(byHealth[health] ?? 0, lang)}
            href={hrefOf('connections', { health })}
          />
        ))}
      </div>
    </Section>
  );
}

function Count({
  text,
  count,
  href,
}: {
  readonly text: React.ReactNode;
  readonly count: string;
  readonly href: string;
}) {
  return (
    <ConsoleLink href={href} className="count">
      <span className="count-number">{count}</span>
      <span>{text}</span>
    </ConsoleLink>
  );
}
