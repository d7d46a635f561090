import { type ConsoleConnection, searchConnections } from '@docfetch/sdk';
import { Breakable } from '../../../../ui/src/components/breakable';
import { Facts } from '../../../../ui/src/components/list/facts';
import { Badge } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { Copyable } from '../../components/copyable';
import { LoadNotice } from '../../components/load-notice';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { HEALTH_TONES, STATUS_TONES } from './connection-states';
import { useConnectionMessages } from './messages/use-connection-messages';
import { useIntegrations } from './use-integrations';

const HEALTHS = ['OK', 'DEGRADED', 'ACTION_REQUIRED', 'UNKNOWN'] as const;
const STATUSES = ['ACTIVE', 'PENDING', 'INVALID_CREDENTIALS', 'DISABLED'] as const;

/** All connections of the environment, by identity, account, name or uuid. */
export function Connections(_: ViewProps) {
  const messages = useConnectionMessages();
  const { client } = useConsole();
  const { query: integrations, nameOf } = useIntegrations();
  const filters: Filter[] = [
    { name: 'q', kind: 'search', label: messages.search },
    {
      name: 'status',
      kind: 'choice',
      label: messages.status,
      options: STATUSES.map((id) => [id, messages.statuses[id]]),
    },
    {
      name: 'health',
      kind: 'choice',
      label: messages.health,
      options: HEALTHS.map((id) => [id, messages.healths[id]]),
    },
    {
      ...{ name: 'integration_id', kind: 'choice', label: messages.integration },
      options: (integrations.data ?? []).map(({ integration_id, name }) => [integration_id, name]),
    },
  ];
  return (
    <Page title={messages.title}>
      <LoadNotice query={integrations} text={messages.noIntegrations} />
      <List
        name="connections"
        caption={messages.title}
        filters={filters}
        empty={messages.empty}
        keyOf={({ uuid }) => uuid}
        load={(values, cursor) => searchConnections({ client, query: { ...values, cursor, limit: 50 } })}
        columns={columnsOf(messages, nameOf)}
      />
    </Page>
  );
}

function columnsOf(
  messages: ReturnType<typeof useConnectionMessages>,
  nameOf: (integrationId: string) => string,
): Column<ConsoleConnection>[] {
  return [
    {
      ...{ id: 'name', label: messages.connection, isName: true },
      cell: ({ uuid, name, account, integration_id }) => (
        <>
          <ConsoleLink href={hrefOf(`connections/${uuid}`)}>
            <Breakable>{name}</Breakable>
          </ConsoleLink>
          <span className="second">
            <Facts facts={[nameOf(integration_id), account?.display]} />
          </span>
        </>
      ),
    },
    {
      ...{ id: 'identity', label: messages.identity },
      cell: ({ identity }) => (
        <>
          {identity.display_name ? <span>{identity.display_name}</span> : null}
          <code className={identity.display_name ? 'second' : undefined}>{identity.client_identifier}</code>
        </>
      ),
    },
    {
      ...{ id: 'status', label: messages.status },
      cell: ({ status, health, explanation }) => (
        <>
          <Badge tone={STATUS_TONES[status]}>{messages.statuses[status]}</Badge>
          {health !== 'OK' ? <Badge tone={HEALTH_TONES[health]}>{messages.healths[health]}</Badge> : null}
          <span className="second">{explanation}</span>
        </>
      ),
    },
    {
      ...{ id: 'success', label: messages.lastSuccess },
      cell: ({ last_success_at }) => <Moment at={last_success_at} />,
    },
    {
      ...{ id: 'uuid', label: messages.uuid, isMinor: true },
      cell: ({ uuid }) => <Copyable text={uuid} label={messages.uuid} short />,
    },
  ];
}
