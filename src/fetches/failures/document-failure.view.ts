import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { failureView, FetchFailureView } from '../history/fetch-detail.view';
import type { DocumentFailure } from './document-failure.entity';

@ApiSchema({ description: 'A document of a connection that could not be read so far.' })
export class DocumentFailureView extends FetchFailureView {
  @ApiProperty({
    format: 'uuid',
    description: 'This failure. A document that fails again after the source has changed it gets another one.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  failure_uuid: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was first tried.',
    example: '2026-11-20T08:30:00.000Z',
  })
  since: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many fetches have tried to read it.', example: 3 })
  attempts: number;
}

/** In the caller's language. */
export function documentFailureView(failure: DocumentFailure): DocumentFailureView {
  return {
    failure_uuid: failure.uuid,
    ...failureView(failure),
    since: failure.since.toISOString(),
    attempts: failure.attempts,
  };
}
