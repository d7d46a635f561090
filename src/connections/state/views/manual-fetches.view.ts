import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { RemainingQuota } from '../../../platform/rate-limit/transactional-throttler';

@ApiSchema({ name: 'ManualFetches', description: 'The quota of `POST …/fetch-now` (decisions 9).' })
export class ManualFetchesView {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Allowed fetches within any hour.', example: 5 })
  limit: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description:
      'Remaining fetches. Only requests that queue a fetch count: rejected requests and replays of an `Idempotency-Key` do not. At 0, the next request is rejected with 429 `FETCH_QUOTA_EXCEEDED`.',
    example: 4,
  })
  remaining: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the next used fetch is available again; null while none is used. The window slides.',
    example: '2026-11-20T09:30:00.000Z',
  })
  resets_at: string | null;
}

export function manualFetchesView({ limit, remaining, resetsAt }: RemainingQuota): ManualFetchesView {
  return { limit, remaining, resets_at: resetsAt?.toISOString() ?? null };
}
