import { type IntegrationStatus, listIntegrationStatus } from '@docfetch/sdk';
import { useState } from 'react';
import { Facts } from '../../../../ui/src/components/list/facts';
import { Loading } from '../../../../ui/src/components/loading';
import { ProblemNotice } from '../../../../ui/src/components/notice';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import type { Lang } from '../../../../ui/src/messages/date-format';
import { Badge } from '../../components/badge';
import { Page } from '../../components/page';
import { useLiveData } from '../../components/use-live-data';
import { FilterBar } from '../../list/filters';
import { type Filter, useFilters } from '../../list/use-filters';
import { type Column, Table } from '../../list/table';
import { formatNumber } from '../../messages/dates';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useIntegrationMessages } from './messages/use-integration-messages';

type Messages = ReturnType<typeof useIntegrationMessages>;

/** Counting all connections is costly, and the numbers change slowly. */
const REFRESH_MS = 60_000;
/** The service counts very many connections in the background. */
const COUNTING_MS = 3_000;

/** Which integrations this installation offers, what the others lack, and their connections. */
export function Integrations(_: ViewProps) {
  const messages = useIntegrationMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  const [isCounting, setCounting] = useState(false);
  const load = async () => {
    const { data: all } = await listIntegrationStatus({ client });
    setCounting(all.some(({ connections }) => connections === undefined));
    return all;
  };
  const { data, problem, reload } = useLiveData(load, 'integration status', isCounting ? COUNTING_MS : REFRESH_MS);
  const { choices } = messages;
  const filters: Filter[] = [
    { name: 'q', kind: 'search', label: messages.search },
    {
      ...{ name: 'show', kind: 'choice', label: messages.show },
      options: (['available', 'unavailable', 'used'] as const).map((id) => [id, choices[id]]),
    },
  ];
  const { values } = useFilters(filters);
  const shown = data?.filter((each) => isShown(each, values));
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <FilterBar filters={filters} />
      {problem ? <ProblemNotice problem={problem} retry={() => void reload()} /> : null}
      {data && shown ? (
        <>
          <p className="soft">
            {messages.summary(
              formatNumber(data.filter(({ available }) => available).length, lang),
              formatNumber(data.length, lang),
            )}{' '}
            {isCounting ? messages.counting : null}
          </p>
          {shown.length > 0 ? (
            <Table
              caption={messages.title}
              rows={shown}
              keyOf={({ integration_id: id }) => id}
              columns={columnsOf(messages, lang)}
            />
          ) : (
            <div className="empty">
              <p>{messages.nothing}</p>
            </div>
          )}
        </>
      ) : problem ? null : (
        <Loading />
      )}
    </Page>
  );
}

function isShown(integration: IntegrationStatus, { q = '', show }: Readonly<Record<string, string>>): boolean {
  const { name, integration_id: id, available, connections } = integration;
  if (!`${name} ${id}`.toLowerCase().includes(q.toLowerCase())) return false;
  // Until they are counted, any integration may have some.
  if (show === 'used') return connections?.total !== 0;
  return show === undefined || available === (show === 'available');
}

function columnsOf(messages: Messages, lang: Lang): Column<IntegrationStatus>[] {
  return [
    {
      ...{ id: 'name', label: messages.name, isName: true },
      cell: ({ name, integration_id: id, preset_of: preset }) => (
        <>
          <span>{name}</span>
          <code className="second">{preset ? `${id} (${preset})` : id}</code>
        </>
      ),
    },
    {
      ...{ id: 'availability', label: messages.availability },
      cell: ({ available, unavailable_because: reason, test_only: testOnly }) => (
        <>
          <Badge tone={available ? 'good' : 'off'}>{available ? messages.available : messages.unavailable}</Badge>
          {reason ? <span className="second">{messages.reasons[reason]}</span> : null}
          {testOnly ? <span className="second">{messages.testOnly}</span> : null}
        </>
      ),
    },
    {
      ...{ id: 'oauth', label: messages.oauth },
      cell: ({ has_oauth_client: has }) => (has === null ? '–' : has ? messages.hasOauth : messages.noOauth),
    },
    { id: 'maturity', label: messages.maturity, cell: ({ maturity }) => messages.maturities[maturity] },
    {
      ...{ id: 'connections', label: messages.connections },
      cell: ({ connections }) =>
        connections ? <Connections connections={connections} messages={messages} lang={lang} /> : null,
    },
  ];
}

function Connections({
  connections: { total, active, needs_attention: attention, overdue },
  messages,
  lang,
}: {
  readonly connections: NonNullable<IntegrationStatus['connections']>;
  readonly messages: Messages;
  readonly lang: Lang;
}) {
  if (total === 0) return <span className="soft">0</span>;
  const rest = [
    [active, messages.active],
    [attention, messages.attention],
    [overdue, messages.overdue],
  ] as const;
  return (
    <>
      <span>{formatNumber(total, lang)}</span>
      <span className="second">
        <Facts facts={rest.map(([count, label]) => (count > 0 ? `${label}: ${formatNumber(count, lang)}` : null))} />
      </span>
    </>
  );
}
