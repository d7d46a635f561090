import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** The members that all error bodies share (RFC 9457, contract 2). */
class ErrorBody {
  @ApiProperty({
    format: 'uri',
    description: 'Where this code is explained.',
    example: 'https://docfetch.example.com/docs/errors#NOT_YOUR_CONNECTION',
  })
  type: string;

  @ApiProperty({ description: 'The kind of error, in the language of the request.' })
  title: string;

  @ApiProperty({ description: 'The HTTP status.' })
  status: number;

  @ApiProperty({ description: 'Stable and never translated: decide by this one.' })
  code: string;

  @ApiProperty({ description: 'What happened, in the language of the request; safe to show to an end user.' })
  detail: string;

  @ApiProperty({
    description: 'Quote it when you ask for help. Also in the header `X-Request-Id`.',
    example: 'req_4TqRZkq9mC0yXc6x3WnB',
  })
  request_id: string;
}

/** No valid `X-API-KEY` or `X-TOKEN` (401). */
export class UnauthorizedError extends ErrorBody {}

/** The resource is not of the caller's identity or environment (403). */
export class ForbiddenError extends ErrorBody {}

/** The resource does not exist (404). */
export class NotFoundError extends ErrorBody {}

/** One wrong input. */
export class FieldError {
  @ApiProperty({
    description: "The path in the body (`fields.<field id>`), or the parameter's name.",
    example: 'fields.host',
  })
  field: string;

  @ApiProperty({ example: 'REQUIRED' })
  code: string;

  @ApiProperty({ description: 'In the language of the request.', example: 'Host is required.' })
  message: string;
}

/** The request cannot be carried out as it is (409, 413, 422, 429). */
export class ValidationError extends ErrorBody {
  @ApiProperty({ type: [FieldError], description: 'Every missing or wrong field; may be empty.' })
  errors: FieldError[];
}

/** Our fault (500). */
export class InternalError extends ErrorBody {}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const, minimum: 1 } },
};

const example = (status: number, code: string, title: string, detail: string, errors?: FieldError[]) => ({
  type: `https://docfetch.example.com/docs/errors#${code}`,
  title,
  status,
  code,
  detail,
  request_id: 'req_4TqRZkq9mC0yXc6x3WnB',
  ...(errors && { errors }),
});

const MISSING = [{ field: 'fields.host', code: 'REQUIRED', message: 'IMAP server is required.' }];

const BODIES = {
  401: {
    model: UnauthorizedError,
    description: 'No valid `X-API-KEY` or `X-TOKEN`.',
    headers: undefined,
    example: example(
      401,
      'INVALID_API_KEY',
      'Not authenticated',
      'The API key is unknown, has expired or has been revoked.',
    ),
  },
  403: {
    model: ForbiddenError,
    description: 'Not of your identity or environment, or not allowed by the token.',
    headers: undefined,
    example: example(403, 'NOT_YOUR_CONNECTION', 'Not allowed', 'This connection belongs to somebody else.'),
  },
  404: {
    model: NotFoundError,
    description: 'It does not exist.',
    headers: undefined,
    example: example(404, 'CONNECTION_NOT_FOUND', 'Not found', 'There is no such connection.'),
  },
  409: {
    model: ValidationError,
    description: 'Not now.',
    headers: RETRY_AFTER,
    example: example(
      409,
      'SCHEDULED_FETCH_DUE',
      'Not possible right now',
      'A scheduled fetch is due within the next minute.',
      [],
    ),
  },
  413: {
    model: ValidationError,
    description: 'The body is larger than 1 MiB.',
    headers: undefined,
    example: example(413, 'BODY_TOO_LARGE', 'Too large', 'The body of the request is larger than 1 MiB.', []),
  },
  422: {
    model: ValidationError,
    description: 'Input or state does not allow it.',
    headers: undefined,
    example: example(422, 'MISSING_REQUIRED_FIELDS', 'Validation failed', 'One required field is missing.', MISSING),
  },
  429: {
    model: ValidationError,
    description: 'Too many requests.',
    headers: RETRY_AFTER,
    example: example(429, 'RATE_LIMITED', 'Too many requests', 'Too many requests. Please wait a moment.', []),
  },
  500: {
    model: InternalError,
    description: 'Our fault.',
    headers: undefined,
    example: example(500, 'INTERNAL_ERROR', 'Internal error', 'Something went wrong on our side.'),
  },
} as const;

/** Documents the error statuses of an operation; 500 is always one of them. */
export const Fails = (...statuses: (keyof typeof BODIES)[]) =>
  applyDecorators(
    ...[...statuses, 500 as const].map((status) => {
      const { model, description, headers, example } = BODIES[status];
      return applyDecorators(
        ApiExtraModels(model),
        ApiResponse({
          status,
          description,
          headers,
          content: { 'application/json': { schema: { $ref: getSchemaPath(model) }, example } },
        }),
      );
    }),
  );
