import { applyDecorators } from '@nestjs/common';
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
  ValidateBy,
} from 'class-validator';
import { PageQuery } from '../../platform/http/input/page';
import { IsPlainText } from '../../platform/http/input/is-plain-text';
import { CONNECTION_EVENT_TYPES, type ConnectionEventType, EVENT_TYPES, type EventType } from './webhook.entity';
import { isClientUrl } from '../../platform/network/client-url';
import { CONNECTION_EVENT_TYPE, EVENT_TYPE } from './webhook.view';

const URL_PROPERTY = {
  format: 'uri',
  maxLength: 2048,
  description:
    'Absolute https address without user name, password and fragment. Plain http is accepted only for private addresses that the deployment allows, for development.',
  example: 'https://client.example.com/docfetch/events',
};

const EVENTS_PROPERTY = {
  ...EVENT_TYPE,
  isArray: true,
  minItems: 1,
  uniqueItems: true,
  example: ['document.available', 'connection.status_changed'],
};

const CONNECTION_EVENTS_PROPERTY = { ...EVENTS_PROPERTY, ...CONNECTION_EVENT_TYPE };

/** All validators of `events`: a subclass that allows fewer types replaces all of them. */
const IsEvents = (types: readonly EventType[]) =>
  applyDecorators(IsArray(), ArrayMinSize(1), ArrayUnique(), IsIn(types, { each: true }));

/** An omitted property means "unchanged" or the default; null is invalid. */
const isPresent =
  <T>(property: keyof T) =>
  (dto: T) =>
    dto[property] !== undefined;

const IsWebhookUrl = () =>
  ValidateBy({
    name: 'isWebhookUrl',
    validator: { validate: (value: unknown) => typeof value !== 'string' || isClientUrl(value) },
  });

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
    description: 'The event types to receive.',
    default: ['document.available'],
  })
  @ValidateIf(isPresent<CreateWebhookDto>('events'))
  @IsEvents(EVENT_TYPES)
  events?: EventType[];
}

@ApiSchema({ description: 'A webhook to register for one connection.' })
export class RegisterConnectionWebhookDto extends CreateWebhookDto {
  @ApiPropertyOptional({
    ...CONNECTION_EVENTS_PROPERTY,
    description:
      'The event types to receive. Events about the whole environment (`endpoint.*`) are available only to webhooks of the environment.',
    default: ['document.available'],
  })
  @IsEvents(CONNECTION_EVENT_TYPES)
  declare events?: ConnectionEventType[];
}

@ApiSchema({ description: 'Changes to a webhook: omitted members stay unchanged.' })
export class UpdateWebhookDto {
  @ApiPropertyOptional(URL_PROPERTY)
  @ValidateIf(isPresent<UpdateWebhookDto>('url'))
  @IsNotEmpty()
  @IsString()
  @MaxLength(2048)
  @IsPlainText()
  @IsWebhookUrl()
  url?: string;

  @ApiPropertyOptional({
    ...EVENTS_PROPERTY,
    description:
      'The event types to receive from now on; replaces the previous ones. The webhook of a connection cannot receive `endpoint.*`.',
  })
  @ValidateIf(isPresent<UpdateWebhookDto>('events'))
  @IsEvents(EVENT_TYPES)
  events?: EventType[];

  @ApiPropertyOptional({
    description:
      'False: nothing is sent, and pending events are dropped. True: sending resumes, also after it was disabled by failures.',
    example: true,
  })
  @ValidateIf(isPresent<UpdateWebhookDto>('enabled'))
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional({
    description: 'True: creates a new secret, which the response shows once. Both secrets sign for 24 hours.',
    default: false,
    example: true,
  })
  @ValidateIf(isPresent<UpdateWebhookDto>('rotate_secret'))
  @IsBoolean()
  rotate_secret?: boolean;
}

/** The same for the webhook of a connection. */
export class UpdateConnectionWebhookDto extends UpdateWebhookDto {
  @IsEvents(CONNECTION_EVENT_TYPES)
  declare events?: ConnectionEventType[];
}

export class ListWebhooksQuery extends PageQuery {
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The registration of this connection, instead of those of the environment.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;
}
