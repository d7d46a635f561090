import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { failureView, FetchFailureView } from '../history/fetch-detail.view';
import type { DocumentFailure } from './document-failure.entity';

@ApiSchema({ description: 'A document of a connection that could not be downloaded yet.' })
export class DocumentFailureView extends FetchFailureView {
  @ApiProperty({
    format: 'uuid',
    description: 'The failure. A document that fails again after the source has changed it gets another failure.',
    example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a',
  })
  failure_uuid: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the first attempt was made.',
    example: '2026-11-20T08:30:00.000Z',
  })
  since: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'How many fetches have attempted to download it.',
    example: 3,
  })
  attempts: number;
}

/** The view in the language of the request. */
export function documentFailureView(failure: DocumentFailure): DocumentFailureView {
  return {
    failure_uuid: failure.uuid,
    ...failureView(failure),
    since: failure.failingSince.toISOString(),
    attempts: failure.attempts,
  };
}
