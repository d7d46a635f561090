import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../../../platform/openapi/api-enum';

type FetchStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'CANCELLED';

/** Also used by the fetch view in the module `fetches`. */
export const FETCH_STATUS = apiEnum<FetchStatus>('FetchStatus', 'The state or result of a fetch.', {
  QUEUED: 'waiting: only one fetch of a connection runs at a time',
  RUNNING: 'running',
  SUCCEEDED: 'all listed documents were processed',
  PARTIAL: 'some documents failed; the next fetch retries them',
  FAILED: 'the source could not be read',
  CANCELLED: 'stopped because the connection was disabled or deleted',
});

@ApiSchema({ description: 'The last fetch of a connection.' })
export class LastFetchView {
  @ApiProperty({ format: 'uuid', description: 'The fetch.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;

  @ApiProperty({
    ...FETCH_STATUS,
    description: 'Its state or result.',
    example: 'SUCCEEDED',
  })
  status: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended; null while it is queued or running.',
    example: '2026-11-20T08:30:00.000Z',
  })
  finished_at: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of new documents.', example: 3 })
  documents_new: number;
}
