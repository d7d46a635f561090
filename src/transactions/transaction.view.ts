import { ApiProperty } from '@nestjs/swagger';
import { DOCUMENT_TYPES, type DocumentType, type Metadata } from '../documents/metadata';
import { STRATEGIES, type Strategy } from '../identities/environment.entity';
import {
  type DeliveryError,
  PROVISIONING_STATUSES,
  type ProvisioningStatus,
  type Transaction,
} from './transaction.entity';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };

/** The file of a transaction. */
export class DocumentView {
  @ApiProperty({ example: 'invoice-4711.pdf' })
  filename: string;

  @ApiProperty({ example: 'application/pdf' })
  mime_type: string;

  @ApiProperty({ description: 'Bytes.', example: 152_340 })
  size: number;

  @ApiProperty({
    description: 'Of the bytes, in lower-case hex.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Until when the content is kept.' })
  available_until: string | null;
}

/** Why the last attempt did not succeed. */
export class DeliveryErrorView {
  @ApiProperty({ example: 'UNEXPECTED_STATUS' })
  code: string;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'The HTTP status of the answer, if there was one.',
    example: 503,
  })
  status: number | null;

  @ApiProperty({ example: 'The endpoint answered 503 instead of 200.' })
  message: string;
}

/** How the document reaches the client. */
export class ProvisioningView {
  @ApiProperty({ enum: STRATEGIES, enumName: 'ProvisioningStrategy', example: 'PUSH' })
  strategy: Strategy;

  @ApiProperty({ enum: PROVISIONING_STATUSES, enumName: 'ProvisioningStatus', example: 'DELIVERED' })
  status: ProvisioningStatus;

  @ApiProperty({ description: 'Attempts to push it so far.', example: 1 })
  attempts: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_attempt_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;

  @ApiProperty({ type: DeliveryErrorView, nullable: true })
  last_error: DeliveryError | null;
}

/** One document of one connection. */
export class TransactionView {
  @ApiProperty(UUID)
  transaction_uuid: string;

  @ApiProperty(UUID)
  connection_uuid: string;

  @ApiProperty(UUID)
  identity_uuid: string;

  @ApiProperty({ description: 'Your own name for the identity.', example: 'customer-4711' })
  client_identifier: string;

  @ApiProperty({ example: 'imap' })
  integration_id: string;

  @ApiProperty(UUID)
  fetch_uuid: string;

  @ApiProperty({ enum: DOCUMENT_TYPES, enumName: 'DocumentType', example: 'invoice' })
  document_type: DocumentType;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id in the source system, if it gives one; stable when the file is rendered anew.',
    example: null,
  })
  external_id: string | null;

  @ApiProperty({ type: DocumentView })
  document: DocumentView;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What the document and its source say about it; every key is optional.',
    example: { number: '4711', date: '2026-11-02', amount: '119.00', currency: 'EUR' },
  })
  metadata: Metadata;

  @ApiProperty({ type: ProvisioningView })
  provisioning: ProvisioningView;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export function transactionView(transaction: Transaction, clientIdentifier: string): TransactionView {
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
    provisioning: {
      strategy: transaction.strategy,
      status: transaction.status,
      attempts: transaction.attempts,
      last_attempt_at: transaction.lastAttemptAt?.toISOString() ?? null,
      next_attempt_at: transaction.dueAt?.toISOString() ?? null,
      last_error: transaction.lastError ?? null,
    },
    created_at: transaction.createdAt.toISOString(),
  };
}
