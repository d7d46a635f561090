import type { ConsoleConnection } from '@docfetch/sdk';
import { formatDay } from '../../../../ui/src/messages/date-format';
import { useMessages } from '../../../../ui/src/messages/use-messages';
import { ConsoleLink } from '../../components/console-link';
import { Copyable } from '../../components/copyable';
import { DescriptionList } from '../../components/description-list';
import { Moment } from '../../components/moment';
import { Section } from '../../components/page';
import { useConsoleMessages } from '../../messages/use-console-messages';
import { hrefOf } from '../../route';
import { useConnectionViewMessages } from './messages/use-connection-view-messages';

export function ConnectionDetails({
  connection,
  integrationName,
}: {
  readonly connection: ConsoleConnection;
  readonly integrationName: string;
}) {
  const messages = useConnectionViewMessages();
  const { yes } = useConsoleMessages();
  const { lang } = useMessages();
  const { manual_fetches: manual, startdate, identity } = connection;
  return (
    <Section title={messages.details}>
      <DescriptionList
        rows={[
          [messages.integration, integrationName],
          [messages.account, connection.account?.display],
          [messages.inbox, connection.inbox_address],
          [
            messages.identity,
            <ConsoleLink href={hrefOf('connections', { q: identity.client_identifier })}>
              {identity.display_name
                ? `${identity.display_name} (${identity.client_identifier})`
                : identity.client_identifier}
            </ConsoleLink>,
          ],
          [messages.identityUuid, <Copyable text={connection.identity_uuid} label={messages.identityUuid} />],
          [messages.uuid, <Copyable text={connection.uuid} label={messages.uuid} />],
          [messages.startdate, startdate ? formatDay(startdate, lang) : null],
          [messages.created, <Moment at={connection.created_at} inline />],
          [messages.lastSuccess, <Moment at={connection.last_success_at} inline />],
          connection.next_fetch_at !== null && [messages.nextFetch, <Moment at={connection.next_fetch_at} inline />],
          [messages.manual, messages.manualLeft(manual.remaining, manual.limit)],
          connection.webhook && [messages.webhook, yes],
        ]}
      />
    </Section>
  );
}
