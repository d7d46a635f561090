import { Global, Module } from '@nestjs/common';
import { PostgresThrottlerStorage } from './postgres-throttler-storage';
import { TransactionalThrottler } from './transactional-throttler';

const SERVICES = [PostgresThrottlerStorage, TransactionalThrottler];

/** Counts hits of the throttlers that `ThrottlerModule` lists. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class RateLimitsModule {}
