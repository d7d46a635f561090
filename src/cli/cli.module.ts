import { type DynamicModule, Module } from '@nestjs/common';
import { AppModule } from '../app.module';
import { AuthModule } from '../auth/auth.module';
import { IdentitiesModule } from '../identities/identities.module';
import type { Settings } from '../platform/config';
import { CreateEnvironmentCommand, EnvironmentCommand } from './environment.command';
import { IssueKeyCommand, KeyCommand, ListKeysCommand, RevokeKeyCommand } from './key.command';
import { Print } from './print';
import { ProvisioningCommand, SetProvisioningCommand } from './provisioning.command';

/** The support team's commands (contract 7), on the same database and by the same use cases as the service. */
@Module({})
export class CliModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [AppModule.with(settings), IdentitiesModule, AuthModule],
      providers: [
        Print,
        EnvironmentCommand,
        CreateEnvironmentCommand,
        KeyCommand,
        IssueKeyCommand,
        ListKeysCommand,
        RevokeKeyCommand,
        ProvisioningCommand,
        SetProvisioningCommand,
      ],
    };
  }
}
