import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { PageQuery } from '../platform/http/input/page';
import { IsPlainText } from '../platform/http/input/is-plain-text';
import { IDENTITY_TYPES, type IdentityType } from './identity.entity';
import { IDENTITY_TYPE } from './identity.view';
import { IsMetadata, IsMetadataPatch } from './is-metadata';

@ApiSchema({ description: 'An identity to register.' })
export class CreateIdentityDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    description: 'Your own identifier of the entity, unique in the environment.',
    example: 'customer-4711',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_identifier: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 255,
    description: 'A human-readable name.',
    example: 'Muster GmbH',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  display_name?: string | null;

  @ApiPropertyOptional({ ...IDENTITY_TYPE, nullable: true, description: 'The kind of entity.', example: 'COMPANY' })
  @IsOptional()
  @IsIn(IDENTITY_TYPES)
  type?: IdentityType | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 10,
    nullable: true,
    description: 'Up to ten key-value pairs of your own. A key has up to 40 characters.',
    example: { tenant: 'eu-1' },
  })
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, string> | null;
}

/** A JSON merge patch (RFC 7396). */
@ApiSchema({ description: 'Changes to an identity: omitted members stay unchanged, null clears.' })
export class UpdateIdentityDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 255,
    description:
      'Your new identifier of the entity, unique in the environment. Later deliveries contain it. Cannot be cleared.',
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
    ...IDENTITY_TYPE,
    nullable: true,
    description: 'The kind of entity; null clears it.',
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
      'Merged into the stored metadata: a string sets an entry, null removes it, other entries stay. Null in place of the object removes all entries. The result may have at most ten entries.',
    example: { tenant: 'eu-2', branch: null },
  })
  @IsOptional()
  @IsMetadataPatch()
  metadata?: Record<string, string | null> | null;
}

export class ListIdentitiesQuery extends PageQuery {
  @ApiProperty({
    required: false,
    maxLength: 255,
    description: 'Only the identity with this `client_identifier`.',
    example: 'customer-4711',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  @IsPlainText()
  client_identifier?: string;
}
