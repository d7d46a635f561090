import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

@ApiSchema({ name: 'EnvironmentUsage', description: 'The usage of a month. Deleted items stay counted.' })
export class EnvironmentUsage {
  @ApiProperty({ pattern: '^\\d{4}-\\d{2}$', description: 'The month, in UTC.', example: '2026-11' })
  month: string;

  @ApiProperty({ ...COUNT, description: 'Connections that have been fetched, each counted once.', example: 42 })
  connections: number;

  @ApiProperty({ ...COUNT, description: 'Fetches that have ended, failed ones included.', example: 1_260 })
  fetches: number;

  @ApiProperty({ ...COUNT, description: 'New documents.', example: 318 })
  documents: number;

  @ApiProperty({ ...COUNT, format: 'int64', description: 'Their size in bytes.', example: 73_400_320 })
  bytes: number;
}
