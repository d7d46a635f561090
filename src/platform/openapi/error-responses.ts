import type { OpenAPIObject } from '@nestjs/swagger';
import { API_ERRORS_EXTENSION, RESOURCE_ERRORS_EXTENSION } from '../errors/api-errors';
import { SESSION_SCHEMES, SUPPORT_EXTENSION } from '../http/access/access.decorator';
import { ERROR_STATUSES, type ErrorCode, type ErrorKind, kindOf } from '../errors/error-codes';
import { type Example, isRef, type Operation, operationsOf, type Parameter, type Response } from './openapi-document';
import { exampleOf, sentenceOf } from './error-examples';

const SCHEMAS: Readonly<Record<ErrorKind, string>> = {
  unauthorized: 'UnauthorizedError',
  forbidden: 'ForbiddenError',
  not_found: 'NotFoundError',
  validation: 'ValidationError',
  internal: 'InternalError',
};

/** For operations of the console. */
const CONSOLE_DESCRIPTIONS: Readonly<Record<number, string>> = {
  401: 'The cookie of the session or `X-CSRF-TOKEN` is missing, or the session is not valid.',
  403: 'The session may not do this, `X-CSRF-TOKEN` is wrong, or the request comes from a web page of another origin.',
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
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
  'ENVIRONMENT_MOVING',
  'ENVIRONMENT_MOVED',
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
 * @throws Error for a code that has no message
 */
export function describeErrors(document: OpenAPIObject): void {
  const examples: Record<string, Example> = {};
  for (const { operation } of operationsOf(document.paths)) {
    for (const [status, codes] of codesByStatus(operation)) {
      for (const code of codes) examples[code] ??= exampleOf(code);
      operation.responses[status] = errorResponse(status, codes);
    }
  }
  document.components!.examples = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Extension = typeof RESOURCE_ERRORS_EXTENSION | typeof API_ERRORS_EXTENSION;
type Marked = Operation & { [SUPPORT_EXTENSION]?: true };

/** The codes of an operation by status, in the order of the checks (decisions 2). */
function codesByStatus(operation: Operation & Partial<Record<Extension, ErrorCode[]>>): [number, ErrorCode[]][] {
  const named = ([RESOURCE_ERRORS_EXTENSION, API_ERRORS_EXTENSION] as const).flatMap((extension) => {
    const codes = operation[extension] ?? [];
    delete operation[extension];
    return codes;
  });
  const codes = new Set([...derivedCodes(operation, named), ...named]);
  return [...Map.groupBy(codes, (code) => ERROR_STATUSES[code])].sort(([a], [b]) => a - b);
}

/** While an environment is moved to another installation, and afterwards. */
const MOVED = ['ENVIRONMENT_MOVING', 'ENVIRONMENT_MOVED'] as const;

/** The error codes that are derived from the credentials, parameters and body of an operation. */
function derivedCodes(operation: Operation, named: readonly ErrorCode[]): ErrorCode[] {
  const credentials = (operation.security ?? []).flatMap((one) => Object.keys(one));
  const isOfConsole = credentials.includes(SESSION_SCHEMES.cookie);
  const hasBody = operation.requestBody !== undefined;
  const isSupportOnly = isForSupport(operation);
  const parameters = (operation.parameters ?? []).filter((parameter): parameter is Parameter => !isRef(parameter));
  const isRepeatable = parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  const isValidated =
    hasBody ||
    parameters.some((parameter) => parameter.in === 'query') ||
    named.some((code) => ERROR_STATUSES[code] === 422);
  return [
    ...when(isOfConsole, [
      ...(['MISSING_CREDENTIALS', 'INVALID_SESSION', 'NOT_YOUR_ENVIRONMENT', 'ORIGIN_NOT_ALLOWED'] as const),
      ...when(credentials.includes(SESSION_SCHEMES.csrfToken), ['INVALID_CSRF_TOKEN']),
      ...when(isSupportOnly, ['SUPPORT_ONLY']),
      ...(['RATE_LIMITED', 'INTERNAL_ERROR', 'TEMPORARILY_UNAVAILABLE'] as const),
      // The support team may read an environment that is being moved, but not change it.
      ...when(!isSupportOnly || hasBody, MOVED),
    ]),
    ...when(credentials.length > 0 && !isOfConsole, [
      // All credentials that are sent must be valid, and must belong together (decisions 3).
      ...(['MISSING_CREDENTIALS', 'INVALID_API_KEY', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'NOT_YOUR_IDENTITY'] as const),
      ...when(credentials.includes('X-TOKEN'), ['ORIGIN_NOT_ALLOWED']),
      ...(['API_KEY_IN_BROWSER', 'RATE_LIMITED', 'INTERNAL_ERROR', 'TEMPORARILY_UNAVAILABLE'] as const),
      ...MOVED,
    ]),
    ...when(isRepeatable, ['IDEMPOTENCY_IN_PROGRESS']),
    ...when(hasBody, ['BODY_TOO_LARGE']),
    ...when(isValidated, ['VALIDATION_FAILED']),
    ...when(isValidated && hasBody, ['MISSING_REQUIRED_FIELDS', 'MALFORMED_JSON']),
    ...when(isValidated && isRepeatable, ['IDEMPOTENCY_KEY_REUSED']),
  ];
}

/** Reads and removes the mark of `@Access('support')`. */
function isForSupport(operation: Marked): boolean {
  const isMarked = operation[SUPPORT_EXTENSION] === true;
  delete operation[SUPPORT_EXTENSION];
  return isMarked;
}

const when = (condition: boolean, codes: readonly ErrorCode[]): readonly ErrorCode[] => (condition ? codes : []);

function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
  const list = codes.map((code) => `- \`${code}\`: ${sentenceOf(code)}`);
  const isOfConsole = codes.some((code) => code === 'INVALID_SESSION' || code === 'NOT_YOUR_ENVIRONMENT');
  const description = (isOfConsole && CONSOLE_DESCRIPTIONS[status]) || DESCRIPTIONS[status]!;
  const waits = status === 429 || codes.some((code) => WITH_RETRY_AFTER.includes(code));
  return {
    description: [description, '', ...list].join('\n'),
    headers: {
      ...(waits && { 'Retry-After': { ...RETRY_AFTER, required: status === 429 } }),
      ...(status === 416 && { 'Content-Range': CONTENT_RANGE }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${SCHEMAS[kindOf(status)]}` },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
