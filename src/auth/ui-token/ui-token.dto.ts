import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { LANGUAGES, type Lang } from '../../platform/i18n/lang';
import { apiEnum } from '../../platform/openapi/api-enum';
import { IsPlainText } from '../../platform/http/input/is-plain-text';

export const LANGUAGE = apiEnum<Lang>('Language', 'A language of the product.', { en: 'English', de: 'German' });

@ApiSchema({ description: 'The identity and the scope of a hosted UI session.' })
export class CreateTokenDto {
  @ApiProperty({
    format: 'uuid',
    description: 'The identity whose connections the user may see and change.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsNotEmpty()
  @IsUUID()
  identity_uuid: string;

  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description: 'Where the user is sent afterwards; its origin must be registered. Parameters are added and signed.',
    example: 'https://app.example.com/documents',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  return_url: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 64,
    description: 'Opens the view for adding this integration; no other one can be selected.',
    example: 'imap',
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  integration_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'uuid',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
    description: 'Opens the view for editing this connection; no other one can be selected.',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 256,
    description: 'Returned as `state` in the return URL.',
    example: 'xyz',
  })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  @IsPlainText()
  state?: string | null;

  @ApiPropertyOptional({
    ...LANGUAGE,
    nullable: true,
    description: 'The language of the hosted UI; by default the browser decides.',
    example: 'de',
  })
  @IsOptional()
  @IsIn(LANGUAGES)
  lang?: Lang | null;
}
