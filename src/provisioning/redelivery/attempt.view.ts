import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { translateDeliveryError } from '../../transactions/feed/translate-delivery-error';
import type { Attempt } from '../../transactions/record/attempt.entity';
import { deliveryError } from '../shared/delivery-error';

@ApiSchema({ description: 'Why an attempt failed.' })
export class AttemptErrorView {
  @ApiProperty({
    description:
      'Stable; use it in your code. `TOO_LARGE_FOR_PUSH`, `CONTENT_UNREADABLE` and `ADDRESS_NOT_ALLOWED`: nothing was sent. `INTERRUPTED`: the service was stopped during the attempt. Others may be added.',
    example: 'UNEXPECTED_STATUS',
  })
  code: string;

  @ApiProperty({ description: 'The same as a readable message.', example: 'The endpoint answered 503 instead of 200.' })
  message: string;
}

@ApiSchema({ description: 'One attempt to push a document.' })
export class AttemptView {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'All attempts are counted, whatever their outcome; the numbering continues across redeliveries.',
    example: 1,
  })
  number: number;

  @ApiProperty({ format: 'date-time', description: 'When it started.', example: '2026-11-20T08:30:00.000Z' })
  started_at: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The duration in milliseconds.', example: 184 })
  duration_ms: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The HTTP status of the response; null when there was none, or nothing was sent.',
    example: 503,
  })
  status: number | null;

  @ApiProperty({ type: AttemptErrorView, nullable: true, description: 'Why it failed; null when it was delivered.' })
  error: AttemptErrorView | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first KiB of the response; null when there was none.',
    example: 'upstream unavailable',
  })
  response_excerpt: string | null;
}

export function attemptView(attempt: Attempt): AttemptView {
  const status = attempt.status ?? null;
  const error = attempt.errorCode ? deliveryError(attempt.errorCode, status) : null;
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status,
    error: error && { code: error.code, message: translateDeliveryError(error) },
    response_excerpt: attempt.responseExcerpt ?? null,
  };
}
