import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { EventType } from '../../connections/webhooks/webhook.entity';
import { EVENT_TYPE } from '../../connections/webhooks/webhook.view';
import { apiEnum } from '../../platform/openapi/api-enum';
import {
  ConnectionStatusChangedDataView,
  DeliveryFailedDataView,
  DocumentAvailableDataView,
  EndpointDataView,
  FetchFinishedDataView,
} from '../webhooks/webhook-event-data.view';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };
const DATA = [
  DocumentAvailableDataView,
  ConnectionStatusChangedDataView,
  FetchFinishedDataView,
  DeliveryFailedDataView,
  EndpointDataView,
];

export type EventDeliveryStatus = 'SENT' | 'FAILED' | 'INTERRUPTED';

const EVENT_DELIVERY_STATUS = apiEnum<EventDeliveryStatus>(
  'EventDeliveryStatus',
  'How telling a webhook of an event ended.',
  {
    SENT: 'the webhook answered 2xx',
    FAILED: 'it answered something else or nothing, or was disabled before it was its turn',
    INTERRUPTED: 'the service stopped while it was sending: whether it arrived is not known',
  },
);

@ApiSchema({ description: 'One webhook that was told of an event.' })
export class EventDeliveryView {
  @ApiProperty({ ...UUID, description: 'The webhook.' })
  webhook_uuid: string;

  @ApiProperty({ ...EVENT_DELIVERY_STATUS, description: 'How it ended.', example: 'SENT' })
  status: EventDeliveryStatus;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The HTTP status of its answer; null when there was none.',
    example: 204,
  })
  response_status: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was sent; null when it never was.',
    example: '2026-11-20T08:30:00.000Z',
  })
  sent_at: string | null;
}

@ApiExtraModels(...DATA)
@ApiSchema({ name: 'Event', description: 'Something that happened, as webhooks are told of it.' })
export class ListedEventView {
  @ApiProperty({ ...UUID, description: 'The event; webhooks get it as `webhook-id`.' })
  event_uuid: string;

  @ApiProperty({ ...EVENT_TYPE, description: 'What happened.', example: 'connection.status_changed' })
  type: EventType;

  @ApiProperty({ format: 'date-time', description: 'When it happened.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    anyOf: DATA.map((view) => ({ $ref: getSchemaPath(view) })),
    description: 'What webhooks are told, by `type`; made from how things are now.',
    example: {
      client_identifier: 'customer-4711',
      identity_uuid: UUID.example,
      connection_uuid: UUID.example,
      status: 'INVALID_CREDENTIALS',
      previous_status: 'ACTIVE',
      reason: 'LOGIN_REJECTED',
    },
  })
  data: object;

  @ApiProperty({
    type: [EventDeliveryView],
    description: 'The webhooks that were told, oldest first; what still waits or is being sent is not among them.',
  })
  deliveries: EventDeliveryView[];
}

@ApiSchema({ description: 'An event is told once more.' })
export class ResentEventView {
  @ApiProperty({ ...UUID, description: 'The event.' })
  event_uuid: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many webhooks are told: all enabled ones that ask for this type now. 0: there is none.',
    example: 1,
  })
  webhooks: number;
}
