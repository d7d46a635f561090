import { ApiProperty } from '@nestjs/swagger';

/** The answer to fetch-now (spec 4.6): the one success body without `data`. */
export class FetchQueuedView {
  @ApiProperty({ format: 'uuid', description: 'The new fetch.', example: '019a9f6e-2c41-7c5e-9d0a-1b7c2f3e4d5a' })
  uuid: string;
}
