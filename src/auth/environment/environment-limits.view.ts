import { ApiProperty, ApiSchema } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

@ApiSchema({ description: 'Your limits.' })
export class EnvironmentLimits {
  @ApiProperty({ ...COUNT, description: 'Requests per minute and API key.', example: 600 })
  requests_per_minute: number;

  @ApiProperty({ ...COUNT, description: 'Manual fetches per hour and connection.', example: 5 })
  manual_fetches_per_hour: number;

  @ApiProperty({
    ...COUNT,
    description: 'The size in bytes up to which documents are pushed; larger ones have to be pulled.',
    example: 52_428_800,
  })
  push_limit_bytes: number;
}

@ApiSchema({ description: 'Retention times in days.' })
export class EnvironmentRetention {
  @ApiProperty({ ...COUNT, description: 'Content that was not delivered.', example: 90 })
  content_days: number;

  @ApiProperty({ ...COUNT, description: 'Content after its delivery or acknowledgement.', example: 7 })
  content_after_delivery_days: number;

  @ApiProperty({ ...COUNT, description: 'Fetches, attempts, events and webhook deliveries, at least.', example: 90 })
  history_days: number;

  @ApiProperty({ ...COUNT, description: 'The audit log, at least.', example: 400 })
  audit_days: number;
}

@ApiSchema({ description: 'The usage of the current month so far. Deleted items stay counted.' })
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
