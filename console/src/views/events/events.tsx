import { type Event, listLatestEvents, type ListLatestEventsData } from '@docfetch/sdk';
import { useState } from 'react';
import { Action } from '../../../../ui/src/components/action';
import { Breakable } from '../../../../ui/src/components/breakable';
import { useFlash } from '../../../../ui/src/components/flash-message';
import { LiveRegion } from '../../../../ui/src/components/live-region';
import { Copyable } from '../../components/copyable';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import type { Filter } from '../../list/use-filters';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { startOfDay } from '../../list/period';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { EVENT_TYPES } from '../webhooks/webhook-types';
import { EventSubject } from './event-subject';
import { EventDeliveries } from './event-deliveries';
import { useEventMessages } from './messages/use-event-messages';
import { ResendEvent } from './resend-event';

/** The log of events, with their deliveries to webhooks. */
export function Events(_: ViewProps) {
  const messages = useEventMessages();
  const { client } = useConsole();
  const [message, setMessage] = useFlash();
  const [resending, setResending] = useState<Event | null>(null);
  const filters: Filter[] = [
    { name: 'connection_uuid', kind: 'uuid', label: messages.connection },
    { name: 'type', kind: 'choice', label: messages.type, options: EVENT_TYPES.map((type) => [type, type]) },
    { name: 'created_from', kind: 'date', label: messages.from },
  ];
  return (
    <Page title={messages.title} lead={<p>{messages.lead}</p>}>
      <LiveRegion message={message} />
      <List
        name="events"
        caption={messages.title}
        filters={filters}
        empty={messages.empty}
        keyOf={({ event_uuid: uuid }) => uuid}
        load={(values, cursor) => listLatestEvents({ client, query: { ...queryOf(values), cursor, limit: 50 } })}
        columns={columnsOf(messages, setResending)}
      />
      <ResendEvent
        event={resending}
        onClose={() => setResending(null)}
        onResent={(result) => {
          setResending(null);
          setMessage(result);
        }}
      />
    </Page>
  );
}

function queryOf({ created_from: day, ...others }: Readonly<Record<string, string>>): ListLatestEventsData['query'] {
  return { ...others, ...(day && { created_from: startOfDay(day) }) };
}

function columnsOf(messages: ReturnType<typeof useEventMessages>, onResend: (event: Event) => void): Column<Event>[] {
  return [
    {
      ...{ id: 'type', label: messages.event, isName: true },
      cell: ({ type, event_uuid: uuid }) => (
        <>
          <code>
            <Breakable>{type}</Breakable>
          </code>
          <span className="second">
            <Copyable text={uuid} label="webhook-id" short />
          </span>
        </>
      ),
    },
    { id: 'subject', label: messages.subject, cell: (event) => <EventSubject event={event} /> },
    {
      ...{ id: 'deliveries', label: messages.deliveries },
      cell: ({ deliveries }) => <EventDeliveries deliveries={deliveries} />,
    },
    { id: 'when', label: messages.when, cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      ...{ id: 'resend', label: messages.resend, isAction: true },
      cell: (event) => (
        <span className="row-actions">
          <Action onPress={() => onResend(event)}>
            {messages.resend} <span className="visually-hidden">{event.type}</span>
          </Action>
        </span>
      ),
    },
  ];
}
