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
  FetchFinishedEventView,
  WebhookTestEventView,
} from '../webhooks/webhook-event.view';

const SENT_ONCE =
  'Sent once to every webhook that asked for it, and never repeated, whatever you answer; events of one webhook may overtake each other. Takes ten seconds at the most; redirects are not followed.';

function eventMessage(operationId: string, summary: string, description: string, body: Type): PathItem {
  const post: Operation = {
    operationId,
    summary,
    description,
    tags: ['Messages'],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      description: 'What has happened.',
      required: true,
      content: { 'application/json': { schema: { $ref: getSchemaPath(body) } } },
    },
    responses: {
      '2XX': { description: 'Received.' },
      '4XX': {
        description: 'Not received; not sent again. The first 1 KiB of your answer is kept in the delivery log.',
      },
      '5XX': { description: 'Not received; not sent again.' },
    },
  };
  return { post };
}

/** The events that webhooks are told of (decisions 6). */
export const EVENT_MESSAGES: Readonly<Record<string, PathItem>> = {
  'document.available': eventMessage(
    'receiveDocumentAvailable',
    'A document can be pulled',
    `With the strategy \`WEBHOOK\`, for every document; with \`PUSH\`, for those that are larger than the push limit, with \`reason\`; with \`POLLING\`, never. Pull it with \`GET /v1/transactions/{transaction_uuid}/document\`. ${SENT_ONCE} What you have missed is in \`GET /v1/transactions?status=AVAILABLE\`.`,
    DocumentAvailableEventView,
  ),
  'connection.status_changed': eventMessage(
    'receiveConnectionStatusChanged',
    'A connection has another status than before',
    `Whoever or whatever changed it. ${SENT_ONCE}`,
    ConnectionStatusChangedEventView,
  ),
  'fetch.finished': eventMessage(
    'receiveFetchFinished',
    'A fetch has come to its end',
    `Well or not. ${SENT_ONCE}`,
    FetchFinishedEventView,
  ),
  'delivery.failed': eventMessage(
    'receiveDeliveryFailed',
    'A document could not be pushed',
    `The last attempt has failed and none follows by itself. ${SENT_ONCE}`,
    DeliveryFailedEventView,
  ),
  'endpoint.failing': eventMessage(
    'receiveEndpointFailing',
    'Your provisioning URL fails',
    `Five attempts in a row have failed. From now on one document at a time is sent as a trial, after 30 seconds and then in growing intervals of up to 4 hours; the others wait. Sent again when the URL still fails after 24 and after 48 hours. Only webhooks of the environment hear of it. ${SENT_ONCE}`,
    EndpointFailingEventView,
  ),
  'endpoint.recovered': eventMessage(
    'receiveEndpointRecovered',
    'Your provisioning URL answers again',
    `A document was delivered; those that wait follow. Only webhooks of the environment hear of it. ${SENT_ONCE}`,
    EndpointRecoveredEventView,
  ),
  'webhook.test': eventMessage(
    'receiveWebhookTest',
    'You have asked for a test',
    'Sent by `POST /v1/webhooks/{uuid}/test`, and only then.',
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
  WebhookTestEventView,
];
