import { type DynamicModule, Module } from '@nestjs/common';
import { AccessManagementModule } from '../auth/access-management.module';
import { DataKeysModule } from '../encryption/data-keys.module';
import { EnvironmentsModule } from '../identities/environments/environments.module';
import type { Settings } from '../platform/config/settings';
import { CoreModule } from '../platform/core.module';
import { DatabaseModule } from '../platform/database/database.module';
import { Metrics } from '../platform/metrics/metrics';
import { ENTITIES } from './database/entities';

/**
 * The part of `AppModule` with which an installation is administered: environments, keys, the console's sessions, data keys and the
 * audit log. It is loaded and started in less than half the time.
 */
@Module({})
export class AdministrationModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: AdministrationModule,
      imports: [
        CoreModule.with(settings, new Metrics(settings)),
        DatabaseModule.with(ENTITIES, []),
        EnvironmentsModule,
        AccessManagementModule,
        DataKeysModule,
      ],
    };
  }
}
