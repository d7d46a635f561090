import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { apiEnum } from '../../platform/openapi/api-enum';

type FetchStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'CANCELLED';

/** Also of the fetch itself, in the room to the right. */
export const FETCH_STATUS = apiEnum<FetchStatus>('FetchStatus', 'How far a fetch is, or how it ended.', {
  QUEUED: 'waiting for its turn: one fetch of a connection runs at a time',
  RUNNING: 'running',
  SUCCEEDED: 'every document that was shown has been dealt with',
  PARTIAL: 'some documents failed; the next fetch tries them again',
  FAILED: 'nothing more could be fetched',
  CANCELLED: 'stopped, because the connection was disabled or deleted',
});

@ApiSchema({ description: 'The latest fetch of a connection.' })
export class LastFetchView {
  @ApiProperty({ format: 'uuid', description: 'The fetch.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;

  @ApiProperty({
    ...FETCH_STATUS,
    description: 'How far it is, or how it ended.',
    example: 'SUCCEEDED',
  })
  status: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended; null while it is waiting or running.',
    example: '2026-11-20T08:30:00.000Z',
  })
  finished_at: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Documents that were not known before.', example: 3 })
  documents_new: number;
}
