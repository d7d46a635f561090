import { type ApiKey, listApiKeys } from '@docfetch/sdk';
import { useState } from 'react';
import { Action } from '../../../../ui/src/components/action';
import { successMessage, useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Badge, type BadgeTone } from '../../components/badge';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { IssueKey, SCOPES } from './issue-key';
import { useKeyMessages } from './messages/use-key-messages';
import { nameOfKey } from './name-of-key';
import { RevokeKey } from './revoke-key';

const TONES: Readonly<Record<ApiKey['status'], BadgeTone>> = { ACTIVE: 'good', EXPIRED: 'off', REVOKED: 'off' };

/** The API keys of the environment. Developers can revoke them; the support team issues them. */
export function Keys(_: ViewProps) {
  const messages = useKeyMessages();
  const { client, role } = useConsole();
  const [message, setMessage] = useFlash();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [changes, setChanges] = useState(0);
  const reload = () => setChanges((before) => before + 1);
  return (
    <Page
      title={messages.title}
      lead={<p>{messages.lead}</p>}
      actions={role === 'SUPPORT' ? <IssueKey onIssued={reload} /> : null}
    >
      <LiveRegion message={message} />
      <List
        name="keys"
        caption={messages.title}
        changes={changes}
        empty={role === 'SUPPORT' ? messages.emptySupport : messages.empty}
        keyOf={({ key_uuid: uuid }) => uuid}
        load={(_filters, cursor) => listApiKeys({ client, query: { cursor, limit: 50 } })}
        columns={columnsOf(messages, setRevoking)}
      />
      <RevokeKey
        apiKey={revoking}
        onClose={() => setRevoking(null)}
        onRevoked={(name) => {
          setRevoking(null);
          setMessage(successMessage(messages.revoked(name)));
          reload();
        }}
      />
    </Page>
  );
}

function columnsOf(messages: ReturnType<typeof useKeyMessages>, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      ...{ id: 'key', label: messages.key, isName: true },
      cell: (key) => (
        <>
          <code>{nameOfKey(key)}</code>
          <span className="second">
            <Copyable text={key.key_uuid} label="UUID" short />
          </span>
        </>
      ),
    },
    {
      ...{ id: 'state', label: messages.state },
      cell: ({ status, revoked_at: at }) => (
        <>
          <Badge tone={TONES[status]}>{messages.states[status]}</Badge>
          {at ? (
            <span className="second">
              <Moment at={at} />
            </span>
          ) : null}
        </>
      ),
    },
    {
      ...{ id: 'limits', label: messages.limits },
      cell: ({ scopes, allowed_ips: ips }) => (
        <>
          {scopes.length === SCOPES.length
            ? messages.allScopes
            : scopes.map((one) => messages.scopeNames[one]).join(', ')}
          <span className="second">{ips.length > 0 ? <code>{ips.join(', ')}</code> : messages.allAddresses}</span>
        </>
      ),
    },
    {
      ...{ id: 'used', label: messages.lastUsed },
      cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : <span className="soft">{messages.notUsed}</span>),
    },
    { id: 'created', label: messages.created, cell: ({ created_at: at }) => <Moment at={at} /> },
    { id: 'expires', label: messages.expires, cell: ({ expires_at: at }) => <Moment at={at} /> },
    {
      ...{ id: 'revoke', label: messages.revoke, isAction: true },
      cell: (key) =>
        key.status === 'ACTIVE' ? (
          <span className="row-actions">
            <Action variant="danger" onPress={() => onRevoke(key)}>
              {messages.revoke} <span className="visually-hidden">{nameOfKey(key)}</span>
            </Action>
          </span>
        ) : null,
    },
  ];
}
