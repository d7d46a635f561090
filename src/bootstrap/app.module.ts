import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ConsoleModule } from '../console/console.module';
import { ConnectionsModule } from '../connections/connections.module';
import { DocumentsModule } from '../documents/documents.module';
import { EncryptionModule } from '../encryption/encryption.module';
import { FetchesModule } from '../fetches/fetches.module';
import { IdentitiesModule } from '../identities/identities.module';
import { InboxModule } from '../inbox/inbox.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import type { Settings } from '../platform/config/settings';
import { DatabaseModule } from '../platform/database/database.module';
import { PlatformModule } from '../platform/platform.module';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { ENTITIES } from './database/entities';
import { MIGRATIONS } from './database/migrations';
import { Throttlers } from './http/throttlers';
import { TimelineModule } from '../timeline/timeline.module';
import { TransfersModule } from '../transfers/transfers.module';
import { TransactionsModule } from '../transactions/transactions.module';

/** All modules, in dependency order (ARCHITECTURE.md). */
@Module({})
export class AppModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(settings),
        DatabaseModule.with(ENTITIES, MIGRATIONS),
        Throttlers,
        DocumentsModule,
        IntegrationsModule,
        IdentitiesModule,
        ConnectionsModule,
        TransactionsModule,
        FetchesModule,
        InboxModule,
        ProvisioningModule,
        TimelineModule,
        TransfersModule,
        EncryptionModule,
        AuthModule,
        ConsoleModule,
      ],
    };
  }
}
