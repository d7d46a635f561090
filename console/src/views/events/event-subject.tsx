import type { Event } from '@docfetch/sdk';
import { Expandable } from '../../../../ui/src/components/expandable';
import { ConsoleLink } from '../../components/console-link';
import { hrefOf } from '../../route';
import { useEventMessages } from './messages/use-event-messages';

/** Links to the objects of an event, and its data as webhooks receive them. They contain no content of documents. */
export function EventSubject({ event: { data } }: { readonly event: Event }) {
  const messages = useEventMessages();
  const { client_identifier: identifier, ...ids } = data as Readonly<Record<string, unknown>>;
  const links = [
    ['connections', ids.connection_uuid, messages.openConnection],
    ['transactions', ids.transaction_uuid, messages.openTransaction],
  ] as const;
  return (
    <>
      <span className="row-links">
        {typeof identifier === 'string' ? <code>{identifier}</code> : null}
        {links.map(([view, uuid, label]) =>
          typeof uuid === 'string' ? (
            <ConsoleLink key={view} href={hrefOf(`${view}/${uuid}`)}>
              {label}
            </ConsoleLink>
          ) : null,
        )}
      </span>
      <Expandable title={messages.data}>
        <pre className="code-block">{JSON.stringify(data, null, 2)}</pre>
      </Expandable>
    </>
  );
}
