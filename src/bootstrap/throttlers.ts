import { ThrottlerModule } from '@nestjs/throttler';
import { generalLimits } from '../auth/guards/limit-callers.guard';
import { FETCH_NOW } from '../connections/state/manual-fetches';
import { Settings } from '../platform/config/config';
import { RequestCounts } from '../platform/rate-limit/request-counts';

/** Every throttler, in @nestjs/throttler's own words: the general limits, and those that are counted late. */
export const Throttlers = ThrottlerModule.forRootAsync({
  inject: [Settings, RequestCounts],
  useFactory: (settings: Settings, storage: RequestCounts) => ({
    throttlers: [...generalLimits(settings), FETCH_NOW],
    storage,
    setHeaders: false, // `Retry-After` is the filter's
  }),
});
