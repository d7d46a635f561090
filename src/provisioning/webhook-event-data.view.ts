import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CONNECTION_STATUSES, type ConnectionStatus } from '../connections/connection.entity';
import { DOCUMENT_TYPES, type DocumentType } from '../documents/metadata';
import { FETCH_STATUSES, FETCH_TRIGGERS, type FetchStatus, type FetchTrigger } from '../fetches/fetch.entity';
import { DeliveryErrorView } from '../transactions/transaction.view';

const UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';
const INSTANT = '2026-11-20T08:30:00.000Z';

/** Why a document is to be pulled although the environment's strategy is push. */
export const TOO_LARGE_FOR_PUSH = 'TOO_LARGE_FOR_PUSH';

/** Whom and what an event is about. */
class SubjectView {
  @ApiProperty({ description: 'Your own name for the identity.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ format: 'uuid', description: 'The identity.', example: UUID })
  identity_uuid: string;

  @ApiProperty({ format: 'uuid', description: 'The connection.', example: UUID })
  connection_uuid: string;
}

/** A document without its content. */
class DocumentSubjectView extends SubjectView {
  @ApiProperty({ format: 'uuid', description: 'Pull the document with it.', example: UUID })
  transaction_uuid: string;

  @ApiProperty({
    enum: DOCUMENT_TYPES,
    enumName: 'DocumentType',
    description: 'What kind of document it is.',
    example: 'invoice',
  })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, if it gives one.',
    example: 'INV-4711',
  })
  external_id: string | null;

  @ApiProperty({ description: 'The name of the file.', example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({ description: 'The type of the file.', example: 'application/pdf' })
  mime_type: string;

  @ApiProperty({ type: 'integer', description: 'Bytes.', example: 152_340 })
  size: number;

  @ApiProperty({
    description: 'Of the bytes, in lower-case hex.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;
}

/** A document that can be pulled. */
export class DocumentAvailableDataView extends DocumentSubjectView {
  @ApiPropertyOptional({
    enum: [TOO_LARGE_FOR_PUSH],
    description: 'There only when the document would have been pushed but is larger than the push limit.',
    example: TOO_LARGE_FOR_PUSH,
  })
  reason?: typeof TOO_LARGE_FOR_PUSH;
}

/** A connection whose status has changed. */
export class ConnectionStatusChangedDataView extends SubjectView {
  @ApiProperty({
    enum: CONNECTION_STATUSES,
    enumName: 'ConnectionStatus',
    description: 'The status from now on.',
    example: 'INVALID_CREDENTIALS',
  })
  status: ConnectionStatus;

  @ApiProperty({
    enum: CONNECTION_STATUSES,
    enumName: 'ConnectionStatus',
    description: 'The status until then.',
    example: 'ACTIVE',
  })
  previous_status: ConnectionStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The code of what a fetch came upon, as in a connection's `reason`; null when somebody changed it.",
    example: 'LOGIN_REJECTED',
  })
  reason: string | null;
}

/** What became of the documents that the source showed; `seen` is the sum of the others. */
export class FinishedFetchCountsView {
  @ApiProperty({ type: 'integer', description: 'Documents that the source showed.', example: 12 })
  seen: number;

  @ApiProperty({ type: 'integer', description: 'Recorded as transactions.', example: 3 })
  new: number;

  @ApiProperty({ type: 'integer', description: 'Known already.', example: 8 })
  duplicate: number;

  @ApiProperty({ type: 'integer', description: 'Left out by the settings of the connection.', example: 1 })
  filtered: number;

  @ApiProperty({ type: 'integer', description: 'Not readable; the next fetch tries them again.', example: 0 })
  failed: number;
}

/** Why a fetch did not end well. */
export class FinishedFetchErrorView {
  @ApiProperty({ description: 'Stable.', example: 'PROVIDER_DOWN' })
  code: string;

  @ApiProperty({ description: 'In English.', example: 'The provider cannot be reached at the moment.' })
  message: string;
}

/** A fetch that has come to its end. */
export class FinishedFetchView {
  @ApiProperty({ format: 'uuid', description: 'The fetch.', example: UUID })
  uuid: string;

  @ApiProperty({ format: 'uuid', description: 'The connection.', example: UUID })
  connection_uuid: string;

  @ApiProperty({
    enum: FETCH_TRIGGERS,
    enumName: 'FetchTrigger',
    description: 'What started it.',
    example: 'SCHEDULED',
  })
  trigger: FetchTrigger;

  @ApiProperty({ enum: FETCH_STATUSES, enumName: 'FetchStatus', description: 'How it ended.', example: 'SUCCEEDED' })
  status: FetchStatus;

  @ApiProperty({
    type: FinishedFetchCountsView,
    description: 'What became of the documents.',
    example: { seen: 12, new: 3, duplicate: 8, filtered: 1, failed: 0 },
  })
  counts: FinishedFetchCountsView;

  @ApiProperty({
    type: FinishedFetchErrorView,
    nullable: true,
    description: 'Why it did not end well; null when it did.',
    example: null,
  })
  error: FinishedFetchErrorView | null;

  @ApiProperty({ format: 'date-time', description: 'When it was queued.', example: INSTANT })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it began.',
    example: INSTANT,
  })
  started_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it ended.', example: INSTANT })
  finished_at: string | null;
}

/** A fetch that has ended, and whose it is. */
export class FetchFinishedDataView extends SubjectView {
  @ApiProperty({ type: FinishedFetchView, description: 'The fetch.' })
  fetch: FinishedFetchView;
}

/** A document that could not be pushed; no further attempt follows by itself. */
export class DeliveryFailedDataView extends DocumentSubjectView {
  @ApiProperty({ type: 'integer', description: 'Attempts that were made.', example: 12 })
  attempts: number;

  @ApiProperty({
    type: DeliveryErrorView,
    description: 'Why the last one did not succeed.',
    example: { code: 'UNEXPECTED_STATUS', status: 503, message: 'The endpoint answered 503 instead of 200.' },
  })
  error: DeliveryErrorView;
}

/** The registration that is tested. */
export class WebhookTestDataView {
  @ApiProperty({ format: 'uuid', description: 'The registration.', example: UUID })
  webhook_uuid: string;
}
