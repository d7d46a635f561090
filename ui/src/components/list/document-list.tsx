import { useId } from 'react';
import type { Transaction } from '@docfetch/sdk';
import { formatAmount, formatShortDay } from '../../messages/date-format';
import { useDocumentMessages } from '../../messages/documents/use-document-messages';
import { useMessages } from '../../messages/use-messages';
import { File } from '../icons';
import { Facts } from './facts';
import { needsPage, ReadableButton } from './readable-button';

/** Documents with type, date, amount and other forms of them, and on request whether they have reached the client, with a page for XML invoices. */
export function DocumentList({
  documents,
  showsDelivery = false,
}: {
  readonly documents: readonly Transaction[];
  readonly showsDelivery?: boolean;
}) {
  const { messages, lang } = useMessages();
  const documentMessages = useDocumentMessages();
  const listId = useId();
  return (
    <ul className="documents">
      {documents.map((transaction) => {
        const { transaction_uuid, document, metadata, document_type, provisioning, renditions } = transaction;
        const nameId = `${listId}${transaction_uuid}`;
        return (
          <li key={transaction_uuid}>
            <File />
            <span className="document-name" id={nameId}>
              {document.filename}
            </span>
            {showsDelivery ? (
              <span className={`delivery ${toneOf(provisioning.status)}`}>
                {documentMessages.delivery[provisioning.status]}
              </span>
            ) : null}
            <span className="about">
              <Facts
                facts={[
                  // A document of no known type: its name says that it is one.
                  document_type === 'document' ? null : messages.documentType[document_type],
                  metadata.date ? formatShortDay(metadata.date, lang) : null,
                  metadata.amount ? formatAmount(metadata.amount, metadata.currency ?? null, lang) : null,
                  renditions.length > 0
                    ? documentMessages.alsoAs(renditions.map(({ filename }) => filename).join(', '))
                    : null,
                ]}
              />
            </span>
            {showsDelivery && needsPage(transaction) ? (
              <ReadableButton transaction={transaction} describedBy={nameId} />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function toneOf(status: Transaction['provisioning']['status']): 'good' | 'bad' | 'plain' {
  if (status === 'DELIVERED' || status === 'ACKNOWLEDGED') return 'good';
  return status === 'FAILED' || status === 'REJECTED' ? 'bad' : 'plain';
}
