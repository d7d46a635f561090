import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { ConnectionStatus } from '../../identities/connection-status';
import { CONNECTION_STATUS } from '../../connections/state/views/connection-status.view';
import type { DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';
import { FetchView } from '../../fetches/history/fetch.view';
import { AVAILABLE_REASONS, type AvailableReason } from '../../transactions/record/available-reason';
import { DeliveryErrorView } from '../../transactions/feed/transaction.view';

const UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

/** The subject of an event. */
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
  @ApiProperty({ format: 'uuid', description: 'The transaction; use it to download the document.', example: UUID })
  transaction_uuid: string;

  @ApiProperty({
    ...DOCUMENT_TYPE,
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
    description: 'The SHA-256 of the bytes, in lower-case hex.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;
}

@ApiSchema({ description: 'A document that can be pulled.' })
export class DocumentAvailableDataView extends DocumentSubjectView {
  @ApiPropertyOptional({
    enum: [...AVAILABLE_REASONS],
    description:
      'Present only when there is a special reason: `TOO_LARGE_FOR_PUSH` when the document would have been pushed but is larger than the push limit, `DUPLICATE` when your environment holds duplicates and the document has `metadata.same_as`.',
    example: 'TOO_LARGE_FOR_PUSH',
  })
  reason?: AvailableReason;
}

@ApiSchema({ description: 'A connection whose status has changed.' })
export class ConnectionStatusChangedDataView extends SubjectView {
  @ApiProperty({
    ...CONNECTION_STATUS,
    description: 'The new status.',
    example: 'INVALID_CREDENTIALS',
  })
  status: ConnectionStatus;

  @ApiProperty({
    ...CONNECTION_STATUS,
    description: 'The previous status.',
    example: 'ACTIVE',
  })
  previous_status: ConnectionStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The error of a fetch, as in the `reason` of a connection; null when the status was changed by a user or client.',
    example: 'LOGIN_REJECTED',
  })
  reason: string | null;
}

@ApiSchema({ description: 'A finished fetch with its connection and identity.' })
export class FetchFinishedDataView extends SubjectView {
  @ApiProperty({ type: FetchView, description: 'The fetch.' })
  fetch: FetchView;
}

@ApiSchema({ description: 'A document that could not be pushed; there are no further automatic attempts.' })
export class DeliveryFailedDataView extends DocumentSubjectView {
  @ApiProperty({ type: 'integer', description: 'The number of attempts.', example: 12 })
  attempts: number;

  @ApiProperty({
    type: DeliveryErrorView,
    description: 'Why the last attempt did not succeed.',
    example: { code: 'UNEXPECTED_STATUS', status: 503, message: 'The endpoint answered 503 instead of 200.' },
  })
  error: DeliveryErrorView;
}

@ApiSchema({ description: 'The state of the provisioning URL of your environment.' })
export class EndpointDataView {
  @ApiProperty({
    format: 'uri',
    description: 'The URL that documents are pushed to, without the query parameter `token`.',
    example: 'https://client.example.com/documents',
  })
  url: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The time of the first of the consecutive failures.',
    example: '2026-11-20T08:30:00.000Z',
  })
  since: string;

  @ApiProperty({
    type: DeliveryErrorView,
    description: 'Why the last attempt did not succeed.',
    example: { code: 'UNEXPECTED_STATUS', status: 503, message: 'The endpoint answered 503 instead of 200.' },
  })
  last_error: DeliveryErrorView;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Documents that wait to be pushed.', example: 42 })
  waiting: number;
}

@ApiSchema({ description: 'A supplier, as far as its last invoice names it.' })
export class ExpectedSupplierView {
  @ApiPropertyOptional({ description: 'Its name.', example: 'Muster GmbH' })
  name?: string;

  @ApiPropertyOptional({ description: 'Its VAT identification number.', example: 'DE123456789' })
  vat_id?: string;

  @ApiPropertyOptional({ description: 'The IBAN of its account.', example: 'DE02120300000000202051' })
  iban?: string;
}

@ApiSchema({ description: 'A monthly invoice that has not come.' })
export class ExpectedMissingDataView extends SubjectView {
  @ApiProperty({ type: ExpectedSupplierView, description: 'The supplier.' })
  supplier: ExpectedSupplierView;

  @ApiProperty({
    type: [String],
    format: 'date',
    description: 'The evidence: the dates of its last four invoices, or of its last eight, two a month; oldest first.',
    example: ['2026-07-03', '2026-08-03', '2026-09-03', '2026-10-05'],
  })
  last_dates: readonly string[];

  @ApiProperty({
    format: 'date',
    description: 'The last day on which it would have been in time: a month and two weeks after the last one.',
    example: '2026-11-19',
  })
  expected_by: string;
}

@ApiSchema({ description: 'A source that a user misses.' })
export class SourceRequestedDataView {
  @ApiProperty({ format: 'uuid', description: 'The identity of the user.', example: UUID })
  identity_uuid: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 500,
    description: 'What the user wrote, in one line. Escape it before you show it.',
    example: 'Stadtwerke Musterstadt',
  })
  text: string;
}

@ApiSchema({ description: 'The tested webhook.' })
export class WebhookTestDataView {
  @ApiProperty({ format: 'uuid', description: 'The webhook.', example: UUID })
  webhook_uuid: string;
}
