import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { DocumentType, Metadata } from '../../documents/metadata';
import { DOCUMENT_TYPE, MetadataView } from '../../documents/metadata.view';
import { RenditionView } from '../../documents/rendition.view';
import type { Strategy } from '../../identities/environments/setting-values';
import { STRATEGY } from '../../identities/environments/environment-enums';
import { PROVISIONING_STATUS } from './provisioning-status.view';
import type { FeedEntry } from './read-transactions';
import { translateDeliveryError } from './translate-delivery-error';
import type { ProvisioningStatus } from '../record/provisioning-status';
import type { DeliveryError } from '../record/transaction.entity';

const uuid = (description: string) => ({
  format: 'uuid',
  description,
  example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
});
const time = (description: string) => ({ format: 'date-time', description, example: '2026-11-20T08:30:00.000Z' });

@ApiSchema({ name: 'TransactionDocument', description: 'The file of a transaction, without its content.' })
export class DocumentView {
  @ApiProperty({ description: 'Its name.', example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({ description: 'Its media type.', example: 'application/pdf' })
  mime_type: string;

  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, description: 'Its size in bytes.', example: 152_340 })
  size: number;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    description: 'The SHA-256 of its bytes, in lower-case hex.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @ApiProperty({
    type: String,
    nullable: true,
    ...time('Until when the content is kept; null when there is no limit.'),
  })
  available_until: string | null;
}

@ApiSchema({ description: 'Why the last attempt to deliver did not succeed.' })
export class DeliveryErrorView {
  @ApiProperty({ description: 'Stable and never translated; others may be added.', example: 'UNEXPECTED_STATUS' })
  code: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The HTTP status of the response, if there was one.',
    example: 503,
  })
  status: number | null;

  @ApiProperty({ description: 'The same as a readable message.', example: 'The endpoint answered 503 instead of 200.' })
  message: string;
}

export function deliveryErrorView(error: DeliveryError): DeliveryErrorView {
  return { code: error.code, status: error.status, message: translateDeliveryError(error) };
}

@ApiSchema({ description: 'How a document reaches you.' })
export class ProvisioningView {
  @ApiProperty({ ...STRATEGY, description: 'The strategy of your environment.', example: 'PUSH' })
  strategy: Strategy;

  @ApiProperty({ ...PROVISIONING_STATUS, description: 'The delivery status.', example: 'DELIVERED' })
  status: ProvisioningStatus;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of attempts to push it so far, which are listed in the delivery log.',
    example: 1,
  })
  attempts: number;

  @ApiProperty({ type: String, nullable: true, ...time('When the last attempt was made; null before the first one.') })
  last_attempt_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    ...time(
      'The earliest time of the next attempt, never in the past. It takes into account the schedule and the circuit of your endpoint. Null when there is no next attempt.',
    ),
  })
  next_attempt_at: string | null;

  @ApiProperty({
    type: DeliveryErrorView,
    nullable: true,
    description: 'Why the last attempt did not succeed; null when there is no error.',
  })
  last_error: DeliveryErrorView | null;
}

@ApiSchema({ description: 'One document of one connection.' })
export class TransactionView {
  @ApiProperty(uuid('The transaction.'))
  transaction_uuid: string;

  @ApiProperty(uuid('The connection.'))
  connection_uuid: string;

  @ApiProperty(uuid('The identity of the connection.'))
  identity_uuid: string;

  @ApiProperty({ description: 'Your own name for the identity.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ description: 'The integration of the connection.', example: 'imap' })
  integration_id: string;

  @ApiProperty(uuid('The fetch that found the document.'))
  fetch_uuid: string;

  @ApiProperty({ ...DOCUMENT_TYPE, description: 'What it is.', example: 'invoice' })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, if there is one; stable when the file is rendered again.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ type: DocumentView, description: 'The file.' })
  document: DocumentView;

  @ApiProperty({
    type: MetadataView,
    description: 'The metadata of the document.',
    example: { number: '4711', date: '2026-11-02', amount: '119.00', currency: 'EUR' },
  })
  metadata: Metadata;

  @ApiProperty({
    type: [RenditionView],
    description: 'The other forms in which the invoice was received, as in `metadata.renditions`; mostly none.',
  })
  renditions: RenditionView[];

  @ApiProperty({ type: ProvisioningView, description: 'How it reaches you.' })
  provisioning: ProvisioningView;

  @ApiProperty(time('When it was fetched.'))
  created_at: string;
}

/** `now`: lower limit of the time of the next push. */
export function transactionView(
  { transaction, clientIdentifier }: Pick<FeedEntry, 'transaction' | 'clientIdentifier'>,
  now: Date,
): TransactionView {
  const next = transaction.nextAttemptAt;
  return {
    transaction_uuid: transaction.uuid,
    connection_uuid: transaction.connectionUuid,
    identity_uuid: transaction.identityUuid,
    client_identifier: clientIdentifier,
    integration_id: transaction.integrationId,
    fetch_uuid: transaction.fetchUuid,
    document_type: transaction.documentType,
    external_id: transaction.externalId ?? null,
    document: {
      filename: transaction.filename,
      mime_type: transaction.mimeType,
      size: transaction.size,
      sha256: transaction.sha256,
      available_until: transaction.availableUntil?.toISOString() ?? null,
    },
    metadata: transaction.metadata,
    renditions: transaction.metadata.renditions ?? [],
    provisioning: {
      strategy: transaction.strategy,
      status: transaction.status,
      attempts: transaction.attempts,
      last_attempt_at: transaction.lastAttemptAt?.toISOString() ?? null,
      next_attempt_at: next && (next > now ? next : now).toISOString(),
      last_error: transaction.lastError ? deliveryErrorView(transaction.lastError) : null,
    },
    created_at: transaction.createdAt.toISOString(),
  };
}
