import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { EventType } from '../../connections/webhooks/webhook.entity';
import { EVENT_TYPE } from '../../connections/webhooks/webhook.view';
import { apiEnum } from '../../platform/openapi/api-enum';
import {
  ConnectionStatusChangedDataView,
  DeliveryFailedDataView,
  DocumentAvailableDataView,
  EndpointDataView,
  ExpectedMissingDataView,
  FetchFinishedDataView,
  SourceRequestedDataView,
} from '../webhooks/webhook-event-data.view';

const UUID = { format: 'uuid', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' };
const DATA = [
  DocumentAvailableDataView,
  ConnectionStatusChangedDataView,
  FetchFinishedDataView,
  DeliveryFailedDataView,
  EndpointDataView,
  ExpectedMissingDataView,
  SourceRequestedDataView,
];

export type EventDeliveryStatus = 'SENT' | 'FAILED' | 'INTERRUPTED';

const EVENT_DELIVERY_STATUS = apiEnum<EventDeliveryStatus>('EventDeliveryStatus', 'The result of a webhook delivery.', {
  SENT: 'the webhook returned 2xx',
  FAILED: 'the webhook returned another status or no response, or was disabled before the event was sent',
  INTERRUPTED: 'the service stopped while sending; it is unknown whether the event arrived',
});

@ApiSchema({ description: 'The delivery of an event to one webhook.' })
export class EventDeliveryView {
  @ApiProperty({ ...UUID, description: 'The webhook.' })
  webhook_uuid: string;

  @ApiProperty({ ...EVENT_DELIVERY_STATUS, description: 'How it ended.', example: 'SENT' })
  status: EventDeliveryStatus;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The HTTP status of its response; null when there was none.',
    example: 204,
  })
  response_status: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was sent; null when it was not sent.',
    example: '2026-11-20T08:30:00.000Z',
  })
  sent_at: string | null;
}

@ApiExtraModels(...DATA)
@ApiSchema({ name: 'Event', description: 'An event, as it is sent to webhooks.' })
export class ListedEventView {
  @ApiProperty({ ...UUID, description: 'The event; webhooks get it as `webhook-id`.' })
  event_uuid: string;

  @ApiProperty({ ...EVENT_TYPE, description: 'The result.', example: 'connection.status_changed' })
  type: EventType;

  @ApiProperty({ format: 'date-time', description: 'When it happened.', example: '2026-11-20T08:30:00.000Z' })
  created_at: string;

  @ApiProperty({
    anyOf: DATA.map((view) => ({ $ref: getSchemaPath(view) })),
    description: 'The data of the event by `type`, generated from the current state.',
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
    description: 'The finished webhook deliveries, oldest first.',
  })
  deliveries: EventDeliveryView[];
}

@ApiSchema({ description: 'A resent event.' })
export class ResentEventView {
  @ApiProperty({ ...UUID, description: 'The event.' })
  event_uuid: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of webhooks that receive it: all enabled ones that subscribe to this type now.',
    example: 1,
  })
  webhooks: number;
}
