import type { EventDelivery } from '@docfetch/sdk';
import { Badge, type BadgeTone } from '../../components/badge';
import { ConsoleLink } from '../../components/console-link';
import { hrefOf } from '../../route';
import { useEventMessages } from './messages/use-event-messages';

const TONES: Readonly<Record<EventDelivery['status'], BadgeTone>> = {
  SENT: 'good',
  FAILED: 'bad',
  INTERRUPTED: 'wait',
};

/** The delivery of an event to each webhook; a link leads to its log. */
export function EventDeliveries({ deliveries }: { readonly deliveries: readonly EventDelivery[] }) {
  const messages = useEventMessages();
  if (deliveries.length === 0) return <span className="soft">{messages.noDeliveries}</span>;
  return (
    <ul className="code-list">
      {deliveries.map(({ webhook_uuid: uuid, status, response_status: code, sent_at: at }, index) => (
        <li key={`${uuid} ${at} ${index}`}>
          <ConsoleLink href={hrefOf(`webhooks/${uuid}`)}>
            <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>
          </ConsoleLink>{' '}
          <span className="soft">{code === null ? messages.noAnswer : messages.status(code)}</span>
        </li>
      ))}
    </ul>
  );
}
