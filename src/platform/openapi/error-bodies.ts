import { ApiExtension, ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { FIELD_CODE, type FieldCode } from './field-codes';

/** The members that all error bodies share (RFC 9457, decisions 2). */
class ErrorBody {
  @ApiProperty({
    format: 'uri',
    description: 'Where this code is explained.',
    example: 'https://docfetch.example.com/docs/errors#NOT_YOUR_CONNECTION',
  })
  type: string;

  @ApiProperty({ description: 'The kind of error, in the language of the request.', example: 'Not allowed' })
  title: string;

  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.', example: 403 })
  status: number;

  @ApiProperty({
    description:
      'Stable and never translated: decide by this one. Each operation lists the codes that it answers; others may be added.',
    example: 'NOT_YOUR_CONNECTION',
  })
  code: string;

  @ApiProperty({
    description: 'What happened, in the language of the request; safe to show to an end user.',
    example: 'You do not have access to this connection.',
  })
  detail: string;

  @ApiProperty({
    description: 'Quote it when you ask for help. Also in the header `X-Request-Id`.',
    example: 'req_4TqRZkq9mC0yXc6x3WnB',
  })
  request_id: string;
}

@ApiSchema({ description: 'No valid `X-API-KEY` or `X-TOKEN` was sent (401).' })
export class UnauthorizedError extends ErrorBody {}

@ApiSchema({ description: "The resource is not of the caller's identity or environment (403)." })
export class ForbiddenError extends ErrorBody {}

@ApiSchema({ description: 'The resource does not exist (404).' })
export class NotFoundError extends ErrorBody {}

@ApiSchema({ description: 'One wrong input.' })
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
    description: 'The same for people, in the language of the request.',
    example: 'IMAP server is required.',
  })
  message: string;

  @ApiPropertyOptional({
    description:
      'Only where a server that the user typed is not trusted (`CERTIFICATE_INVALID`, `HOST_KEY_UNKNOWN`, `HOST_KEY_CHANGED`): the SHA-256 fingerprint that it shows. Of a TLS certificate in upper-case hex with colons, as browsers show it; of an SSH host key as OpenSSH prints it (`SHA256:…`). Show it to the user; when the user trusts the server, send the same request with it in `fields.trusted_fingerprint`.',
    example: 'SHA256:uNiVztksCsDhcc0u9e8BrrmuQ3JxGnSGZfEo7ZqyZ5w',
  })
  fingerprint?: string;
}

@ApiSchema({ description: 'The request cannot be carried out as it is (409, 413, 416, 422, 429).' })
export class ValidationError extends ErrorBody {
  @ApiProperty({
    type: [FieldError],
    description: 'Every missing or wrong field; empty when it is not about fields.',
    example: [{ field: 'fields.host', code: 'REQUIRED', message: 'IMAP server is required.' }],
  })
  errors: FieldError[];
}

@ApiSchema({ description: 'The service has failed (500). It says nothing about why: quote `request_id` to us.' })
export class InternalError extends ErrorBody {}

/** spec 7: the five kinds of error bodies. */
export const ERROR_BODIES = [UnauthorizedError, ForbiddenError, NotFoundError, ValidationError, InternalError];

export type RefusalStatus = 401 | 403 | 404 | 409 | 413 | 416 | 422 | 429;
/** The codes with which an operation refuses, by status. */
export type Refusals = Readonly<Partial<Record<RefusalStatus, readonly string[]>>>;

/** Where an operation of the document keeps what `@ApiErrors` says until its responses are written. */
export const API_ERRORS_EXTENSION = 'x-fails';

/**
 * Documents how an operation refuses: `@ApiErrors(401, { 404: ['CONNECTION_NOT_FOUND'] }, 422)`. A status alone stands for the
 * codes that follow from what the operation is: its credentials, parameters and body.
 */
export function ApiErrors(...refusals: (RefusalStatus | Refusals)[]): MethodDecorator {
  const codes: Partial<Record<RefusalStatus, string[]>> = {};
  for (const refusal of refusals) {
    const named = typeof refusal === 'number' ? { [refusal]: [] } : refusal;
    for (const [status, some] of Object.entries(named) as unknown as [RefusalStatus, readonly string[]][]) {
      codes[status] = [...(codes[status] ?? []), ...some];
    }
  }
  return ApiExtension(API_ERRORS_EXTENSION, codes);
}
