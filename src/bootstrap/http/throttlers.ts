import { ThrottlerModule } from '@nestjs/throttler';
import { generalLimits } from '../../auth/guards/caller-rate-limit.guard';
import { FETCH_NOW } from '../../connections/state/fetch-now-quota';
import { SOURCE_REQUESTS } from '../../identities/source-requests/request-source';
import { Settings } from '../../platform/config/settings';
import { PostgresThrottlerStorage } from '../../platform/rate-limit/postgres-throttler-storage';

/** All throttlers of @nestjs/throttler: the general limits, and the transactional ones. */
export const Throttlers = ThrottlerModule.forRootAsync({
  inject: [Settings, PostgresThrottlerStorage],
  useFactory: (settings: Settings, storage: PostgresThrottlerStorage) => ({
    throttlers: [...generalLimits(settings), FETCH_NOW, SOURCE_REQUESTS],
    storage,
    setHeaders: false, // the exception filter sets `Retry-After`
  }),
});
