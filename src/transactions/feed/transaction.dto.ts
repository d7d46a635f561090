import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength, MinLength } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';
import { PageQuery } from '../../platform/http/input/page';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';
import { PROVISIONING_STATUS } from './provisioning-status.view';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from '../record/provisioning-status';

const EXAMPLE_UUID = '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a';

export class ListTransactionsQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only documents of this identity.', example: EXAMPLE_UUID })
  @IsOptional()
  @IsUUID()
  identity_uuid?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only documents of this connection.', example: EXAMPLE_UUID })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;

  @ApiPropertyOptional({ ...DOCUMENT_TYPE, description: 'Only documents of this type.', example: 'invoice' })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES)
  document_type?: DocumentType;

  @ApiPropertyOptional({
    ...PROVISIONING_STATUS,
    description: 'Only with this provisioning status.',
    example: 'AVAILABLE',
  })
  @IsOptional()
  @IsIn(PROVISIONING_STATUSES)
  status?: ProvisioningStatus;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only documents fetched at or after this time; a date means its beginning in UTC.',
    example: '2026-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  created_from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only documents fetched before this time, so that consecutive periods do not overlap.',
    example: '2026-11-21T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  created_to?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 2048,
    description: 'Only documents with exactly this id in the source; several connections may have the same one.',
    example: 'INV-2026-0042',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  @IsPlainText()
  external_id?: string;
}

export class ListConnectionTransactionsQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only documents that this fetch found.', example: EXAMPLE_UUID })
  @IsOptional()
  @IsUUID()
  fetch_uuid?: string;
}
