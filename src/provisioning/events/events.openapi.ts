import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import type { Operation, PathItem } from '../../platform/openapi/openapi-document';
import { SIGNATURE_HEADERS } from './signed-headers.openapi';
import {
  ConnectionStatusChangedEventView,
  DeliveryFailedEventView,
  DocumentAvailableEventView,
  EndpointFailingEventView,
  EndpointRecoveredEventView,
  ExpectedMissingEventView,
  FetchFinishedEventView,
  SourceRequestedEventView,
  WebhookTestEventView,
} from '../webhooks/webhook-event.view';

const SENT_ONCE =
  'Sent once to every webhook that subscribes to it, and never repeated, whatever you respond; events of one webhook may arrive out of order. The timeout is ten seconds; redirects are not followed.';

function eventMessage(operationId: string, summary: string, description: string, body: Type): PathItem {
  const post: Operation = {
    operationId,
    summary,
    description,
    tags: ['Messages'],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      description: 'The event.',
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': {
        description: 'Not received; not sent again. The first KiB of your response is stored in the delivery log.',
      },
      '5XX': { description: 'Not received; not sent again.' },
    },
  };
  return { post };
}

/** The events that are sent to webhooks (decisions 6). */
export const EVENT_MESSAGES: Readonly<Record<string, PathItem>> = {
  'document.available': eventMessage(
    'receiveDocumentAvailable',
    'A document can be pulled',
    `With the strategy \`WEBHOOK\`, for every document; with \`PUSH\`, for documents that are larger than the push limit, with \`reason\`; with \`POLLING\`, never. Pull it with \`GET /v1/transactions/{transaction_uuid}/document\`. ${SENT_ONCE} Missed documents are in \`GET /v1/transactions?status=AVAILABLE\`.`,
    DocumentAvailableEventView,
  ),
  'connection.status_changed': eventMessage(
    'receiveConnectionStatusChanged',
    'The status of a connection has changed',
    `Sent for every status change, whatever its cause. ${SENT_ONCE}`,
    ConnectionStatusChangedEventView,
  ),
  'fetch.finished': eventMessage(
    'receiveFetchFinished',
    'A fetch has ended',
    `Successfully or not. ${SENT_ONCE}`,
    FetchFinishedEventView,
  ),
  'delivery.failed': eventMessage(
    'receiveDeliveryFailed',
    'A document could not be pushed',
    `The last attempt has failed, and there are no further automatic attempts. ${SENT_ONCE}`,
    DeliveryFailedEventView,
  ),
  'document.expected_missing': eventMessage(
    'receiveDocumentExpectedMissing',
    'The invoice of a monthly supplier has not come',
    `The last four invoices of the supplier came monthly (or the last eight, two a month), and none has come since, until a month and two weeks after the last one. Told once; the connection could be read since. Only in environments with \`expected_documents\`. ${SENT_ONCE}`,
    ExpectedMissingEventView,
  ),
  'endpoint.failing': eventMessage(
    'receiveEndpointFailing',
    'Your provisioning URL is failing',
    `Five attempts in a row have failed. Now one document at a time is sent as a trial, after 30 seconds and then with increasing intervals of up to 4 hours; the others wait. Sent again when the URL still fails after 24 and after 48 hours. Only for webhooks of the environment. ${SENT_ONCE}`,
    EndpointFailingEventView,
  ),
  'endpoint.recovered': eventMessage(
    'receiveEndpointRecovered',
    'Your provisioning URL works again',
    `A document was delivered; the waiting ones follow. Only for webhooks of the environment. ${SENT_ONCE}`,
    EndpointRecoveredEventView,
  ),
  'source.requested': eventMessage(
    'receiveSourceRequested',
    'A user misses a source',
    `A user has asked for a source that the hosted UI does not offer; at most ten times within 24 hours for each identity. Only for webhooks of the environment. ${SENT_ONCE}`,
    SourceRequestedEventView,
  ),
  'webhook.test': eventMessage(
    'receiveWebhookTest',
    'You have requested a test',
    'Sent only by `POST /v1/webhooks/{uuid}/test`.',
    WebhookTestEventView,
  ),
};

/** Schemas that only events use. */
export const EVENT_BODIES = [
  DocumentAvailableEventView,
  EndpointFailingEventView,
  EndpointRecoveredEventView,
  ConnectionStatusChangedEventView,
  FetchFinishedEventView,
  DeliveryFailedEventView,
  ExpectedMissingEventView,
  SourceRequestedEventView,
  WebhookTestEventView,
];
