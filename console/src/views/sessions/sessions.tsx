import { type ConsoleSessionSummary, listConsoleSessions, revokeConsoleSession } from '@docfetch/sdk';
import { useState } from 'react';
import { useMutation } from '../../../../ui/src/api/use-mutation';
import { Action } from '../../../../ui/src/components/action';
import { successMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Confirm } from '../../components/confirm';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { useConsoleMessages } from '../../messages/use-console-messages';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { browserName } from './browser-name';
import { useSessionMessages } from './messages/use-session-messages';

/** Who is signed in: for developers those of their environment, for the support team all. */
export function Sessions(_: ViewProps) {
  const messages = useSessionMessages();
  const { role: roles } = useConsoleMessages();
  const { client, role, environmentUuid } = useConsole();
  const [message, setMessage] = useFlash();
  const [ending, setEnding] = useState<ConsoleSessionSummary | null>(null);
  const [changes, setChanges] = useState(0);
  const filters: Filter[] =
    role === 'SUPPORT'
      ? [
          {
            ...{ name: 'environment_uuid', kind: 'choice', label: messages.scope },
            options: [[environmentUuid, messages.onlyThis]],
          },
        ]
      : [];
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <LiveRegion message={message} />
      <List
        name="sessions"
        caption={messages.title}
        filters={filters}
        changes={changes}
        empty={messages.empty}
        keyOf={({ session_uuid: uuid }) => uuid}
        load={(values, cursor) => listConsoleSessions({ client, query: { ...values, cursor, limit: 50 } })}
        columns={columnsOf(messages, roles, role === 'SUPPORT', setEnding)}
      />
      <EndSession
        session={ending}
        onClose={() => setEnding(null)}
        onEnded={() => {
          setEnding(null);
          setMessage(successMessage(messages.ended));
          setChanges((before) => before + 1);
        }}
      />
    </Page>
  );
}

function EndSession({
  session,
  onClose,
  onEnded,
}: {
  readonly session: ConsoleSessionSummary | null;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}) {
  const messages = useSessionMessages();
  const { client } = useConsole();
  const mutation = useMutation();
  const end = async () => {
    const path = { session_uuid: session!.session_uuid };
    if (await mutation.mutate(() => revokeConsoleSession({ client, path }))) onEnded();
  };
  return (
    <Confirm
      title={messages.endTitle}
      submit={messages.end}
      danger
      open={session !== null}
      onClose={onClose}
      onConfirm={() => void end()}
      mutation={mutation}
    >
      <p>{messages.endText}</p>
    </Confirm>
  );
}

/** `key:<uuid>`, or `cli:anna` and others who have created the link. */
function OpenedBy({ by, messages }: { readonly by: string; readonly messages: ReturnType<typeof useSessionMessages> }) {
  const [kind, ...rest] = by.split(':');
  const who = rest.join(':');
  if (kind !== 'key') return <span className="second">{messages.withLink(who)}</span>;
  return (
    <span className="second">
      {messages.withKey} <Copyable text={who} label={messages.key} short />
    </span>
  );
}

function columnsOf(
  messages: ReturnType<typeof useSessionMessages>,
  roles: ReturnType<typeof useConsoleMessages>['role'],
  withEnvironment: boolean,
  onEnd: (session: ConsoleSessionSummary) => void,
): Column<ConsoleSessionSummary>[] {
  return [
    {
      ...{ id: 'browser', label: messages.browser, isName: true },
      cell: ({ user_agent: agent, is_current: isCurrent }) => (
        <>
          <span title={agent ?? undefined}>{agent ? browserName(agent) : '–'}</span>{' '}
          {isCurrent ? <span className="tag">{messages.current}</span> : null}
        </>
      ),
    },
    { id: 'role', label: messages.role, cell: ({ role }) => <span className="tag">{roles[role]}</span> },
    ...(withEnvironment
      ? [
          {
            ...{ id: 'environment', label: messages.environment },
            cell: ({ environment_uuid: uuid }: ConsoleSessionSummary) => (
              <Copyable text={uuid} label={messages.environment} short />
            ),
          },
        ]
      : []),
    { id: 'used', label: messages.lastUsed, cell: ({ last_used_at: at }) => <Moment at={at} /> },
    {
      ...{ id: 'opened', label: messages.opened },
      cell: ({ created_at: at, opened_by: by }) => (
        <>
          <Moment at={at} />
          <OpenedBy by={by} messages={messages} />
        </>
      ),
    },
    { id: 'expires', label: messages.expires, cell: ({ expires_at: at }) => <Moment at={at} /> },
    {
      ...{ id: 'end', label: messages.end, isAction: true },
      cell: (session) =>
        session.is_current ? null : (
          <span className="row-actions">
            <Action variant="danger" onPress={() => onEnd(session)}>
              {messages.end}
            </Action>
          </span>
        ),
    },
  ];
}
