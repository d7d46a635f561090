import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CONNECTION_STATUS } from '../connections/state/views/connection-status.view';
import type { ConnectionStatus } from '../identities/connection-status';
import { FETCH_STATUS } from '../connections/state/views/last-fetch.view';
import type { FetchStatus } from '../fetches/history/fetch.entity';
import { apiEnum } from '../platform/openapi/api-enum';
import { FilteredReasonView, filteredReasonViews } from './filtered-reason.view';
import { translateTimelineEntry } from './translate-timeline-entry';
import { timelineCauseOf, type TimelineRow, type TimelineType, timelineTypeOf } from './timeline-row';

const TIMELINE_TYPE = apiEnum<TimelineType>('TimelineType', 'The type of a timeline entry.', {
  CONNECTION_CREATED: 'it was created or migrated',
  CONNECTION_RENAMED: 'it was renamed',
  CONNECTION_UPDATED: 'the input of its first step was changed',
  AUTHORIZED: 'the user has authorized it at the provider',
  SETUP_SAVED: 'the input of its second step was saved',
  STATUS_CHANGED: 'its status changed',
  CONNECTION_OVERDUE: 'no fetch has succeeded for three intervals; `cause` is the reason',
  CONNECTION_RECOVERED: 'a fetch has succeeded again, after `CONNECTION_OVERDUE`',
  FETCH_FINISHED: 'a fetch ended',
  DOCUMENT_AVAILABLE: 'a document can be pulled',
  DOCUMENT_DELIVERED: 'a document was delivered',
  DOCUMENT_ACKNOWLEDGED: 'a document was acknowledged or rejected',
  DELIVERY_DELAYED:
    'a document could not be delivered yet: one entry per document, updated with each attempt until it is delivered or has failed',
  DELIVERY_FAILED: 'the last attempt to deliver a document failed',
  REDELIVERY_REQUESTED: 'a redelivery of a document was requested',
  DOCUMENT_EXPECTED: 'the invoice of a supplier that has sent one every month has not come',
});

@ApiSchema({
  description: 'An entry of the history of a connection. Members that do not apply to its type are null.',
})
export class TimelineEntryView {
  @ApiProperty({
    format: 'uuid',
    description: 'The event, fetch or transaction that the entry is about.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  uuid: string;

  @ApiProperty({
    ...TIMELINE_TYPE,
    description: 'The result.',
    example: 'STATUS_CHANGED',
  })
  type: TimelineType;

  @ApiProperty({ format: 'date-time', description: 'When it happened.', example: '2026-11-20T08:30:00.000Z' })
  at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The cause as a stable code: `API_KEY`, `UI_TOKEN`, `CONSOLE` or `SUPPORT` for an action of a client, of a user, in the console or of the support team; otherwise the reason of a status, the trigger of a fetch, the error of a delivery, or the result of an acknowledgement.',
    example: 'LOGIN_REJECTED',
  })
  cause: string | null;

  @ApiProperty({
    description: 'In the language of the request; safe to show to the user.',
    example: 'Fetching has stopped. The provider rejected the sign-in details. Please enter them again.',
  })
  message: string;

  @ApiProperty({
    ...CONNECTION_STATUS,
    nullable: true,
    description: 'With `STATUS_CHANGED`: the previous status.',
    example: 'ACTIVE',
  })
  status_from: ConnectionStatus | null;

  @ApiProperty({
    ...CONNECTION_STATUS,
    nullable: true,
    description: 'With `STATUS_CHANGED`: the new status.',
    example: 'INVALID_CREDENTIALS',
  })
  status_to: ConnectionStatus | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'With `FETCH_FINISHED`: the fetch.',
    example: null,
  })
  fetch_uuid: string | null;

  @ApiProperty({
    ...FETCH_STATUS,
    nullable: true,
    description: 'With `FETCH_FINISHED`: the status of the fetch.',
    example: null,
  })
  fetch_status: FetchStatus | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'With `FETCH_FINISHED`: documents that it recorded.',
    example: null,
  })
  documents_new: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'With `FETCH_FINISHED`: documents that it could not read.',
    example: null,
  })
  documents_failed: number | null;

  @ApiProperty({
    type: [FilteredReasonView],
    nullable: true,
    description: 'With `FETCH_FINISHED`: the documents that it left out, by reason, the most frequent first.',
    example: null,
  })
  filtered: FilteredReasonView[] | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why a fetch ended early or a delivery did not succeed, as a stable code.',
    example: 'LOGIN_REJECTED',
  })
  error_code: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'For entries about a document: its transaction.',
    example: null,
  })
  transaction_uuid: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For entries about a document: its file name.',
    example: null,
  })
  filename: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'With `DOCUMENT_DELIVERED` and `DELIVERY_DELAYED`: attempts so far.',
    example: null,
  })
  attempts: number | null;
}

/** Returns null for an event that the timeline does not show. */
export function timelineEntryView(row: TimelineRow): TimelineEntryView | null {
  const type = timelineTypeOf(row);
  if (!type) return null;
  const cause = timelineCauseOf(row);
  const isStatus = type === 'STATUS_CHANGED';
  return {
    uuid: row.uuid,
    type,
    at: row.at,
    cause,
    message: translateTimelineEntry(type, cause, row),
    status_from: isStatus ? (row.data!.from as ConnectionStatus) : null,
    status_to: isStatus ? (row.data!.to as ConnectionStatus) : null,
    fetch_uuid: row.source === 'fetch' ? row.uuid : null,
    fetch_status: row.fetch_status,
    documents_new: row.documents_new,
    documents_failed: row.documents_failed,
    filtered: row.source === 'fetch' ? filteredReasonViews(row.filtered_by ?? {}) : null,
    error_code: row.fetch_error ?? (type.startsWith('DELIVERY_') ? cause : null),
    transaction_uuid: row.transaction_uuid,
    filename: row.filename,
    attempts: row.source === 'delivered' || row.source === 'delayed' ? row.attempts : null,
  };
}
