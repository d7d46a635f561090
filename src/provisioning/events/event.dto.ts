import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { EVENT_TYPES, type EventType } from '../../connections/webhooks/webhook.entity';
import { EVENT_TYPE } from '../../connections/webhooks/webhook.view';
import { PageQuery } from '../../platform/http/input/page';
import { IsRfc3339 } from '../../platform/http/input/rfc3339';

export class ListEventsQuery extends PageQuery {
  @ApiPropertyOptional({ ...EVENT_TYPE, description: 'Only events of this type.', example: 'delivery.failed' })
  @IsOptional()
  @IsIn(EVENT_TYPES)
  type?: EventType;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Only events of this connection.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  @IsOptional()
  @IsUUID()
  connection_uuid?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Only events at or after this time; a date means its beginning in UTC.',
    example: '2026-11-20T00:00:00Z',
  })
  @IsOptional()
  @IsRfc3339()
  created_from?: string;
}
