import { type DynamicModule, Module } from '@nestjs/common';
import { AppModule } from '../app.module';
import { AuthModule } from '../auth/auth.module';
import { ConnectionsModule } from '../connections/connections.module';
import { FetchesModule } from '../fetches/fetches.module';
import { IdentitiesModule } from '../identities/identities.module';
import type { Settings } from '../platform/config';
import { ProvisioningModule } from '../provisioning/provisioning.module';
import { AuditCommand, ListAuditCommand } from './audit.command';
import {
  ConnectionCommand,
  FetchConnectionCommand,
  ListConnectionsCommand,
  ShowConnectionCommand,
} from './connection.command';
import { EncryptionCommand, RotateEncryptionCommand } from './encryption.command';
import { ListEnvironmentsCommand, ShowEnvironmentCommand } from './environment-find.command';
import { UpdateEnvironmentCommand } from './environment-update.command';
import { CreateEnvironmentCommand, EnvironmentCommand } from './environment.command';
import { IssueKeyCommand, KeyCommand, ListKeysCommand, RevokeKeyCommand } from './key.command';
import { Print } from './print';
import { ProvisioningCommand, SetProvisioningCommand } from './provisioning.command';
import { RedeliverCommand, TransactionCommand } from './transaction.command';

/** The support team's commands (contract 7), on the same database and by the same use cases as the service. */
@Module({})
export class CliModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [
        AppModule.with(settings),
        IdentitiesModule,
        ConnectionsModule,
        FetchesModule,
        ProvisioningModule,
        AuthModule,
      ],
      providers: [
        Print,
        EnvironmentCommand,
        CreateEnvironmentCommand,
        ListEnvironmentsCommand,
        ShowEnvironmentCommand,
        UpdateEnvironmentCommand,
        KeyCommand,
        IssueKeyCommand,
        ListKeysCommand,
        RevokeKeyCommand,
        ProvisioningCommand,
        SetProvisioningCommand,
        ConnectionCommand,
        ListConnectionsCommand,
        ShowConnectionCommand,
        FetchConnectionCommand,
        TransactionCommand,
        RedeliverCommand,
        EncryptionCommand,
        RotateEncryptionCommand,
        AuditCommand,
        ListAuditCommand,
      ],
    };
  }
}
