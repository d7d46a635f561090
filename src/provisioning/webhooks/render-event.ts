import type { EntityManager } from '@mikro-orm/postgresql';
import type { ConnectionStatus } from '../../connections/state/connection-facts';
import type { DocumentType } from '../../documents/metadata';
import { Fetch } from '../../fetches/history/fetch.entity';
import { fetchView } from '../../fetches/history/fetch.view';
import { prepared } from '../../platform/database/sql';
import type { DeliveryError } from '../../transactions/record/transaction.entity';
import { deliveryErrorView } from '../../transactions/feed/transaction.view';
import type { EndpointEventData } from '../circuit/record-endpoint-event';
import type { WebhookEvent } from './webhook-event.view';
import type { TOO_LARGE_FOR_PUSH } from '../../transactions/record/log-too-large';

/** A fact with what it is about; what is about a transaction is null when there is none. */
interface OutboxRow {
  readonly uuid: string;
  readonly type: string;
  readonly data: unknown;
  readonly created_at: string;
  readonly connection_uuid: string;
  readonly identity_uuid: string;
  readonly client_identifier: string;
  readonly transaction_uuid: string | null;
  readonly document_type: DocumentType;
  readonly external_id: string | null;
  readonly filename: string;
  readonly mime_type: string;
  readonly size: string;
  readonly sha256: string;
  readonly attempts: number;
}

const READ_STATEMENT = `
  select o.uuid, o.type, o.data, o.created_at, c.uuid as connection_uuid, i.uuid as identity_uuid, i.client_identifier,
    t.uuid as transaction_uuid, t.document_type, t.external_id, t.filename, t.mime_type, t.size, t.sha256, t.attempts
  from outbox o join connection c on c.uuid = o.subject_uuid join identity i on i.uuid = c.identity_uuid
  left join transaction t on t.uuid = (o.data->>'transaction_uuid')::uuid
  where o.uuid = any($1::uuid[])`;

/** What is sent of a fact (decisions 6), made from the rows as they are now; null when what it is about is gone. */
export async function renderEvent(em: EntityManager, eventUuid: string): Promise<WebhookEvent | null> {
  return (await renderEvents(em, [eventUuid])).get(eventUuid) ?? null;
}

/** The same for many facts, in at most three statements; those that are about something gone are left out. */
export async function renderEvents(
  em: EntityManager,
  eventUuids: readonly string[],
): Promise<ReadonlyMap<string, WebhookEvent>> {
  if (eventUuids.length === 0) return new Map();
  const facts = await prepared<OutboxRow>(em, READ_STATEMENT, [eventUuids]);
  const fetches = await readFetches(em, facts);
  const events = new Map<string, WebhookEvent>();
  for (const fact of facts) {
    const event = renderConnectionEvent(fact, fetches);
    if (event) events.set(fact.uuid, event);
  }
  const known = new Set(facts.map(({ uuid }) => uuid));
  return new Map([
    ...events,
    ...(await renderEndpointEvents(
      em,
      eventUuids.filter((uuid) => !known.has(uuid)),
    )),
  ]);
}

async function readFetches(em: EntityManager, facts: readonly OutboxRow[]): Promise<ReadonlyMap<string, Fetch>> {
  const uuids = facts
    .filter(({ type }) => type === 'fetch.finished')
    .map(({ data }) => (data as OutboxData['fetch.finished']).fetch_uuid);
  if (uuids.length === 0) return new Map();
  return new Map((await em.find(Fetch, { uuid: { $in: uuids } })).map((fetch) => [fetch.uuid, fetch]));
}

function renderConnectionEvent(fact: OutboxRow, fetches: ReadonlyMap<string, Fetch>): WebhookEvent | null {
  const timestamp = new Date(fact.created_at).toISOString();
  const about = {
    client_identifier: fact.client_identifier,
    identity_uuid: fact.identity_uuid,
    connection_uuid: fact.connection_uuid,
  };
  switch (fact.type) {
    case 'document.available': {
      const { reason } = fact.data as OutboxData['document.available'];
      const document = renderDocument(fact);
      return document && { type: fact.type, timestamp, data: { ...about, ...document, ...(reason && { reason }) } };
    }
    case 'connection.status_changed': {
      const { from, to, cause } = fact.data as OutboxData['connection.status_changed'];
      // The cause is who did it, or the code of what a fetch came upon.
      const reason = cause && /^[A-Z_]+$/.test(cause) ? cause : null;
      return { type: fact.type, timestamp, data: { ...about, status: to, previous_status: from, reason } };
    }
    case 'fetch.finished': {
      const fetch = fetches.get((fact.data as OutboxData['fetch.finished']).fetch_uuid) ?? null;
      return fetch && { type: fact.type, timestamp, data: { ...about, fetch: fetchView(fetch) } };
    }
    case 'delivery.failed': {
      const { error } = fact.data as OutboxData['delivery.failed'];
      const { attempts } = fact;
      const document = renderDocument(fact);
      return (
        document && {
          type: fact.type,
          timestamp,
          data: { ...about, ...document, attempts, error: deliveryErrorView(error) },
        }
      );
    }
    default:
      throw new Error(`Nothing is known of events of the type ${fact.type}.`);
  }
}

interface EndpointEventRow {
  readonly uuid: string;
  readonly type: 'endpoint.failing' | 'endpoint.recovered';
  readonly data: EndpointEventData;
  readonly created_at: string;
}

/** Facts about an environment's endpoint, not about a connection: each holds all that is sent (decisions 9). */
async function renderEndpointEvents(em: EntityManager, uuids: readonly string[]): Promise<[string, WebhookEvent][]> {
  if (uuids.length === 0) return [];
  const facts = await prepared<EndpointEventRow>(
    em,
    `select uuid, type, data, created_at from outbox
     where uuid = any($1::uuid[]) and type in ('endpoint.failing', 'endpoint.recovered')`,
    [uuids],
  );
  return facts.map(({ uuid, type, data: { url, since, error, waiting }, created_at }) => {
    const timestamp = new Date(created_at).toISOString();
    return [uuid, { type, timestamp, data: { url, since, last_error: deliveryErrorView(error), waiting } }];
  });
}

/** What the facts hold, as they are written into the outbox. */
interface OutboxData {
  'document.available': { readonly transaction_uuid: string; readonly reason?: typeof TOO_LARGE_FOR_PUSH };
  'connection.status_changed': {
    readonly from: ConnectionStatus;
    readonly to: ConnectionStatus;
    readonly cause: string | null;
  };
  'fetch.finished': { readonly fetch_uuid: string };
  'delivery.failed': { readonly transaction_uuid: string; readonly error: DeliveryError };
}

function renderDocument(fact: OutboxRow) {
  if (fact.transaction_uuid === null) return null;
  return {
    transaction_uuid: fact.transaction_uuid,
    document_type: fact.document_type,
    external_id: fact.external_id,
    filename: fact.filename,
    mime_type: fact.mime_type,
    size: Number(fact.size),
    sha256: fact.sha256,
  };
}
