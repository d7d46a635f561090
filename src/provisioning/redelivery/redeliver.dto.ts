import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsUUID,
  ValidateIf,
} from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../../documents/metadata';
import { DOCUMENT_TYPE } from '../../documents/metadata.view';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';
import { PROVISIONING_STATUS } from '../../transactions/feed/provisioning-status.view';
import { NeedsMember } from '../../platform/openapi/needs-member';
import { PROVISIONING_STATUSES, type ProvisioningStatus } from '../../transactions/record/provisioning-status';

/** decisions 10: the maximum number of documents that one request names. */
const MAX_CHOSEN = 1_000;

abstract class RedeliveryFilterDto {
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Only documents of this connection.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Only documents recorded at or after this time. A date means its beginning in UTC.',
    example: '2026-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  created_from?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Only documents recorded before this time, so that consecutive periods do not overlap.',
    example: '2026-11-21T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  created_to?: string | null;
}

@ApiSchema({ description: 'The documents to deliver again.' })
export class RedeliverTransactionsDto extends RedeliveryFilterDto {
  @ApiProperty({
    ...PROVISIONING_STATUS,
    description: 'Documents that have this status now.',
    example: 'FAILED',
  })
  @IsNotEmpty()
  @IsIn(PROVISIONING_STATUSES)
  status: ProvisioningStatus;
}

@NeedsMember()
@ApiSchema({
  name: 'ConsoleRedeliveryRequest',
  description: 'The documents to deliver again. At least one member is required: `status` or `transaction_uuids`.',
})
export class RedeliverMatchingDto extends RedeliveryFilterDto {
  @ApiPropertyOptional({
    ...PROVISIONING_STATUS,
    nullable: true,
    description: 'Documents that have this status now. Required without `transaction_uuids`.',
    example: 'FAILED',
  })
  @ValidateIf(({ status, transaction_uuids }: RedeliverMatchingDto) => status != null || transaction_uuids == null)
  @IsNotEmpty()
  @IsIn(PROVISIONING_STATUSES)
  status?: ProvisioningStatus | null;

  @ApiPropertyOptional({
    type: String,
    isArray: true,
    format: 'uuid',
    nullable: true,
    minItems: 1,
    maxItems: MAX_CHOSEN,
    uniqueItems: true,
    description: 'Only these documents. Those that do not exist in the environment are ignored.',
    example: ['019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CHOSEN)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  transaction_uuids?: string[] | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Only documents of this identity.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  identity_uuid?: string | null;

  @ApiPropertyOptional({
    ...DOCUMENT_TYPE,
    nullable: true,
    description: 'Only documents of this type.',
    example: 'invoice',
  })
  @IsOptional()
  @IsIn(DOCUMENT_TYPES)
  document_type?: DocumentType | null;
}
