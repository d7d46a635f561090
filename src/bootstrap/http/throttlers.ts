import { ThrottlerModule } from '@nestjs/throttler';
import { generalLimits } from '../../auth/guards/caller-rate-limit.guard';
import { FETCH_NOW } from '../../connections/state/manual-fetches.view';
import { Settings } from '../../platform/config/settings';
import { BatchedThrottlerStorage } from '../../platform/rate-limit/batched-throttler-storage';

/** All throttlers of @nestjs/throttler: the general limits, and the transactional ones. */
export const Throttlers = ThrottlerModule.forRootAsync({
  inject: [Settings, BatchedThrottlerStorage],
  useFactory: (settings: Settings, storage: BatchedThrottlerStorage) => ({
    throttlers: [...generalLimits(settings), FETCH_NOW],
    storage,
    setHeaders: false, // the exception filter sets `Retry-After`
  }),
});
