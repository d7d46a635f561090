import type { EntityManager } from '@mikro-orm/postgresql';
import type { ConnectionStatus } from '../connections/connection-facts';
import { Connection } from '../connections/connection.entity';
import { Fetch } from '../fetches/fetch.entity';
import { fetchView } from '../fetches/fetch.view';
import { Identity } from '../identities/identity.entity';
import { OutboxEvent } from '../platform/outbox/outbox';
import { type DeliveryError, Transaction } from '../transactions/transaction.entity';
import type { WebhookEvent } from './webhook-event.view';
import type { TOO_LARGE_FOR_PUSH } from './webhook-event-data.view';

/** What is sent of a fact (contract 6), made from the rows as they are now; null when what it is about is gone. */
export async function eventOf(em: EntityManager, eventUuid: string): Promise<WebhookEvent | null> {
  const fact = await em.findOne(OutboxEvent, eventUuid);
  const connection = fact && (await em.findOne(Connection, fact.subjectUuid));
  const identity = connection && (await em.findOne(Identity, connection.identityUuid));
  if (!identity) return null;
  const timestamp = fact.createdAt.toISOString();
  const about = {
    client_identifier: identity.clientIdentifier,
    identity_uuid: identity.uuid,
    connection_uuid: connection.uuid,
  };
  switch (fact.type) {
    case 'document.available': {
      const { transaction_uuid: uuid, reason } = fact.data as Facts['document.available'];
      const transaction = await em.findOne(Transaction, uuid);
      if (!transaction) return null;
      return {
        type: fact.type,
        timestamp,
        data: { ...about, ...documentOf(transaction), ...(reason && { reason }) },
      };
    }
    case 'connection.status_changed': {
      const { from, to, cause } = fact.data as Facts['connection.status_changed'];
      // The cause is who did it, or the code of what a fetch came upon.
      const reason = cause && /^[A-Z_]+$/.test(cause) ? cause : null;
      return { type: fact.type, timestamp, data: { ...about, status: to, previous_status: from, reason } };
    }
    case 'fetch.finished': {
      const fetch = await em.findOne(Fetch, (fact.data as Facts['fetch.finished']).fetch_uuid);
      if (!fetch) return null;
      return { type: fact.type, timestamp, data: { ...about, fetch: fetchView(fetch) } };
    }
    case 'delivery.failed': {
      const { transaction_uuid: uuid, error } = fact.data as Facts['delivery.failed'];
      const transaction = await em.findOne(Transaction, uuid);
      if (!transaction) return null;
      const { attempts } = transaction;
      return { type: fact.type, timestamp, data: { ...about, ...documentOf(transaction), attempts, error } };
    }
    default:
      throw new Error(`Nothing is known of events of the type ${fact.type}.`);
  }
}

/** What the facts hold, as they are written into the outbox. */
interface Facts {
  'document.available': { readonly transaction_uuid: string; readonly reason?: typeof TOO_LARGE_FOR_PUSH };
  'connection.status_changed': {
    readonly from: ConnectionStatus;
    readonly to: ConnectionStatus;
    readonly cause: string | null;
  };
  'fetch.finished': { readonly fetch_uuid: string };
  'delivery.failed': { readonly transaction_uuid: string; readonly error: DeliveryError };
}

function documentOf(transaction: Transaction) {
  return {
    transaction_uuid: transaction.uuid,
    document_type: transaction.documentType,
    external_id: transaction.externalId ?? null,
    filename: transaction.filename,
    mime_type: transaction.mimeType,
    size: transaction.size,
    sha256: transaction.sha256,
  };
}
