import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import type { Operation, PathItem } from '../../platform/openapi/openapi-document';
import { ProvisionedDocumentView } from '../../transactions/download/provisioned-document.view';
import { EVENT_BODIES, EVENT_MESSAGES } from './events.openapi';
import { headerParameter, SIGNATURE_HEADERS } from './signed-headers.openapi';

const PUSH: Operation = {
  operationId: 'receiveDocument',
  summary: 'A document is pushed to you',
  description:
    'With the strategy `PUSH`, each document is posted to your provisioning URL. Delivered at least once: a document is never pushed again after a 200, but may arrive twice after a crash, with the same `Idempotency-Key`. Anything other than 200 within 30 seconds counts as a failure; redirects are not followed. Failed pushes are retried with increasing intervals for about three days, then the transaction becomes `FAILED`.',
  tags: ['Messages'],
  security: [],
  parameters: [
    headerParameter(
      'Idempotency-Key',
      'The `transaction_uuid`: the same for every attempt.',
      { type: 'string', format: 'uuid' },
      '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
    ),
    ...SIGNATURE_HEADERS,
  ],
  requestBody: {
    description: 'The document with its metadata.',
    required: true,
    content: { 'application/json': { schema: { $ref: getSchemaPath(ProvisionedDocumentView) } } },
  },
  responses: {
    200: { description: 'Received: the document is delivered and not sent again.' },
    '4XX': {
      description:
        'Not received: retried later. The `Retry-After` of a 429 is respected. The first KiB of your response is stored in the delivery log.',
    },
    '5XX': { description: 'Not received: retried later. The `Retry-After` of a 503 is respected.' },
  },
};

/** What the service sends (decisions 6), by name. */
const MESSAGES: Readonly<Record<string, PathItem>> = { document: { post: PUSH }, ...EVENT_MESSAGES };

/** Schemas that only messages use. */
export const MESSAGE_BODIES = [ProvisionedDocumentView, ...EVENT_BODIES];

/** Writes the `webhooks` of the document. */
export function describeMessages(document: OpenAPIObject): void {
  document.webhooks = structuredClone(MESSAGES);
}
