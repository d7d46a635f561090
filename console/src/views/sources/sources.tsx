import {
  type ConsoleExpectedDocument,
  type ConsoleSourceRequest,
  listExpectedDocuments,
  listSourceRequests,
} from '@docfetch/sdk';
import { formatDay, type Lang } from '../../../../ui/src/messages/date-format';
import { Notice } from '../../../../ui/src/components/notice';
import { Facts } from '../../../../ui/src/components/list/facts';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { ConsoleLink } from '../../components/console-link';
import { Moment } from '../../components/moment';
import { Page } from '../../components/page';
import { type Tab, Tabs, useTab } from '../../components/tabs';
import { List } from '../../list/list';
import type { Column } from '../../list/table';
import { hrefOf } from '../../route';
import { useConsole } from '../../session/console-session';
import type { ViewProps } from '../views';
import { useSourcesMessages } from './messages/use-sources-messages';

type Messages = ReturnType<typeof useSourcesMessages>;

/** Sources that users have requested, and missing invoices. */
export function Sources(_: ViewProps) {
  const messages = useSourcesMessages();
  const tabs: Tab[] = (['requested', 'expected'] as const).map((id) => ({ id, label: messages.tabs[id] }));
  const tab = useTab(tabs);
  return (
    <Page title={messages.title}>
      <Tabs label={messages.parts} tabs={tabs} />
      {tab === 'requested' ? <Requested key="requested" /> : <Expected key="expected" />}
    </Page>
  );
}

function Requested() {
  const messages = useSourcesMessages();
  const { client } = useConsole();
  const columns: Column<ConsoleSourceRequest>[] = [
    { id: 'text', label: messages.text, isName: true, cell: ({ text }) => text },
    {
      ...{ id: 'identity', label: messages.identity },
      cell: ({ client_identifier: identifier, display_name: name }) => (
        <>
          {name ? <span>{name}</span> : null}
          <span className="second">
            <ConsoleLink href={hrefOf('connections', { q: identifier })}>
              <code>{identifier}</code>
            </ConsoleLink>
          </span>
        </>
      ),
    },
    { id: 'when', label: messages.when, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
  return (
    <>
      <p className="view-lead">{messages.requestedLead}</p>
      <List
        name="source requests"
        caption={messages.tabs.requested}
        empty={messages.requestedEmpty}
        keyOf={({ event_uuid: uuid }) => uuid}
        load={(_filters, cursor) => listSourceRequests({ client, query: { cursor, limit: 50 } })}
        columns={columns}
      />
    </>
  );
}

function Expected() {
  const messages = useSourcesMessages();
  const { lang } = useMessages();
  const { client, environment } = useConsole();
  return (
    <>
      <p className="view-lead">{messages.expectedLead}</p>
      {environment && !environment.expected_documents ? (
        <Notice tone="info">
          <p>{messages.expectedOff}</p>
        </Notice>
      ) : null}
      <List
        name="expected documents"
        caption={messages.tabs.expected}
        empty={messages.expectedEmpty}
        keyOf={({ event_uuid: uuid }) => uuid}
        load={(_filters, cursor) => listExpectedDocuments({ client, query: { cursor, limit: 50 } })}
        columns={expectedColumns(messages, lang)}
      />
    </>
  );
}

function expectedColumns(messages: Messages, lang: Lang): Column<ConsoleExpectedDocument>[] {
  return [
    {
      ...{ id: 'supplier', label: messages.supplier, isName: true },
      cell: ({ supplier: { name, vat_id: vatId, iban } }) => (
        <>
          <span>{name ?? messages.unnamed}</span>
          <span className="second">
            <Facts facts={[vatId, iban]} />
          </span>
        </>
      ),
    },
    {
      ...{ id: 'by', label: messages.expectedBy },
      cell: ({ expected_by: day }) => formatDay(day, lang),
    },
    {
      ...{ id: 'dates', label: messages.lastDates },
      cell: ({ last_dates: days }) => days.map((day) => formatDay(day, lang)).join(', '),
    },
    {
      ...{ id: 'connection', label: messages.connection },
      cell: ({ connection_uuid: uuid, connection_name: name }) => (
        <ConsoleLink href={hrefOf(`connections/${uuid}`)}>{name}</ConsoleLink>
      ),
    },
    { id: 'when', label: messages.when, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}
