import { listWebhookDeliveries, type WebhookDelivery } from '@docfetch/sdk';
import { Breakable } from '../../../../ui/src/components/breakable';
import { Expandable } from '../../../../ui/src/components/expandable';
import type { Lang } from '../../../../ui/src/messages/date-format';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { Badge } from '../../components/badge';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { formatMs } from '../../messages/durations';
import { useConsole } from '../../session/console-session';
import { useWebhookMessages } from '../webhooks/messages/use-webhook-messages';
import { DELIVERY_TONES } from '../webhooks/webhook-types';

/** The deliveries to a webhook, newest first, with its responses. */
export function WebhookDeliveries({
  uuid,
  changes,
}: {
  readonly uuid: string;
  /** The list is loaded again when it grows. */
  readonly changes: number;
}) {
  const messages = useWebhookMessages();
  const { lang } = useMessages();
  const { client } = useConsole();
  return (
    <List
      name={`deliveries ${uuid}`}
      caption={messages.deliveries}
      changes={changes}
      empty={messages.deliveriesEmpty}
      keyOf={(row) => row.uuid}
      load={(_filters, cursor) => listWebhookDeliveries({ client, path: { uuid }, query: { cursor, limit: 50 } })}
      columns={columnsOf(messages, lang)}
    />
  );
}

function columnsOf(messages: ReturnType<typeof useWebhookMessages>, lang: Lang): Column<WebhookDelivery>[] {
  return [
    {
      ...{ id: 'type', label: messages.event, isName: true },
      cell: ({ type, webhook_id: id }) => (
        <>
          <code>
            <Breakable>{type}</Breakable>
          </code>
          <span className="second">
            <Copyable text={id} label="webhook-id" short />
          </span>
        </>
      ),
    },
    {
      ...{ id: 'state', label: messages.state },
      cell: ({ state, error }) => (
        <>
          <Badge tone={DELIVERY_TONES[state]}>{messages.states[state]}</Badge>
          {error ? <span className="second">{error.message}</span> : null}
        </>
      ),
    },
    {
      ...{ id: 'answer', label: messages.answer },
      cell: ({ status, duration_ms: duration, response_excerpt: excerpt, sent_at: sentAt }) =>
        sentAt === null ? null : (
          <>
            <span>
              {status ?? messages.noAnswer}
              {duration === null ? null : <span className="soft"> {formatMs(duration, lang)}</span>}
            </span>
            {excerpt ? (
              <Expandable title={messages.showAnswer}>
                <pre className="code-block">{excerpt}</pre>
              </Expandable>
            ) : null}
          </>
        ),
    },
    { id: 'queued', label: messages.queued, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}
