import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { PageQuery } from '../platform/http/page';
import { IsPlainText } from '../platform/http/plain-text';
import { EVENT_TYPES, type EventType } from './webhook.entity';
import { IsWebhookUrl } from '../platform/network/client-url';
import { EVENT_TYPE } from './webhook.view';

const URL_PROPERTY = {
  format: 'uri',
  maxLength: 2048,
  description:
    'Absolute https address without user name, password and fragment. Plain http only to private addresses that the deployment allows, for development.',
  example: 'https://client.example.com/docfetch/events',
};

const EVENTS_PROPERTY = {
  ...EVENT_TYPE,
  isArray: true,
  minItems: 1,
  uniqueItems: true,
  example: ['document.available', 'connection.status_changed'],
};

/** Left out means "as it is", or the default; null is neither. */
const isGiven =
  <T>(property: keyof T) =>
  (dto: T) =>
    dto[property] !== undefined;

@ApiSchema({ description: 'A webhook to register for the environment.' })
export class CreateWebhookDto {
  @ApiProperty(URL_PROPERTY)
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  @IsWebhookUrl()
  url: string;

  @ApiPropertyOptional({
    ...EVENTS_PROPERTY,
    description: 'What to be told of.',
    default: ['document.available'],
  })
  @ValidateIf(isGiven<CreateWebhookDto>('events'))
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  events?: EventType[];
}

@ApiSchema({ description: 'A webhook to register for one connection.' })
export class RegisterConnectionWebhookDto extends CreateWebhookDto {}

@ApiSchema({ description: 'What to change of a webhook: what is left out stays.' })
export class UpdateWebhookDto {
  @ApiPropertyOptional(URL_PROPERTY)
  @ValidateIf(isGiven<UpdateWebhookDto>('url'))
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  @IsWebhookUrl()
  url?: string;

  @ApiPropertyOptional({ ...EVENTS_PROPERTY, description: 'What to be told of from now on, instead of what was.' })
  @ValidateIf(isGiven<UpdateWebhookDto>('events'))
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(EVENT_TYPES, { each: true })
  events?: EventType[];

  @ApiPropertyOptional({
    description:
      'False: nothing is sent, and what is waiting is dropped. True: sending begins anew, also after too many failures.',
    example: true,
  })
  @ValidateIf(isGiven<UpdateWebhookDto>('enabled'))
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({
    description: 'True: a new secret is made and answered once. Old and new one both sign for 24 hours.',
    default: false,
    example: true,
  })
  @ValidateIf(isGiven<UpdateWebhookDto>('rotate_secret'))
  @IsBoolean()
  rotate_secret?: boolean;
}

export class ListWebhooksQuery extends PageQuery {
  @ApiPropertyOptional({
    format: 'uuid',
    description: "This connection's own registration, instead of those of the environment.",
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;
}
