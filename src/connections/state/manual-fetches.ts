import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { hours } from '@nestjs/throttler';
import { type RemainingQuota, defineTransactionalThrottler } from '../../platform/rate-limit/transactional-throttler';

/**
 * spec 4.6 rule 1: at most 5 manual fetches in any hour, per connection. Counted by fetch-now in the room to the right, and shown
 * with the connection from the same windows.
 */
export const FETCH_NOW = defineTransactionalThrottler({ name: 'fetch-now', limit: 5, ttl: hours(1) });

@ApiSchema({ name: 'ManualFetches', description: 'The quota of `POST …/fetch-now` (decisions 9).' })
export class ManualFetchesView {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many are allowed within any hour.', example: 5 })
  limit: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'How many are left now. Only requests that queue a fetch count: refused ones and replays of an `Idempotency-Key` do not. With 0, the next one is 429 `FETCH_QUOTA_EXCEEDED`.',
    example: 4,
  })
  remaining: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next used one is free again; null while none is used. The window slides.',
    example: '2026-11-20T09:30:00.000Z',
  })
  resets_at: string | null;
}

export function manualFetchesView({ limit, remaining, resetsAt }: RemainingQuota): ManualFetchesView {
  return { limit, remaining, resets_at: resetsAt?.toISOString() ?? null };
}
