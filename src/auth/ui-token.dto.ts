import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { LANGUAGES, type Lang } from '../platform/http/lang';
import { IsPlainText } from '../platform/http/plain-text';

export class CreateTokenDto {
  @ApiProperty({ format: 'uuid', description: 'The identity whose connections the user may see and change.' })
  @IsNotEmpty()
  @IsUUID()
  identity_uuid: string;

  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description: 'Where the user goes afterwards; its origin must be registered. Parameters are added and signed.',
    example: 'https://app.example.com/documents',
  })
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  return_url: string;

  @ApiPropertyOptional({
    maxLength: 64,
    description: 'Opens the add view for this integration; no other one can be chosen.',
    example: 'imap',
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  integration_id?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Opens the edit view of this connection; no other one can be chosen.',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;

  @ApiPropertyOptional({
    maxLength: 256,
    description: 'Comes back as `state` with the return address.',
    example: 'xyz',
  })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  @IsPlainText()
  state?: string;

  @ApiPropertyOptional({
    enum: LANGUAGES,
    description: 'The language of the hosted UI; by default the browser decides.',
  })
  @IsOptional()
  @IsIn(LANGUAGES)
  lang?: Lang;
}
