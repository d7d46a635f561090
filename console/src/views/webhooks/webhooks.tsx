import { listWebhooks, type Webhook } from '@docfetch/sdk';
import { useState } from 'react';
import { Action } from '../../../../ui/src/components/action';
import { Breakable } from '../../../../ui/src/components/breakable';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { useFlash } from '../../../../ui/src/components/flash-message';
import { ConsoleLink } from '../../components/console-link';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import { SecretDialog } from '../../components/secret-dialog';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { hrefOf, navigate } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useWebhookMessages } from './messages/use-webhook-messages';
import { WebhookDialog } from './webhook-form';
import { WebhookState } from './webhook-state';

/** All webhooks of the environment and of its connections. */
export function Webhooks(_: ViewProps) {
  const messages = useWebhookMessages();
  const { client } = useConsole();
  const [message] = useFlash();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ readonly uuid: string; readonly secret: string } | null>(null);
  return (
    <Page
      title={messages.title}
      lead={<p>{messages.lead}</p>}
      actions={
        <Action variant="primary" onPress={() => setOpen(true)}>
          {messages.create}
        </Action>
      }
    >
      <LiveRegion message={message} />
      <List
        name="webhooks"
        caption={messages.title}
        empty={messages.empty}
        keyOf={({ uuid }) => uuid}
        load={(_filters, cursor) => listWebhooks({ client, query: { cursor, limit: 50 } })}
        columns={columnsOf(messages)}
      />
      <WebhookDialog
        open={isOpen}
        webhook={null}
        onClose={() => setOpen(false)}
        onSaved={({ uuid, secret }) => {
          setOpen(false);
          setCreated({ uuid, secret: secret! });
        }}
      />
      <SecretDialog
        title={messages.secretTitle}
        secrets={created && [{ label: messages.secret, value: created.secret, help: messages.secretHelp }]}
        onClose={() => navigate(hrefOf(`webhooks/${created!.uuid}`))}
      />
    </Page>
  );
}

function columnsOf(messages: ReturnType<typeof useWebhookMessages>): Column<Webhook>[] {
  return [
    {
      ...{ id: 'url', label: messages.url, isName: true },
      cell: ({ uuid, url }) => (
        <ConsoleLink href={hrefOf(`webhooks/${uuid}`)}>
          <Breakable>{url}</Breakable>
        </ConsoleLink>
      ),
    },
    { id: 'state', label: messages.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      ...{ id: 'events', label: messages.events },
      cell: ({ events }) => (
        <ul className="code-list">
          {events.map((type) => (
            <li key={type}>
              <code>
                <Breakable>{type}</Breakable>
              </code>
            </li>
          ))}
        </ul>
      ),
    },
    {
      ...{ id: 'scope', label: messages.scope },
      cell: ({ connection_uuid: uuid }) =>
        uuid ? (
          <ConsoleLink href={hrefOf(`connections/${uuid}`)}>{messages.oneConnection}</ConsoleLink>
        ) : (
          messages.wholeEnvironment
        ),
    },
    { id: 'created', label: messages.created, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}
