import { type DynamicModule, Module } from '@nestjs/common';
import { CommandRunner, RootCommand } from 'nest-commander';
import { Application, OPEN, type Open } from './use-cases/application';
import { AuditCommand, ListAuditCommand } from './commands/audit.command';
import {
  ConnectionCommand,
  FetchConnectionCommand,
  ListConnectionsCommand,
  ShowConnectionCommand,
} from './commands/connection.command';
import {
  ConsoleCommand,
  ConsoleLinkCommand,
  ConsoleSessionsCommand,
  RevokeConsoleSessionCommand,
} from './commands/console.command';
import {
  EncryptionCommand,
  EncryptionStatusCommand,
  RotateDataKeysCommand,
  RotateEncryptionCommand,
} from './commands/encryption.command';
import {
  CancelExportCommand,
  ConfirmExportCommand,
  DeleteMovedCommand,
  ExportEnvironmentCommand,
} from './commands/environment/environment-export.command';
import {
  ActivateEnvironmentCommand,
  DiscardImportCommand,
  ImportEnvironmentCommand,
  TransferKeyCommand,
} from './commands/environment/environment-import.command';
import { ListEnvironmentsCommand, ShowEnvironmentCommand } from './commands/environment/environment-find.command';
import { PreviewThemeCommand } from './commands/environment/environment-preview.command';
import { RotateSecretCommand } from './commands/environment/environment-rotate-secret.command';
import { UpdateEnvironmentCommand } from './commands/environment/environment-update.command';
import { CreateEnvironmentCommand, EnvironmentCommand } from './commands/environment/environment.command';
import { IssueKeyCommand, KeyCommand, ListKeysCommand, RevokeKeyCommand } from './commands/key.command';
import { type Command, explain, Print } from './shared/print';
import { CheckProviderCommand, ProviderCommand } from './commands/provider/provider.command';
import { RecordProviderCommand } from './commands/provider/provider-record.command';
import { ReplayProviderCommand } from './commands/provider/provider-replay.command';
import { ProvisioningCommand, SetProvisioningCommand } from './commands/provisioning.command';
import { RedeliverCommand, TransactionCommand } from './commands/transaction.command';
import { Terminal } from './shared/terminal';
import { version } from '../platform/config/version';

/** The root command, with its documented name. */
@RootCommand({ name: 'docfetch', description: "The support team's tool." })
export class DocfetchCommand extends CommandRunner {
  /** Adds what the decorators do not support: `--version`, the rejection of excess arguments, and errors instead of an exit. */
  complete(): void {
    this.command.version(version(), '--version', 'Print the version.');
    this.configure(this.command);
  }

  private configure(command: Command): void {
    command.exitOverride();
    if (command.commands.length === 0) command.allowExcessArguments(false);
    for (const each of command.commands) this.configure(each);
  }

  run(given: string[]): Promise<void> {
    return explain(this.command, given);
  }
}

/** The support team's commands (decisions 7), with the same database and use cases as the service. */
@Module({
  providers: [
    Application,
    Print,
    DocfetchCommand,
    EnvironmentCommand,
    CreateEnvironmentCommand,
    ListEnvironmentsCommand,
    ShowEnvironmentCommand,
    UpdateEnvironmentCommand,
    PreviewThemeCommand,
    RotateSecretCommand,
    TransferKeyCommand,
    ExportEnvironmentCommand,
    ImportEnvironmentCommand,
    ConfirmExportCommand,
    ActivateEnvironmentCommand,
    DeleteMovedCommand,
    CancelExportCommand,
    DiscardImportCommand,
    KeyCommand,
    IssueKeyCommand,
    ListKeysCommand,
    RevokeKeyCommand,
    ConsoleCommand,
    ConsoleLinkCommand,
    ConsoleSessionsCommand,
    RevokeConsoleSessionCommand,
    ProvisioningCommand,
    SetProvisioningCommand,
    ConnectionCommand,
    ListConnectionsCommand,
    ShowConnectionCommand,
    FetchConnectionCommand,
    TransactionCommand,
    RedeliverCommand,
    ProviderCommand,
    CheckProviderCommand,
    RecordProviderCommand,
    ReplayProviderCommand,
    EncryptionCommand,
    RotateEncryptionCommand,
    RotateDataKeysCommand,
    EncryptionStatusCommand,
    AuditCommand,
    ListAuditCommand,
  ],
})
export class CliModule {
  static with(terminal: Terminal, open: Open): DynamicModule {
    return {
      module: CliModule,
      providers: [
        { provide: Terminal, useValue: terminal },
        { provide: OPEN, useValue: open },
      ],
    };
  }
}
