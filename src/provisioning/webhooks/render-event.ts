import type { EntityManager } from '@mikro-orm/postgresql';
import type { ConnectionStatus } from '../../identities/connection-status';
import type { DocumentType } from '../../documents/metadata';
import type { SourceRequestedData } from '../../identities/source-requests/request-source';
import { Fetch } from '../../fetches/history/fetch.entity';
import { fetchView } from '../../fetches/history/fetch.view';
import { prepared } from '../../platform/database/sql';
import type { DeliveryError } from '../../transactions/record/transaction.entity';
import { deliveryErrorView } from '../../transactions/feed/transaction.view';
import type { EndpointEventData } from '../circuit/record-endpoint-event';
import type { WebhookEvent } from './webhook-event.view';
import type { ExpectedMissingData } from '../../transactions/expected/record-missing-invoice';
import type { AvailableReason } from '../../transactions/record/available-reason';

/** An outbox event with its subject; the transaction's columns are null when it has none. */
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
  from outbox o join connection c on c.uuid = o.subject_uuid and c.environment_uuid = o.environment_uuid
  join identity i on i.uuid = c.identity_uuid and i.environment_uuid = c.environment_uuid
  left join transaction t on t.uuid = (o.data->>'transaction_uuid')::uuid and t.environment_uuid = o.environment_uuid
  where o.uuid = any($1::uuid[])`;

/** Renders the payload of an event (decisions 6) from the current rows; null when its subject has been deleted. */
export async function renderEvent(em: EntityManager, eventUuid: string): Promise<WebhookEvent | null> {
  return (await renderEvents(em, [eventUuid])).get(eventUuid) ?? null;
}

/** Renders many events in at most three statements; those with a deleted subject are left out. */
export async function renderEvents(
  em: EntityManager,
  eventUuids: readonly string[],
): Promise<ReadonlyMap<string, WebhookEvent>> {
  if (eventUuids.length === 0) return new Map();
  const rows = await prepared<OutboxRow>(em, READ_STATEMENT, [eventUuids]);
  const fetches = await readFetches(em, rows);
  const events = new Map<string, WebhookEvent>();
  for (const row of rows) {
    const event = renderConnectionEvent(row, fetches);
    if (event) events.set(row.uuid, event);
  }
  const known = new Set(rows.map(({ uuid }) => uuid));
  return new Map([
    ...events,
    ...(await renderCompleteEvents(
      em,
      eventUuids.filter((uuid) => !known.has(uuid)),
    )),
  ]);
}

async function readFetches(em: EntityManager, rows: readonly OutboxRow[]): Promise<ReadonlyMap<string, Fetch>> {
  const uuids = rows
    .filter(({ type }) => type === 'fetch.finished')
    .map(({ data }) => (data as OutboxData['fetch.finished']).fetch_uuid);
  if (uuids.length === 0) return new Map();
  return new Map((await em.find(Fetch, { uuid: { $in: uuids } })).map((fetch) => [fetch.uuid, fetch]));
}

function renderConnectionEvent(row: OutboxRow, fetches: ReadonlyMap<string, Fetch>): WebhookEvent | null {
  const timestamp = new Date(row.created_at).toISOString();
  const about = {
    client_identifier: row.client_identifier,
    identity_uuid: row.identity_uuid,
    connection_uuid: row.connection_uuid,
  };
  switch (row.type) {
    case 'document.available': {
      const { reason } = row.data as OutboxData['document.available'];
      const document = renderDocument(row);
      return document && { type: row.type, timestamp, data: { ...about, ...document, ...(reason && { reason }) } };
    }
    case 'connection.status_changed': {
      const { from, to, cause } = row.data as OutboxData['connection.status_changed'];
      // The cause is the actor, or the error code of a fetch.
      const reason = cause && /^[A-Z_]+$/.test(cause) ? cause : null;
      return { type: row.type, timestamp, data: { ...about, status: to, previous_status: from, reason } };
    }
    case 'fetch.finished': {
      const fetch = fetches.get((row.data as OutboxData['fetch.finished']).fetch_uuid) ?? null;
      return fetch && { type: row.type, timestamp, data: { ...about, fetch: fetchView(fetch) } };
    }
    case 'delivery.failed': {
      const { error } = row.data as OutboxData['delivery.failed'];
      const { attempts } = row;
      const document = renderDocument(row);
      return (
        document && {
          type: row.type,
          timestamp,
          data: { ...about, ...document, attempts, error: deliveryErrorView(error) },
        }
      );
    }
    case 'document.expected_missing': {
      const { supplier, last_dates, expected_by } = row.data as ExpectedMissingData;
      return { type: row.type, timestamp, data: { ...about, supplier, last_dates, expected_by } };
    }
    default:
      throw new Error(`Unknown event type ${row.type}.`);
  }
}

type CompleteEventRow = { readonly uuid: string; readonly created_at: string } & (
  | { readonly type: 'endpoint.failing' | 'endpoint.recovered'; readonly data: EndpointEventData }
  | { readonly type: 'source.requested'; readonly data: SourceRequestedData }
);

/** Events of an environment's endpoint or of an identity, not of a connection: the stored data is complete (decisions 9). */
async function renderCompleteEvents(em: EntityManager, uuids: readonly string[]): Promise<[string, WebhookEvent][]> {
  if (uuids.length === 0) return [];
  const rows = await prepared<CompleteEventRow>(
    em,
    `select uuid, type, data, created_at from outbox
     where uuid = any($1::uuid[]) and type in ('endpoint.failing', 'endpoint.recovered', 'source.requested')`,
    [uuids],
  );
  return rows.map((row) => [row.uuid, renderCompleteEvent(row)]);
}

function renderCompleteEvent(row: CompleteEventRow): WebhookEvent {
  const timestamp = new Date(row.created_at).toISOString();
  if (row.type === 'source.requested') {
    const { identity_uuid, text } = row.data;
    return { type: row.type, timestamp, data: { identity_uuid, text } };
  }
  const { url, since, error, waiting } = row.data;
  return { type: row.type, timestamp, data: { url, since, last_error: deliveryErrorView(error), waiting } };
}

/** The data of events as stored in the outbox. */
interface OutboxData {
  'document.available': { readonly transaction_uuid: string; readonly reason?: AvailableReason };
  'connection.status_changed': {
    readonly from: ConnectionStatus;
    readonly to: ConnectionStatus;
    readonly cause: string | null;
  };
  'fetch.finished': { readonly fetch_uuid: string };
  'delivery.failed': { readonly transaction_uuid: string; readonly error: DeliveryError };
}

function renderDocument(row: OutboxRow) {
  if (row.transaction_uuid === null) return null;
  return {
    transaction_uuid: row.transaction_uuid,
    document_type: row.document_type,
    external_id: row.external_id,
    filename: row.filename,
    mime_type: row.mime_type,
    size: Number(row.size),
    sha256: row.sha256,
  };
}
