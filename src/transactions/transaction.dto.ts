import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../documents/metadata';
import { PageQuery } from '../platform/http/page';
import { IsRfc3339 } from '../platform/http/rfc3339';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from './transaction.entity';

export class ListTransactionsQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only documents of this identity.' })
  @IsOptional()
  @IsUUID()
  identity_uuid?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only documents of this connection.' })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;

  @ApiPropertyOptional({ enum: DOCUMENT_TYPES, enumName: 'DocumentType', description: 'Only documents of this type.' })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES)
  document_type?: DocumentType;

  @ApiPropertyOptional({
    enum: PROVISIONING_STATUSES,
    enumName: 'ProvisioningStatus',
    description: 'Only with this provisioning status.',
  })
  @IsOptional()
  @IsIn(PROVISIONING_STATUSES)
  status?: ProvisioningStatus;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only documents fetched at or after this time.',
  })
  @IsOptional()
  @IsRfc3339()
  created_from?: string;
}
