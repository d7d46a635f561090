import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { FIELD_CODE, type FieldCode } from './field-codes';

/** The members that all error bodies share (RFC 9457, decisions 2). */
class ErrorBody {
  @ApiProperty({
    format: 'uri',
    description: 'The documentation of this code.',
    example: 'https://docfetch.example.com/docs/errors#NOT_YOUR_CONNECTION',
  })
  type: string;

  @ApiProperty({ description: 'The kind of error, in the language of the request.', example: 'Not allowed' })
  title: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.', example: 403 })
  status: number;

  @ApiProperty({
    description:
      'Stable and never translated; use it in your code. Each operation lists its codes; others may be added.',
    example: 'NOT_YOUR_CONNECTION',
  })
  code: string;

  @ApiProperty({
    description: 'What happened, in the language of the request; safe to show to an end user.',
    example: 'You do not have access to this connection.',
  })
  detail: string;

  @ApiProperty({
    description: 'The request id, for support requests. Also in the header `X-Request-Id`.',
    example: 'req_4TqRZkq9mC0yXc6x3WnB',
  })
  request_id: string;
}

@ApiSchema({ description: 'No valid `X-API-KEY` or `X-TOKEN` was sent (401).' })
export class UnauthorizedError extends ErrorBody {}

@ApiSchema({ description: 'The resource belongs to another identity or environment (403).' })
export class ForbiddenError extends ErrorBody {}

@ApiSchema({ description: 'The resource does not exist (404).' })
export class NotFoundError extends ErrorBody {}

@ApiSchema({ description: 'An invalid input.' })
export class FieldError {
  @ApiProperty({
    description: "The path in the body (`fields.<field id>`), or the parameter's name.",
    example: 'fields.host',
  })
  field: string;

  @ApiProperty({
    ...FIELD_CODE,
    description: 'What is wrong with it. Stable and never translated; others may be added.',
    example: 'REQUIRED',
  })
  code: FieldCode;

  @ApiProperty({
    description: 'The same as a readable message, in the language of the request.',
    example: 'IMAP server is required.',
  })
  message: string;

  @ApiPropertyOptional({
    description:
      'Only when a server that the user entered is not trusted (`CERTIFICATE_INVALID`, `HOST_KEY_UNKNOWN`, `HOST_KEY_CHANGED`): its SHA-256 fingerprint. For a TLS certificate in upper-case hex with colons, as in browsers; for an SSH host key in the format of OpenSSH (`SHA256:…`). Show it to the user; when the user trusts the server, send the same request with it in `fields.trusted_fingerprint`.',
    example: 'SHA256:uNiVztksCsDhcc0u9e8BrrmuQ3JxGnSGZfEo7ZqyZ5w',
  })
  fingerprint?: string;
}

@ApiSchema({ description: 'The request cannot be processed (409, 413, 416, 422, 429).' })
export class ValidationError extends ErrorBody {
  @ApiProperty({
    type: [FieldError],
    description: 'All missing or invalid fields; empty when the error is not about fields.',
    example: [{ field: 'fields.host', code: 'REQUIRED', message: 'IMAP server is required.' }],
  })
  errors: FieldError[];
}

@ApiSchema({ description: 'An internal error (500). Contact the support team with the `request_id`.' })
export class InternalError extends ErrorBody {}

/** spec 7: the five kinds of error bodies. */
export const ERROR_BODIES = [UnauthorizedError, ForbiddenError, NotFoundError, ValidationError, InternalError];
