import { Command } from 'commander';
import { version } from '../platform/config/version';
import { addAuditCommands } from './commands/audit';
import { addConnectionCommands } from './commands/connection';
import { addConsoleCommands } from './commands/console';
import { addEncryptionCommands } from './commands/encryption';
import { addEnvironmentCommands } from './commands/environment/environment';
import { addKeyCommands } from './commands/key';
import { addProviderCommands } from './commands/provider/provider';
import { addProvisioningCommands } from './commands/provisioning';
import { addTransactionCommands } from './commands/transaction';
import type { Cli } from './shared/cli';
import { refusing } from './shared/commands';

/** The support team's commands (decisions 7), with the same database and use cases as the service. Subcommands inherit its settings. */
export function createProgram(cli: Cli): Command {
  const { stdout, stderr } = cli.terminal;
  const program = new Command('docfetch')
    .description("The support team's tool.")
    .version(version(), '--version', 'Print the version.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(oneLine(text)),
    })
    .configureHelp({
      optionDescription: ({ description, mandatory }) => (mandatory ? `${description} (required)` : description),
    });
  addEnvironmentCommands(program, cli);
  addKeyCommands(program, cli);
  addConsoleCommands(program, cli);
  addProvisioningCommands(program, cli);
  addConnectionCommands(program, cli);
  addTransactionCommands(program, cli);
  addProviderCommands(program, cli);
  addEncryptionCommands(program, cli);
  addAuditCommands(program, cli);
  return refusing(program);
}

/** An error of the parser, which may contain a suggestion in a second line. */
function oneLine(error: string): string {
  return `${error
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')}\n`;
}
