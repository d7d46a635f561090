import { listEnvironments, type ManagedEnvironment } from '@docfetch/sdk';
import { ConsoleLink } from '../../components/console-link';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { CreateEnvironment } from './create-environment';
import { intervalText } from './interval';
import { useEnvironmentsMessages } from './messages/use-environments-messages';

/** All environments of the installation. */
export function Environments(_: ViewProps) {
  const messages = useEnvironmentsMessages();
  const { client } = useConsole();
  const filters: Filter[] = [{ name: 'q', kind: 'search', label: messages.search }];
  return (
    <Page title={messages.title} actions={<CreateEnvironment />}>
      <List
        name="environments"
        caption={messages.title}
        filters={filters}
        empty={messages.empty}
        keyOf={({ environment_uuid: uuid }) => uuid}
        load={(values, cursor) => listEnvironments({ client, query: { ...values, cursor, limit: 50 } })}
        columns={columnsOf(messages)}
      />
    </Page>
  );
}

function columnsOf(messages: ReturnType<typeof useEnvironmentsMessages>): Column<ManagedEnvironment>[] {
  return [
    {
      ...{ id: 'name', label: messages.environment, isName: true },
      cell: ({ environment_uuid: uuid, client_name: client, name }) => (
        <ConsoleLink href={hrefOf('settings', {}, uuid)}>
          {client} · {name}
        </ConsoleLink>
      ),
    },
    { id: 'kind', label: messages.kind, cell: ({ kind }) => <span className="tag">{messages.kinds[kind]}</span> },
    { id: 'strategy', label: messages.strategy, cell: ({ strategy }) => messages.strategies[strategy] },
    {
      ...{ id: 'interval', label: messages.interval },
      cell: ({ fetch_interval_minutes: minutes }) => intervalText(minutes, messages),
    },
    { id: 'created', label: messages.created, cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      ...{ id: 'uuid', label: 'UUID' },
      cell: ({ environment_uuid: uuid }) => <Copyable text={uuid} label="UUID" short />,
    },
    {
      ...{ id: 'open', label: messages.open, isAction: true },
      cell: ({ environment_uuid: uuid, client_name: client, name }) => (
        <ConsoleLink href={hrefOf('connections', {}, uuid)} label={`${messages.open}: ${client} · ${name}`}>
          {messages.open}
        </ConsoleLink>
      ),
    },
  ];
}
