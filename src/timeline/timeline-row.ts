import type { FetchStatus } from '../fetches/history/fetch.entity';
import type { FilteredBy } from '../integrations/core/filter-reason';

export const TIMELINE_TYPES = [
  'CONNECTION_CREATED',
  'CONNECTION_RENAMED',
  'CONNECTION_UPDATED',
  'AUTHORIZED',
  'SETUP_SAVED',
  'STATUS_CHANGED',
  'CONNECTION_OVERDUE',
  'CONNECTION_RECOVERED',
  'FETCH_FINISHED',
  'DOCUMENT_AVAILABLE',
  'DOCUMENT_DELIVERED',
  'DOCUMENT_ACKNOWLEDGED',
  'DELIVERY_DELAYED',
  'DELIVERY_FAILED',
  'REDELIVERY_REQUESTED',
  'DOCUMENT_EXPECTED',
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

/** The data of one entry, as the SQL query returns it. */
export interface TimelineRow {
  readonly source: 'event' | 'fetch' | 'delivered' | 'delayed';
  readonly uuid: string;
  readonly at: string;
  readonly event: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly trigger: string | null;
  readonly fetch_status: FetchStatus | null;
  readonly documents_new: number | null;
  readonly documents_failed: number | null;
  readonly filtered_by: FilteredBy | null;
  readonly fetch_error: string | null;
  readonly transaction_uuid: string | null;
  readonly filename: string | null;
  readonly attempts: number | null;
  readonly delivery_error: string | null;
}

const TYPE_BY_EVENT: Readonly<Record<string, TimelineType>> = {
  'connection.created': 'CONNECTION_CREATED',
  'connection.renamed': 'CONNECTION_RENAMED',
  'connection.updated': 'CONNECTION_UPDATED',
  'connection.authorized': 'AUTHORIZED',
  'connection.setup_saved': 'SETUP_SAVED',
  'connection.status_changed': 'STATUS_CHANGED',
  'connection.overdue': 'CONNECTION_OVERDUE',
  'connection.recovered': 'CONNECTION_RECOVERED',
  'document.available': 'DOCUMENT_AVAILABLE',
  'document.acknowledged': 'DOCUMENT_ACKNOWLEDGED',
  'delivery.failed': 'DELIVERY_FAILED',
  'delivery.requested': 'REDELIVERY_REQUESTED',
  'document.expected_missing': 'DOCUMENT_EXPECTED',
};
const TYPE_BY_SOURCE = {
  fetch: 'FETCH_FINISHED',
  delivered: 'DOCUMENT_DELIVERED',
  delayed: 'DELIVERY_DELAYED',
} as const;
const ACTORS: Readonly<Record<string, string>> = {
  key: 'API_KEY',
  token: 'UI_TOKEN',
  console: 'CONSOLE',
  cli: 'SUPPORT',
};

/** The type of the entry; null for an event that the timeline does not show. */
export function timelineTypeOf(row: TimelineRow): TimelineType | null {
  return row.source === 'event' ? (TYPE_BY_EVENT[row.event!] ?? null) : TYPE_BY_SOURCE[row.source];
}

/** The cause of the entry as a stable code. */
export function timelineCauseOf({ source, data, trigger, delivery_error: deliveryError }: TimelineRow): string | null {
  if (source === 'fetch') return trigger;
  if (source === 'delivered') return null;
  if (source === 'delayed') return deliveryError;
  const error = data?.error as { code?: string } | null | undefined;
  const cause = data?.actor ?? data?.cause ?? data?.result ?? data?.reason ?? error?.code;
  if (typeof cause !== 'string') return null;
  return cause.includes(':') ? (ACTORS[cause.split(':')[0]!] ?? null) : cause; // which key it was is not disclosed
}
