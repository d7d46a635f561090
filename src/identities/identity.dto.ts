import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { PageQuery } from '../platform/http/page';
import { IsPlainText } from '../platform/http/plain-text';
import { IDENTITY_TYPES, type IdentityType } from './identity.entity';
import { IsMetadata, IsMetadataPatch } from './is-metadata';

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

/** A JSON merge patch (RFC 7396): what is left out stays, null clears. */
export class UpdateIdentityDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 255,
    description:
      'A new name of your own for the entity, unique in the environment; what is delivered from now on carries it. Cannot be cleared.',
    example: 'customer-4711',
  })
  @ValidateIf(({ client_identifier }: UpdateIdentityDto) => client_identifier !== undefined)
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_identifier?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 255,
    description: 'Shown to the user in the hosted UI; null clears it.',
    example: 'Muster GmbH',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  display_name?: string | null;

  @ApiPropertyOptional({
    enum: IDENTITY_TYPES,
    enumName: 'IdentityType',
    nullable: true,
    description: 'What the entity is; null clears it.',
    example: 'COMPANY',
  })
  @IsOptional()
  @IsIn(IDENTITY_TYPES)
  type?: IdentityType | null;

  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'string', maxLength: 500, nullable: true },
    description:
      'Merged into what is stored: a text sets an entry, null removes it, the others stay. Null in place of the object removes all. At most ten may be left.',
    example: { tenant: 'eu-2', branch: null },
  })
  @IsOptional()
  @IsMetadataPatch()
  metadata?: Record<string, string | null> | null;
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
