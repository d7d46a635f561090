import type { OpenAPIObject } from '@nestjs/swagger';
import { sample } from 'openapi-sampler';
import { operationsOf, type Response } from '../../platform/openapi/openapi-document';
import { CONNECTION_EXAMPLES } from './connections';
import { CONSOLE_EXAMPLES } from './console';
import { CONSOLE_SUPPORT_EXAMPLES } from './console-support';
import { DELIVERY_EXAMPLES } from './delivery';
import { IDENTITY_EXAMPLES } from './identities';
import { MAIL_ACCOUNT_EXAMPLES } from './mail-accounts';
import { merged, type OperationExamples } from './named-example';

/** By operationId. */
export const EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  ...IDENTITY_EXAMPLES,
  ...CONNECTION_EXAMPLES,
  ...DELIVERY_EXAMPLES,
  ...MAIL_ACCOUNT_EXAMPLES,
  ...CONSOLE_EXAMPLES,
  ...CONSOLE_SUPPORT_EXAMPLES,
};

/**
 * Adds the named examples of requests and responses to the generated document.
 * @throws Error for examples of an operation, a body or a status that does not exist
 */
export function addNamedExamples(document: OpenAPIObject): void {
  const operations = new Map(operationsOf(document.paths).map(({ operation }) => [operation.operationId!, operation]));
  for (const [id, { request, responses = {} }] of Object.entries(EXAMPLES)) {
    const operation = operations.get(id);
    if (!operation) throw new Error(`There are examples for ${id}, which is no operation`);
    if (request)
      jsonOf(operation.requestBody as Response | undefined, `the request of ${id}`).examples = { ...request };
    for (const [status, examples] of Object.entries(responses)) {
      const media = jsonOf(operation.responses[status] as Response | undefined, `the answer ${status} of ${id}`);
      const base = sample(media.schema as object, { quiet: true }, document);
      media.examples = Object.fromEntries(
        Object.entries(examples).map(([name, { summary, changes }]) => [
          name,
          { summary, value: merged(base, changes) },
        ]),
      );
    }
  }
}

function jsonOf(body: Response | undefined, what: string) {
  const media = body?.content?.['application/json'];
  if (!media) throw new Error(`There are examples for ${what}, which is no JSON`);
  return media;
}
