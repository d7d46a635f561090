import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';
import { PROVISIONING_STATUS } from '../../transactions/feed/provisioning-status.view';
import type { ProvisioningStatus } from '../../transactions/record/provisioning-status';
import type { Redelivery } from './redelivery.entity';
import { RedeliveryView } from './redelivery.view';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' } as const;
const TIME = { format: 'date-time', example: '2026-11-20T08:30:00.000Z' } as const;

@ApiSchema({ name: 'ConsoleRequestedRedelivery', description: 'A bulk redelivery that was requested.' })
export class RequestedRedeliveryView extends RedeliveryView {
  @ApiProperty({
    ...UUID,
    type: String,
    nullable: true,
    description: 'By which its progress is read; null when there is nothing to deliver.',
  })
  redelivery_uuid: string | null;
}

@ApiSchema({ name: 'ConsoleRedelivery', description: 'A bulk redelivery, its filters and its progress.' })
export class RedeliveryProgressView {
  @ApiProperty({ ...UUID, description: 'The redelivery.' })
  redelivery_uuid: string;

  @ApiProperty({
    ...PROVISIONING_STATUS,
    nullable: true,
    description: 'Documents that had this status; null: chosen ones, whatever their status was.',
    example: 'FAILED',
  })
  status: ProvisioningStatus | null;

  @ApiProperty({ ...DOCUMENT_TYPE, nullable: true, description: 'Only of this type.', example: 'invoice' })
  document_type: DocumentType | null;

  @ApiProperty({ ...UUID, type: String, nullable: true, description: 'Only of this connection.' })
  connection_uuid: string | null;

  @ApiProperty({ ...UUID, type: String, nullable: true, description: 'Only of this identity.' })
  identity_uuid: string | null;

  @ApiProperty({ ...TIME, type: String, nullable: true, description: 'Only recorded at or after this time.' })
  created_from: string | null;

  @ApiProperty({ ...TIME, type: String, nullable: true, description: 'Only recorded before this time.' })
  created_to: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The documents that matched.', example: 100_000 })
  total: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Those that have been scheduled so far; documents whose content is no longer stored are left out later.',
    example: 42_000,
  })
  processed: number;

  @ApiProperty({ ...TIME, description: 'When it was requested, or requested again.' })
  requested_at: string;

  @ApiProperty({
    ...TIME,
    type: String,
    nullable: true,
    description: 'When all were scheduled; null until then.',
    example: null,
  })
  finished_at: string | null;
}

export const redeliveryProgressView = (redelivery: Redelivery): RedeliveryProgressView => ({
  redelivery_uuid: redelivery.uuid,
  status: redelivery.status ?? null,
  document_type: redelivery.documentType ?? null,
  connection_uuid: redelivery.connectionUuid ?? null,
  identity_uuid: redelivery.identityUuid ?? null,
  created_from: redelivery.createdFrom?.toISOString() ?? null,
  created_to: redelivery.createdTo?.toISOString() ?? null,
  total: redelivery.total,
  processed: redelivery.processed,
  requested_at: redelivery.requestedAt.toISOString(),
  finished_at: redelivery.finishedAt?.toISOString() ?? null,
});
