import type { Transaction } from '@docfetch/sdk';
import { useMessages } from '../../../../../ui/src/messages/use-messages';
import { ConsoleLink } from '../../../components/console-link';
import { Copyable } from '../../../components/copyable';
import { DescriptionList } from '../../../components/description-list';
import { Moment } from '../../../components/moment';
import { Section } from '../../../components/page';
import { formatNumber } from '../../../messages/dates';
import { hrefOf } from '../../../route';
import { useTransactionMessages } from '../../transactions/messages/use-transaction-messages';
import { useTransactionViewMessages } from '../messages/use-transaction-view-messages';

export function TransactionDetails({ transaction }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const list = useTransactionMessages();
  const { lang } = useMessages();
  const { document, metadata } = transaction;
  const sameAs = metadata.same_as ?? [];
  return (
    <Section title={messages.details}>
      <DescriptionList
        rows={[
          [list.type, list.documentTypes[transaction.document_type]],
          [messages.uuid, <Copyable text={transaction.transaction_uuid} label={messages.uuid} />],
          [messages.mimeType, document.mime_type],
          [messages.size, messages.bytes(formatNumber(document.size, lang))],
          ['SHA-256', <Copyable text={document.sha256} label="SHA-256" short />],
          [
            messages.externalId,
            transaction.external_id ? (
              <Copyable
                text={transaction.external_id}
                label={messages.externalId}
                short={transaction.external_id.length > 40}
              />
            ) : null,
          ],
          [
            messages.connection,
            <ConsoleLink href={hrefOf(`connections/${transaction.connection_uuid}`)}>
              {transaction.integration_id}
            </ConsoleLink>,
          ],
          [
            messages.identity,
            <ConsoleLink href={hrefOf('connections', { q: transaction.client_identifier })}>
              {transaction.client_identifier}
            </ConsoleLink>,
          ],
          [messages.created, <Moment at={transaction.created_at} inline />],
          [messages.until, document.available_until === null ? null : <Moment at={document.available_until} until />],
          sameAs.length > 0 && [
            messages.sameAs,
            <ul>
              {sameAs.map((uuid) => (
                <li key={uuid}>
                  <ConsoleLink href={hrefOf(`transactions/${uuid}`)}>
                    <code>{uuid}</code>
                  </ConsoleLink>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
    </Section>
  );
}

export function DeliveryDetails({ transaction: { provisioning } }: { readonly transaction: Transaction }) {
  const messages = useTransactionViewMessages();
  const list = useTransactionMessages();
  const { lang } = useMessages();
  const { last_error: error } = provisioning;
  return (
    <Section title={messages.delivery}>
      <DescriptionList
        rows={[
          [messages.strategy, messages.strategies[provisioning.strategy]],
          [messages.status, list.statuses[provisioning.status]],
          (provisioning.strategy === 'PUSH' || provisioning.attempts > 0) && [
            messages.attemptCount,
            formatNumber(provisioning.attempts, lang),
          ],
          provisioning.last_attempt_at !== null && [
            messages.lastAttempt,
            <Moment at={provisioning.last_attempt_at} inline />,
          ],
          provisioning.next_attempt_at !== null && [
            messages.nextAttempt,
            <Moment at={provisioning.next_attempt_at} inline />,
          ],
          error && [
            messages.lastError,
            <>
              {error.message} <code>{[error.code, error.status].filter(Boolean).join(' ')}</code>
            </>,
          ],
        ]}
      />
    </Section>
  );
}
