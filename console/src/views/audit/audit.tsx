import { type AuditEntry, listAuditLog } from '@docfetch/sdk';
import { Breakable } from '../../../../ui/src/components/breakable';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { periodOf } from '../../list/period';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useAuditMessages } from './messages/use-audit-messages';

/** Who has changed what. The support team can ask for all environments. */
export function Audit(_: ViewProps) {
  const messages = useAuditMessages();
  const { client, role, session } = useConsole();
  const filters: Filter[] = [
    { name: 'action', kind: 'search', label: messages.actionFilter },
    { name: 'actor', kind: 'search', label: messages.actor },
    { name: 'subject_uuid', kind: 'uuid', label: messages.object },
    { name: 'from', kind: 'date', label: messages.from },
    { name: 'to', kind: 'date', label: messages.to },
    ...(role === 'SUPPORT'
      ? [
          {
            ...{ name: 'all_environments', kind: 'choice' as const, label: messages.scope },
            all: messages.thisEnvironment,
            options: [['true', messages.allEnvironments]] as const,
          },
        ]
      : []),
  ];
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <List
        name="audit"
        caption={messages.title}
        filters={filters}
        empty={messages.empty}
        keyOf={({ entry_uuid: uuid }) => uuid}
        load={(values, cursor) => listAuditLog({ client, query: { ...periodOf(values), cursor, limit: 50 } })}
        columns={columnsOf(messages, session.actor, role === 'SUPPORT')}
      />
    </Page>
  );
}

type Messages = ReturnType<typeof useAuditMessages>;

function columnsOf(messages: Messages, self: string, withEnvironment: boolean): Column<AuditEntry>[] {
  return [
    { id: 'action', label: messages.action, isName: true, cell: ({ action }) => <Action action={action} /> },
    {
      id: 'actor',
      keepsWords: true,
      label: messages.actor,
      cell: ({ actor }) => <Actor actor={actor} self={self} messages={messages} />,
    },
    {
      ...{ id: 'object', label: messages.object },
      cell: ({ subject_uuid: uuid }) => (uuid ? <Copyable text={uuid} label={messages.object} short /> : null),
    },
    ...(withEnvironment
      ? [
          {
            ...{ id: 'environment', label: messages.environment },
            cell: ({ environment_uuid: uuid }: AuditEntry) =>
              uuid ? <Copyable text={uuid} label={messages.environment} short /> : messages.installation,
          },
        ]
      : []),
    { id: 'details', label: messages.details, cell: ({ details }) => <Details details={details} /> },
    { id: 'when', label: messages.when, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}

const Action = ({ action }: Pick<AuditEntry, 'action'>) => (
  <code>
    <Breakable>{action}</Breakable>
  </code>
);

/** `cli:anna`, `console:<session>`, `key:<uuid>`, `token:<identity>`. */
function Actor({ actor, self, messages }: { actor: string; self: string; messages: Messages }) {
  const [kind = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  const label = messages.actors[kind as keyof Messages['actors']];
  if (!label) return <code>{actor}</code>;
  return (
    <>
      <span>{label}</span>
      <span className="second">
        {actor === self ? `(${messages.you}) ` : null}
        {kind === 'cli' ? name : <Copyable text={name} label={label} short />}
      </span>
    </>
  );
}

function Details({ details }: { readonly details: AuditEntry['details'] }) {
  const entries = Object.entries(details);
  if (entries.length === 0) return null;
  return (
    <ul className="code-list">
      {entries.map(([name, value]) => (
        <li key={name}>
          <span className="soft">{name}:</span> {typeof value === 'string' ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  );
}
