import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  ConnectionStatusChangedDataView,
  DeliveryFailedDataView,
  DocumentAvailableDataView,
  EndpointDataView,
  ExpectedMissingDataView,
  FetchFinishedDataView,
  SourceRequestedDataView,
  WebhookTestDataView,
} from './webhook-event-data.view';

/** Common fields of all events (Standard Webhooks). */
class EventView {
  @ApiProperty({ format: 'date-time', description: 'When it happened.', example: '2026-11-20T08:30:00.000Z' })
  timestamp: string;
}

@ApiSchema({ description: 'A document can be pulled (`GET /v1/transactions/{transaction_uuid}/document`).' })
export class DocumentAvailableEventView extends EventView {
  @ApiProperty({ enum: ['document.available'], description: 'The type of event.', example: 'document.available' })
  type: 'document.available';

  @ApiProperty({ type: DocumentAvailableDataView, description: 'The document.' })
  data: DocumentAvailableDataView;
}

@ApiSchema({ description: 'The status of a connection has changed.' })
export class ConnectionStatusChangedEventView extends EventView {
  @ApiProperty({
    enum: ['connection.status_changed'],
    description: 'The type of event.',
    example: 'connection.status_changed',
  })
  type: 'connection.status_changed';

  @ApiProperty({ type: ConnectionStatusChangedDataView, description: 'The connection and its status.' })
  data: ConnectionStatusChangedDataView;
}

@ApiSchema({ description: 'A fetch has ended, successfully or not.' })
export class FetchFinishedEventView extends EventView {
  @ApiProperty({ enum: ['fetch.finished'], description: 'The type of event.', example: 'fetch.finished' })
  type: 'fetch.finished';

  @ApiProperty({ type: FetchFinishedDataView, description: 'The fetch.' })
  data: FetchFinishedDataView;
}

@ApiSchema({ description: 'The last attempt to push a document has failed.' })
export class DeliveryFailedEventView extends EventView {
  @ApiProperty({ enum: ['delivery.failed'], description: 'The type of event.', example: 'delivery.failed' })
  type: 'delivery.failed';

  @ApiProperty({ type: DeliveryFailedDataView, description: 'The document and the error.' })
  data: DeliveryFailedDataView;
}

@ApiSchema({ description: 'Your provisioning URL is failing; documents are waiting.' })
export class EndpointFailingEventView extends EventView {
  @ApiProperty({ enum: ['endpoint.failing'], description: 'The type of event.', example: 'endpoint.failing' })
  type: 'endpoint.failing';

  @ApiProperty({ type: EndpointDataView, description: 'The endpoint and its pending documents.' })
  data: EndpointDataView;
}

@ApiSchema({ description: 'Your provisioning URL works again; waiting documents are being sent.' })
export class EndpointRecoveredEventView extends EventView {
  @ApiProperty({ enum: ['endpoint.recovered'], description: 'The type of event.', example: 'endpoint.recovered' })
  type: 'endpoint.recovered';

  @ApiProperty({ type: EndpointDataView, description: 'The endpoint and its pending documents.' })
  data: EndpointDataView;
}

@ApiSchema({ description: 'The invoice of a monthly supplier has not come.' })
export class ExpectedMissingEventView extends EventView {
  @ApiProperty({
    enum: ['document.expected_missing'],
    description: 'The type of event.',
    example: 'document.expected_missing',
  })
  type: 'document.expected_missing';

  @ApiProperty({ type: ExpectedMissingDataView, description: 'The supplier, and its last invoices.' })
  data: ExpectedMissingDataView;
}

@ApiSchema({ description: 'A user misses a source.' })
export class SourceRequestedEventView extends EventView {
  @ApiProperty({ enum: ['source.requested'], description: 'The type of event.', example: 'source.requested' })
  type: 'source.requested';

  @ApiProperty({ type: SourceRequestedDataView, description: 'The user and the source.' })
  data: SourceRequestedDataView;
}

@ApiSchema({ description: 'Sent only on request (`POST /v1/webhooks/{uuid}/test`).' })
export class WebhookTestEventView extends EventView {
  @ApiProperty({ enum: ['webhook.test'], description: 'The type of event.', example: 'webhook.test' })
  type: 'webhook.test';

  @ApiProperty({ type: WebhookTestDataView, description: 'The webhook.' })
  data: WebhookTestDataView;
}

/** All payloads that are sent to webhooks. */
export type WebhookEvent =
  | DocumentAvailableEventView
  | ConnectionStatusChangedEventView
  | FetchFinishedEventView
  | DeliveryFailedEventView
  | EndpointFailingEventView
  | EndpointRecoveredEventView
  | ExpectedMissingEventView
  | SourceRequestedEventView
  | WebhookTestEventView;
