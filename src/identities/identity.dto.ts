import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../platform/http/page';
import { IsPlainText } from '../platform/http/plain-text';
import { IDENTITY_TYPES, type IdentityType } from './identity.entity';
import { IsMetadata } from './is-metadata';

export class CreateIdentityDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    description: 'Your own name for the entity, unique in the environment.',
    example: 'customer-4711',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_identifier: string;

  @ApiProperty({ required: false, type: String, nullable: true, maxLength: 255, example: 'Muster GmbH' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  display_name?: string | null;

  @ApiProperty({ required: false, enum: IDENTITY_TYPES, enumName: 'IdentityType', nullable: true, example: 'COMPANY' })
  @IsOptional()
  @IsIn(IDENTITY_TYPES)
  type?: IdentityType | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 10,
    description: 'Up to ten texts of your own.',
    example: { tenant: 'eu-1' },
  })
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string>;
}

export class ListIdentitiesQuery extends PageQuery {
  @ApiProperty({
    required: false,
    description: 'Only the identity with this `client_identifier`.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_identifier?: string;
}
