import type { Command } from 'commander';
import type { Cli } from '../../shared/cli';
import { group } from '../../shared/commands';
import { addCreateCommand } from './create';
import { addExportCommands } from './export';
import { addFindCommands } from './find';
import { addImportCommands } from './import';
import { addPreviewThemeCommand } from './preview-theme';
import { addRotateSecretCommand } from './rotate-secret';
import { addUpdateCommand } from './update';

export function addEnvironmentCommands(program: Command, cli: Cli): void {
  const environment = group(program, 'environment', 'Environments of client applications.');
  addCreateCommand(environment, cli);
  addFindCommands(environment, cli);
  addUpdateCommand(environment, cli);
  addPreviewThemeCommand(environment, cli);
  addRotateSecretCommand(environment, cli);
  addExportCommands(environment, cli);
  addImportCommands(environment, cli);
}
