import type { ConsoleAttention } from '@docfetch/sdk';
import { Warning } from '../../../../ui/src/components/icons';
import { ConsoleLink } from '../../components/console-link';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { hrefOf } from '../../route';
import { useOverviewMessages } from './messages/use-overview-messages';

/** The most urgent first, in sentences of the service. */
export function Attention({ entries }: { readonly entries: readonly ConsoleAttention[] }) {
  const messages = useOverviewMessages();
  return (
    <Section title={messages.attention}>
      {entries.length === 0 ? <p className="help">{messages.nothing}</p> : null}
      <ul className="attention">
        {entries.map((entry, index) => (
          <li key={index}>
            <Warning />
            <div>
              <ConsoleLink href={placeOf(entry)}>{entry.text}</ConsoleLink>
              <p className="soft">
                <Moment at={entry.since} inline />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The view in which the problem can be fixed. */
function placeOf({ kind, connection_uuid: connection, webhook_uuid: webhook }: ConsoleAttention): string {
  switch (kind) {
    case 'ENDPOINT_FAILING':
      return hrefOf('endpoint');
    case 'DELIVERIES_FAILED':
      return hrefOf('transactions', { status: 'FAILED' });
    case 'API_KEY_EXPIRES':
      return hrefOf('keys');
    case 'WEBHOOK_DISABLED':
      return hrefOf(webhook ? `webhooks/${webhook}` : 'webhooks');
    case 'DOCUMENTS_MISSING':
      return hrefOf('sources', { tab: 'expected' });
    default:
      return connection ? hrefOf(`connections/${connection}`) : hrefOf('connections', { health: 'ACTION_REQUIRED' });
  }
}
