import { type DynamicModule, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { AccessManagementModule } from '../../auth/access-management.module';
import { ENTITIES } from '../../bootstrap/database/entities';
import { FindConnections } from '../../connections/lifecycle/find-connections';
import { FETCH_NOW } from '../../connections/state/fetch-now-quota';
import { DataKeysModule } from '../../encryption/data-keys.module';
import { FetchRequestsModule } from '../../fetches/fetch-requests.module';
import { EnvironmentsModule } from '../../identities/environments/environments.module';
import type { Settings } from '../../platform/config/settings';
import { CoreModule } from '../../platform/core.module';
import { DatabaseModule } from '../../platform/database/database.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { Metrics } from '../../platform/metrics/metrics';
import { RateLimitsModule } from '../../platform/rate-limit/rate-limits.module';
import { RedeliveryRequestsModule } from '../../provisioning/redelivery-requests.module';
import { TransfersModule } from '../../transfers/transfers.module';

/**
 * The part of `AppModule` that the commands use: no routes, no recurring work and no connectors. A command therefore starts in
 * little more than half the time.
 */
@Module({})
export class UseCasesModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: UseCasesModule,
      imports: [
        CoreModule.with(settings, new Metrics(settings)),
        DatabaseModule.with(ENTITIES, []),
        JobsModule,
        ThrottlerModule.forRoot([FETCH_NOW]),
        RateLimitsModule,
        EnvironmentsModule,
        AccessManagementModule,
        FetchRequestsModule,
        RedeliveryRequestsModule,
        TransfersModule,
        DataKeysModule,
      ],
      providers: [FindConnections],
    };
  }
}
