import type { OpenAPIObject } from '@nestjs/swagger';
import { isDeepStrictEqual } from 'node:util';
import { API_ERRORS_EXTENSION, type Refusals, type RefusalStatus } from './error-bodies';
import { type Example, isRef, type Operation, operationsOf, type Parameter, type Response } from './openapi-document';
import { exampleOf, sentenceOf } from './error-examples';

type Status = RefusalStatus | 500;

const SCHEMAS: Readonly<Record<Status, string>> = {
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ValidationError',
  413: 'ValidationError',
  416: 'ValidationError',
  422: 'ValidationError',
  429: 'ValidationError',
  500: 'InternalError',
};

const DESCRIPTIONS: Readonly<Record<Status, string>> = {
  401: '`X-API-KEY` or `X-TOKEN` is missing or not valid.',
  403: 'The resource belongs to another identity or environment, the UI token does not include it, or the request comes from a web page of an origin that is not allowed.',
  404: 'The resource does not exist.',
  409: 'The request is not possible at the moment.',
  413: 'The body is too large.',
  416: '`Range` begins after the end of the document.',
  422: 'The input is not valid, or the state does not allow the request; `errors` names every missing or invalid field.',
  429: 'Too many requests.',
  500: 'Internal error. With `Retry-After`, it is temporary.',
};

const WITH_RETRY_AFTER: readonly string[] = [
  'SCHEDULED_FETCH_DUE',
  'IDEMPOTENCY_IN_PROGRESS',
  'TEMPORARILY_UNAVAILABLE',
];
/** RFC 9110 14.4 */
const CONTENT_RANGE = {
  description: 'The total size in bytes.',
  required: true,
  schema: { type: 'string' as const },
  example: 'bytes */152340',
};
const RETRY_AFTER = {
  description: 'Seconds to wait until the request can succeed.',
  schema: { type: 'integer' as const, minimum: 1 },
  example: 42,
};

/**
 * Writes the error responses of every operation: the codes of `@ApiErrors` and the derived ones. A response lists its codes, each
 * with an example.
 * @throws Error for a code that has no message, or two statuses
 */
export function describeErrors(document: OpenAPIObject): void {
  const examples: Record<string, Example> = {};
  for (const { operation } of operationsOf(document.paths)) {
    for (const [status, codes] of refusalsOf(operation)) {
      for (const code of codes) {
        const example = exampleOf(status, code);
        examples[code] ??= example;
        if (!isDeepStrictEqual(examples[code], example)) throw new Error(`${code} is documented with two statuses`);
      }
      operation.responses[status] = errorResponse(status, codes);
    }
  }
  document.components!.examples = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The codes of an operation by status, in the order of the checks (decisions 2). */
function refusalsOf(operation: Operation & { [API_ERRORS_EXTENSION]?: Refusals }): [Status, string[]][] {
  const named = operation[API_ERRORS_EXTENSION] ?? {};
  delete operation[API_ERRORS_EXTENSION];
  const derived = derivedErrors(operation, 422 in named);
  const statuses = [...new Set([...Object.keys(named), ...Object.keys(derived)].map(Number))] as Status[];
  return statuses
    .sort((a, b) => a - b)
    .map((status) => [
      status,
      [...new Set([...(derived[status] ?? []), ...(status === 500 ? [] : (named[status] ?? []))])],
    ]);
}

/** The error codes that are derived from the credentials, parameters and body of an operation. */
function derivedErrors(operation: Operation, validatesPath: boolean): Partial<Record<Status, string[]>> {
  const credentials = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const secured = credentials.length > 0;
  const hasBody = operation.requestBody !== undefined;
  const parameters = (operation.parameters ?? []).filter((parameter): parameter is Parameter => !isRef(parameter));
  const repeatable = isRepeatable(operation);
  const validated = validatesPath || hasBody || parameters.some((parameter) => parameter.in === 'query');
  return {
    ...(secured && {
      // All credentials that are sent must be valid, and must belong together (decisions 3).
      401: ['MISSING_CREDENTIALS', 'INVALID_API_KEY', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
      403: [
        'NOT_YOUR_IDENTITY',
        ...(credentials.includes('X-TOKEN') ? ['ORIGIN_NOT_ALLOWED'] : []),
        'API_KEY_IN_BROWSER',
      ],
      429: ['RATE_LIMITED'],
      500: ['INTERNAL_ERROR', 'TEMPORARILY_UNAVAILABLE'],
    }),
    ...(repeatable && { 409: ['IDEMPOTENCY_IN_PROGRESS'] }),
    ...(hasBody && { 413: ['BODY_TOO_LARGE'] }),
    ...(validated && {
      422: [
        'VALIDATION_FAILED',
        ...(hasBody ? ['MISSING_REQUIRED_FIELDS', 'MALFORMED_JSON'] : []),
        ...(repeatable ? ['IDEMPOTENCY_KEY_REUSED'] : []),
      ],
    }),
  };
}

const isRepeatable = ({ parameters = [] }: Operation) =>
  parameters.some((parameter) => !isRef(parameter) && parameter.name === 'Idempotency-Key');

function errorResponse(status: Status, codes: readonly string[]): Response {
  const list = codes.map((code) => `- \`${code}\`: ${sentenceOf(code)}`);
  const waits = status === 429 || codes.some((code) => WITH_RETRY_AFTER.includes(code));
  return {
    description: [DESCRIPTIONS[status], '', ...list].join('\n'),
    headers: {
      ...(waits && { 'Retry-After': { ...RETRY_AFTER, required: status === 429 } }),
      ...(status === 416 && { 'Content-Range': CONTENT_RANGE }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${SCHEMAS[status]}` },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
