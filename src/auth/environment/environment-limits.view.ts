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
